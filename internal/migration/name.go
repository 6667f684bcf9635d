package migration

import (
	"math/big"
	"path"
	"strings"
	"time"

	"gitlet/internal/glob"
)

// Entry is one migration as its place and name tell of it.
type Entry struct {
	Dir  string // the folder of migrations it belongs to
	Name string // its file, or its folder where each migration has one
	// Number is its place in the order in a form that compares: without leading zeros,
	// parts of a version joined by ".". "" when the name has none.
	Number string
	// Spelled is the number as the name writes it.
	Spelled string
	// Chained is set where the content names the migration it builds on and numbers
	// decide nothing (Alembic).
	Chained bool
}

// InDir reports whether the file lies in a directory of migrations: one of the usual
// names, or one that a glob names.
func InDir(file string, globs []string) bool {
	dir, name := path.Split(file)
	dir = strings.TrimSuffix(dir, "/")
	if dir == "" {
		return false
	}
	segs := strings.Split(dir, "/")
	for i, s := range segs {
		switch {
		case s == "migrations" || s == "migrate" || s == "versions" && i > 0 && segs[i-1] == "alembic":
			return true
		case s == "migration" && flyway(name):
			return true
		}
	}
	for _, pattern := range globs {
		if glob.Match(pattern, dir) {
			return true
		}
	}
	return false
}

// flyway reports whether a name is V<version>__<words>, or the like with U or R.
func flyway(name string) bool {
	return name != "" && strings.ContainsRune("VUR", rune(name[0])) && strings.Contains(name, "__")
}

// Of tells which migration the file at a path is or belongs to; ok is false for a file
// that is none. Several files may make up one migration.
func Of(file string, globs []string) (Entry, bool) {
	if !InDir(file, globs) {
		return Entry{}, false
	}
	dir, name := path.Split(file)
	e := Entry{Dir: strings.TrimSuffix(dir, "/"), Name: name}
	if alembic(e.Dir) {
		e.Chained = strings.HasSuffix(name, ".py") && name != "__init__.py"
		return e, e.Chained
	}
	switch name {
	case "migration.sql", "up.sql", "down.sql":
		// A folder each, named by date or number.
		outer, folder := path.Split(e.Dir)
		if outer = strings.TrimSuffix(outer, "/"); outer != "" {
			e.Dir, e.Name = outer, folder
		}
	}
	e.Number, e.Spelled = number(e.Name)
	return e, e.Number != ""
}

// alembic reports whether a folder is where Alembic, or Flask's use of it, keeps
// revisions. Their file names begin with random letters and digits.
func alembic(dir string) bool {
	outer, last := path.Split(dir)
	switch path.Base(outer) {
	case "alembic", "migrations", "migrate":
		return last == "versions"
	}
	return false
}

// number reads the number at the beginning of a name. What only begins with digits,
// like a hash or "2fa.go", has none.
func number(name string) (comparable, spelled string) {
	rest := name
	if name != "" && name[0] == 'V' {
		rest = name[1:]
		if version, _, ok := strings.Cut(rest, "__"); ok {
			return flywayVersion(version)
		}
	}
	n := digits(rest)
	if n == 0 || n < len(rest) && !strings.ContainsRune("_-. ", rune(rest[n])) {
		return "", ""
	}
	if d := date(rest, n); d > n {
		return onlyDigits(rest[:d]), rest[:d]
	}
	return plain(rest[:n]), rest[:n]
}

// flywayVersion reads "1", "1.2" or "1_2": parts of digits.
func flywayVersion(v string) (comparable, spelled string) {
	parts := strings.FieldsFunc(v, func(r rune) bool { return r == '.' || r == '_' })
	if len(parts) == 0 {
		return "", ""
	}
	for i, p := range parts {
		if digits(p) != len(p) {
			return "", ""
		}
		parts[i] = plain(p)
	}
	for len(parts) > 1 && parts[len(parts)-1] == "0" {
		parts = parts[:len(parts)-1] // 1.0 and 1 are one version
	}
	return strings.Join(parts, "."), v
}

// date returns the length of a date and time written in parts, such as
// 2024_01_02_030405 or 20240102_0304; n is the length of the first part. Only digits
// that can be a date are joined: 0001_2024_totals has the number 1.
func date(s string, n int) int {
	var want []int
	switch {
	case n == 4 && s[0] >= '1' && s[0] <= '2':
		want = []int{2, 2}
	case n == 8 && s[0] >= '1' && s[0] <= '2':
		want = nil
	default:
		return n
	}
	at := n
	for _, w := range want {
		k := part(s, at)
		if k != w {
			return n
		}
		at += 1 + k
	}
	if k := part(s, at); k == 4 || k == 6 {
		at += 1 + k
	}
	return at
}

// part is the length of the digits that follow a separator at s[at:].
func part(s string, at int) int {
	if at >= len(s) || !strings.ContainsRune("_-", rune(s[at])) {
		return 0
	}
	k := digits(s[at+1:])
	if end := at + 1 + k; end < len(s) && !strings.ContainsRune("_-. ", rune(s[end])) {
		return 0
	}
	return k
}

func digits(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

func plain(s string) string {
	if s = strings.TrimLeft(s, "0"); s == "" {
		return "0"
	}
	return s
}

// Comparable brings a number as a name writes it into the form of Entry.Number; "" when it
// is none.
func Comparable(spelled string) string {
	if n, _ := number(spelled); n != "" {
		return n
	}
	n, _ := flywayVersion(spelled)
	return n
}

// timeLayout is the form of most numbers that are times.
const timeLayout = "20060102150405"

// Next returns the first free number after all that are taken, spelled like the
// example, which is a number as a name writes it.
func Next(example string, taken []string) string {
	want := Comparable(example)
	last := want
	for _, t := range taken {
		if alike(t, want) && less(last, t) {
			last = t
		}
	}
	if at, err := time.Parse(timeLayout, last); err == nil && len(last) == len(timeLayout) {
		return respell(at.Add(time.Second).Format(timeLayout), example)
	}
	parts := strings.Split(last, ".")
	end := parts[len(parts)-1]
	parts[len(parts)-1] = increment(end)
	return respell(strings.Join(parts, "."), example)
}

// increment adds one to a number of any length.
func increment(s string) string {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return s
	}
	return n.Add(n, big.NewInt(1)).String()
}

// alike tells counting from dates: a folder may hold both, from before and after a
// change of tools.
func alike(a, b string) bool {
	const short = 8
	x, _, _ := strings.Cut(a, ".")
	y, _, _ := strings.Cut(b, ".")
	return (len(x) < short) == (len(y) < short)
}

// less compares numbers and versions part by part.
func less(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := 0; i < len(x) && i < len(y); i++ {
		if len(x[i]) != len(y[i]) {
			return len(x[i]) < len(y[i])
		}
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) < len(y)
}

// respell writes a number with the width and the separators of the example.
func respell(n, example string) string {
	switch width := len(onlyDigits(example)); {
	case strings.Contains(n, "."):
		if strings.Contains(example, "_") && !strings.Contains(example, ".") {
			return strings.ReplaceAll(n, ".", "_")
		}
		return n
	case len(n) < width && width == len(example):
		return strings.Repeat("0", width-len(n)) + n
	case len(n) == width && width < len(example):
		out := []byte(example)
		at := 0
		for i := range out {
			if out[i] >= '0' && out[i] <= '9' {
				out[i] = n[at]
				at++
			}
		}
		return string(out)
	}
	return n
}

// Of a resource that hands out numbers, Handed returns the folder and the number that a
// claim on it stands for, "next:<folder>/<number>"; ok is false for another resource.
func Handed(resource string) (dir, num string, ok bool) {
	rest, ok := strings.CutPrefix(resource, "next:")
	if !ok {
		return "", "", false
	}
	for _, sep := range []string{"/", "#", ":"} {
		if i := strings.LastIndex(rest, sep); i > 0 {
			if n, spelled := number(rest[i+1:]); n != "" && spelled == rest[i+1:] {
				return rest[:i], n, true
			}
		}
	}
	return "", "", false
}
