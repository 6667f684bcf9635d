package config

import (
	"fmt"
	"strings"
)

// Markdown is docs/settings.md, made from the declarations.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Settings

<!-- Made from internal/config/keys.go by: go run ./tools/gensettings -->

gitlet reads its settings from git config, so they can be set for one clone
(` + "`git config gitlet.lease 5m`" + `), for one worktree, or for a whole machine
(` + "`git config --global gitlet.lease 5m`" + `). None has to be set. A value that gitlet cannot use is named
in the results, and the default is used instead.

| Setting | Takes | Default | What it does |
| --- | --- | --- | --- |
`)
	for _, k := range keys {
		def := k.Unset
		if k.Default != "" {
			def = "`" + k.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s.%s` | %s | %s | %s |\n", Section, k.Name, k.Type(), def, strings.ReplaceAll(k.About, "|", `\|`))
	}
	b.WriteString(`
What they take:

- **duration**: ` + "`45s`, `10m`, `1h30m`, `7d`, `1d12h`" + `. ` + "`0s`" + ` means every time, or at once. There are no negative ones.
- **size**: bytes, or with a unit: ` + "`5242880`, `5m`, `5MiB`" + ` are the same (units of 1024); ` + "`5MB`" + ` is 5,000,000.
- **yes/no**: as in git: ` + "`true`, `yes`, `on`, `1`; `false`, `no`, `off`, `0`" + `.
- **number**: a whole number.
- **choice**: one of the words given.
- **list**: set it several times, with ` + "`git config --add`" + `; each value is one glob.
- When a key that is no list is set several times, the last value counts, as in git.
`)
	return b.String()
}
