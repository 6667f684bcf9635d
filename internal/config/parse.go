package config

import (
	"fmt"
	"sort"
	"strings"
	"time"
)

// Problem is a value that could not be used, or a key that does not exist.
type Problem struct {
	Key   string // "gitlet.lease", spelled as declared; as found when Unknown
	Value string // "" when Unknown
	Want  string // what would be right
	Used  string // what is used instead; "" when Unknown
	Place string // where it is set, in words; "" when that is not known
	// Unknown marks a key in gitlet's section that gitlet does not know: a misspelt
	// one, or one of another version.
	Unknown bool
}

// String is the problem as one line for people.
func (p Problem) String() string {
	text := fmt.Sprintf("%s is %q, but takes %s; using %s", p.Key, p.Value, p.Want, p.Used)
	if p.Unknown {
		text = fmt.Sprintf("%s is no setting of this gitlet", p.Key)
		if p.Want != "" {
			text += "; the nearest is " + p.Want
		}
	}
	if p.Place != "" {
		text += " (it is set in " + p.Place + ")"
	}
	return text
}

// Defaults returns the settings of a repository in which nothing is set.
func Defaults() Settings {
	s, _ := Parse(nil)
	return s
}

// Source is where configuration values come from; git.Config is one.
type Source interface {
	// Keys returns the keys that start with prefix; All a key's values in order, Places
	// in words where each of them is set.
	Keys(prefix string) []string
	All(key string) []string
	Places(key string) []string
}

// From is Parse over the keys of the section that src has.
func From(src Source) (Settings, []Problem) {
	values := map[string][]string{}
	for _, key := range src.Keys(Section + ".") {
		values[key] = src.All(key)
	}
	s, problems := Parse(values)
	for i, p := range problems {
		problems[i].Place = placeOf(src, p)
	}
	return s, problems
}

// placeOf finds where the value of a problem is set: of several equal ones the last,
// which is the one that counts.
func placeOf(src Source, p Problem) (place string) {
	for _, key := range src.Keys(Section + ".") {
		if !strings.EqualFold(key, p.Key) {
			continue
		}
		places := src.Places(key)
		for i, v := range src.All(key) {
			if (p.Unknown || v == p.Value) && i < len(places) {
				place = places[i]
			}
		}
	}
	return place
}

// Parse reads settings from git config values: full key ("gitlet.lease", any case)
// to its values in the order git gives them, so that the last one wins. Keys outside
// the section, and keys with a subsection, are none of its business. A bad value is
// reported and the key's default used. Problems come in the order of Keys, unknown
// keys last.
func Parse(values map[string][]string) (Settings, []Problem) {
	found := collect(values)
	var (
		s        Settings
		problems []Problem
	)
	for _, k := range keys {
		if want := k.set(&s, k.defaults()); want != "" {
			panic(fmt.Sprintf("config: the default of %s is not %s", k.Name, want)) // the tests set every default
		}
		name := strings.ToLower(k.Name)
		given, ok := found[name]
		delete(found, name)
		if !ok {
			continue
		}
		if p := k.read(&s, given); p != nil {
			problems = append(problems, *p)
		}
	}
	left := make([]string, 0, len(found))
	for name := range found {
		left = append(left, name)
	}
	sort.Strings(left)
	for _, name := range left {
		problems = append(problems, Problem{Key: Section + "." + name, Want: nearest(name), Unknown: true})
	}
	return s, problems
}

// collect lowers key names and keeps those of the section. Keys that differ only in
// case are one key; their values are joined in the order of the spellings.
func collect(values map[string][]string) map[string][]string {
	spelled := make([]string, 0, len(values))
	for name := range values {
		spelled = append(spelled, name)
	}
	sort.Strings(spelled)
	out := map[string][]string{}
	for _, name := range spelled {
		section, key, ok := strings.Cut(strings.ToLower(name), ".")
		if !ok || section != Section || strings.Contains(key, ".") {
			continue
		}
		out[key] = append(out[key], values[name]...)
	}
	return out
}

// read sets the key from the values given, and on a bad one restores the default.
func (k Key) read(s *Settings, given []string) *Problem {
	if len(given) == 0 {
		return nil
	}
	use := given
	if k.Type() != Multi {
		use = given[len(given)-1:]
	}
	want := k.set(s, use)
	if want == "" {
		return nil
	}
	if bad := k.set(s, k.defaults()); bad != "" {
		panic("config: unreachable, the default was set before")
	}
	return &Problem{Key: Section + "." + k.Name, Value: k.culprit(use), Want: want, Used: k.defaultWords()}
}

// culprit is the value of a key's that cannot be used: the only one, or the first of a
// list that would not do alone.
func (k Key) culprit(values []string) string {
	var s Settings
	for _, v := range values {
		if k.set(&s, []string{v}) != "" {
			return v
		}
	}
	return values[len(values)-1]
}

// defaults is the key's default as values to set; none for an empty list.
func (k Key) defaults() []string {
	if k.Default == "" {
		return nil
	}
	return []string{k.Default}
}

// defaultWords says what the key is when nobody sets it.
func (k Key) defaultWords() string {
	if k.Default == "" {
		return strings.ReplaceAll(k.Unset, "`", "")
	}
	return k.Default
}

// set writes values into the key's field, or leaves it alone and returns what would
// be right. No values set the field's zero.
func (k Key) set(s *Settings, values []string) (want string) {
	last := ""
	if len(values) > 0 {
		last = strings.TrimSpace(values[len(values)-1])
	}
	switch f := k.field(s).(type) {
	case *string:
		if len(values) > 0 && k.check != nil {
			if want := k.check(last); want != "" {
				return want
			}
		}
		*f = last
	case *bool:
		v, ok := ParseBool(last)
		if !ok {
			return "true or false"
		}
		*f = v
	case *int:
		v, ok := parseSize(last)
		if !ok || v < k.min || v > maxInt {
			return fmt.Sprintf("a whole number of at least %d", k.min)
		}
		*f = int(v)
	case *Bytes:
		v, ok := parseSize(last)
		if !ok || v < k.min {
			return "a size such as 5MiB, 5m or 5242880, at least 1"
		}
		*f = Bytes(v)
	case *time.Duration:
		v, ok := ParseDuration(last)
		if !ok || v < time.Duration(k.min) {
			if k.min > 0 {
				return fmt.Sprintf("a duration such as 45s, 10m or 7d, at least %s", time.Duration(k.min))
			}
			return "a duration such as 45s, 10m, 7d or 0s"
		}
		*f = v
	case *Untracked:
		v := Untracked(strings.ToLower(last))
		switch v {
		case UntrackedSource, UntrackedAll, UntrackedNone:
			*f = v
		default:
			return "source, all or none"
		}
	case *SharedRefs:
		v := SharedRefs(strings.ToLower(last))
		switch v {
		case RefsDefault, RefsHeads:
			*f = v
		default:
			return "default or heads"
		}
	case *[]string:
		return setGlobs(f, values)
	default:
		panic(fmt.Sprintf("config: %s has a field of type %T", k.Name, f))
	}
	return ""
}

// nearest returns the declared key within two edits of name, or "".
func nearest(name string) string {
	best, at := "", 3
	for _, k := range keys {
		if d := edits(name, strings.ToLower(k.Name)); d < at {
			best, at = Section+"."+k.Name, d
		}
	}
	return best
}

// edits counts the insertions, removals and replacements between two short words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
