package mergedriver

import (
	"encoding/json"
	"fmt"
	"strings"

	"gitlet/internal/pattern"
	"gitlet/internal/tomledit"
)

// jsonFormat reads JSON that has the first of these keys: its value is the version, unless
// "" follows.
func jsonFormat(keys ...string) func([]byte) (string, bool) {
	return func(text []byte) (string, bool) {
		var doc map[string]any
		if json.Unmarshal(text, &doc) != nil || doc[keys[0]] == nil {
			return "", false
		}
		if len(keys) > 1 {
			return "", true
		}
		return fmt.Sprint(doc[keys[0]]), true
	}
}

// tomlFormat reads TOML; the version stands at keys, where it stands there at all.
func tomlFormat(keys ...string) func([]byte) (string, bool) {
	return func(text []byte) (string, bool) {
		doc, err := tomledit.Parse(text)
		if err != nil || len(doc) == 0 {
			return "", false
		}
		return fmt.Sprint(tomledit.Get(doc, keys...)), true
	}
}

var (
	topKey   = pattern.New(`^(("[^"]+"|'[^']+'|[^\s"'#:-][^:]*):(\s|$)|\?\s|:(\s|$))`)
	classKey = pattern.New(`^("[^"]+"|[^\s"#]\S*)(, ("[^"]+"|[^\s"#]\S*))*:$`)
	gemHead  = pattern.New(`^[A-Z][A-Z ]+$`)
)

// blocks reports whether a text is lines that begin with key, with indented or empty ones
// and comments below.
func blocks(text []byte, key *pattern.Pattern, comment string) bool {
	keys := 0
	for line := range strings.Lines(string(text)) {
		switch line = strings.TrimRight(line, "\r\n"); {
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, " ") && keys > 0, comment != "" && strings.HasPrefix(line, comment), line == "---":
		case key.MatchString(line):
			keys++
		default:
			return false
		}
	}
	return keys > 0
}

// yamlFormat reads the YAML of a lock file: a list of keys at the left, one of which is
// name and has the version.
func yamlFormat(name string) func([]byte) (string, bool) {
	return func(text []byte) (string, bool) {
		if !blocks(text, topKey, "#") {
			return "", false
		}
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, name+":"); ok {
				return strings.Trim(strings.TrimSpace(rest), `'"`), true
			}
		}
		return "", false
	}
}

// berryFormat reads yarn.lock as yarn writes it from its second version on.
func berryFormat(text []byte) (string, bool) {
	_, rest, ok := strings.Cut(string(text), "__metadata:\n")
	if !ok || !blocks(text, topKey, "#") {
		return "", false
	}
	line, _, _ := strings.Cut(rest, "\n")
	version, ok := strings.CutPrefix(strings.TrimSpace(line), "version:")
	return "yarn " + strings.TrimSpace(version), ok
}

// classicFormat reads yarn.lock as yarn's first version writes it.
func classicFormat(text []byte) (string, bool) {
	const head = "# yarn lockfile v"
	_, rest, ok := strings.Cut(string(text), head)
	version, _, _ := strings.Cut(rest, "\n")
	if strings.Contains(rest, "\n__metadata:") {
		return berryFormat(text)
	}
	empty := strings.TrimSpace(strings.TrimPrefix(rest, version)) == ""
	return "yarn v" + strings.TrimSpace(version), ok && (empty || blocks(text, classKey, "#"))
}

// gemFormat reads Gemfile.lock.
func gemFormat(text []byte) (string, bool) {
	ok := blocks(text, gemHead, "") && strings.Contains("\n"+string(text), "\nDEPENDENCIES\n")
	return "", ok
}

// sumFormat reads go.sum.
func sumFormat(text []byte) (string, bool) {
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) != 3 || !strings.HasPrefix(f[2], "h1:") {
			return "", false
		}
	}
	return "", true
}
