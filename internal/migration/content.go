package migration

import (
	"path"
	"strings"

	"gitlet/internal/pattern"
)

// Revision is what the content of a migration says about its place in a chain.
type Revision struct {
	ID string
	// After are the migrations of the same folder it builds on; none for the first.
	After []string
}

var (
	alembicID    = pattern.New(`(?m)^revision\s*(?::[^=\n]+)?=\s*["']([^"'\n]+)["']`)
	alembicAfter = pattern.New(`(?m)^down_revision\s*(?::[^=\n]+)?=\s*(None\b|["'][^"'\n]+["']|\([^)]*\)|\[[^\]]*\])`)
	quoted       = pattern.New(`["']([^"'\n]+)["']`)

	djangoClass = pattern.New(`(?m)^class\s+Migration\s*\(`)
	djangoAfter = pattern.New(`(?ms)^\s+dependencies\s*(?::[^=\n]+)?=\s*[\[(](.*?)^?\s*[\])]\s*$`)
	djangoPair  = pattern.New(`\(\s*["']([^"'\n]+)["']\s*,\s*["']([^"'\n]+)["']\s*,?\s*\)`)
)

// maxContent is how much of a file is looked at: what is sought stands near the top.
const maxContent = 64 << 10

// Chains reports whether the content of the file may say what it builds on.
func Chains(file string) bool { return strings.HasSuffix(file, ".py") }

// Read returns what a migration's content says, for Alembic and Django; ok is false when
// it says nothing.
func Read(file string, content []byte) (r Revision, ok bool) {
	if !Chains(file) {
		return Revision{}, false
	}
	content = content[:min(len(content), maxContent)]
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	if alembic(dir) {
		return readAlembic(content)
	}
	if !djangoClass.Match(content) {
		return Revision{}, false
	}
	r.ID = strings.TrimSuffix(name, ".py")
	m := djangoAfter.FindSubmatch(content)
	if m == nil {
		return r, true
	}
	app := path.Base(path.Dir(dir))
	for _, p := range djangoPair.FindAllSubmatch(m[1], -1) {
		if string(p[1]) == app {
			r.After = append(r.After, string(p[2]))
		}
	}
	return r, true
}

func readAlembic(content []byte) (r Revision, ok bool) {
	own := alembicID.FindSubmatch(content)
	after := alembicAfter.FindSubmatch(content)
	if own == nil || after == nil {
		return Revision{}, false
	}
	r.ID = string(own[1])
	for _, q := range quoted.FindAllSubmatch(after[1], -1) {
		r.After = append(r.After, string(q[1]))
	}
	return r, true
}
