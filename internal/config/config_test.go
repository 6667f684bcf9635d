package config

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	want := Settings{
		Refs:              RefsDefault,
		BranchPrefix:      "gitlet/",
		SnapshotInterval:  45 * time.Second,
		PollInterval:      20 * time.Second,
		Lease:             10 * time.Minute,
		SnapshotUntracked: UntrackedSource,
		PublishSnapshots:  true,
		MaxSnapshotFile:   5 << 20,
		ThreadMessages:    3,
		ThreadTimeout:     10 * time.Minute,
		AutoClaim:         true,
		StaleItem:         24 * time.Hour,
		PublishTimeout:    15 * time.Minute, GateTimeout: 30 * time.Minute,
		BroadFiles:      50,
		BroadSymbols:    200,
		OutsideWindow:   168 * time.Hour,
		OutsideMax:      50,
		OutsideInterval: 5 * time.Minute,
		ReapAfter:       168 * time.Hour,
		MergeEngine:     "gitlet",
	}
	if got := Defaults(); !reflect.DeepEqual(got, want) {
		t.Errorf("defaults are\n%+v\nwant\n%+v", got, want)
	}
}

// Every field of Settings has exactly one key, and every key its own field.
func TestEachFieldIsDeclaredOnce(t *testing.T) {
	t.Parallel()
	var s Settings
	at := map[any]string{}
	names := map[string]bool{}
	for _, k := range Keys() {
		p := k.field(&s)
		if other := at[p]; other != "" {
			t.Errorf("%s and %s write the same field", other, k.Name)
		}
		at[p] = k.Name
		if lower := strings.ToLower(k.Name); names[lower] {
			t.Errorf("%s is declared twice", k.Name)
		} else {
			names[lower] = true
		}
		if k.About == "" || (k.Default == "") == (k.Unset == "") {
			t.Errorf("%s needs words and either a default or what happens without one", k.Name)
		}
	}
	v := reflect.ValueOf(&s).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name := at[v.Field(i).Addr().Interface()]
		if name == "" {
			t.Errorf("no key sets Settings.%s", f.Name)
		} else if !strings.EqualFold(name, f.Name) {
			t.Errorf("key %s sets Settings.%s", name, f.Name)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	type values = map[string][]string
	tests := []struct {
		name   string
		values values
		change func(*Settings) // what differs from the defaults
		want   []string        // problems
	}{
		{name: "nothing"},
		{
			name:   "names in git's lower case",
			values: values{"gitlet.snapshotinterval": {"1m30s"}, "gitlet.autoclaim": {"off"}},
			change: func(s *Settings) { s.SnapshotInterval = 90 * time.Second; s.AutoClaim = false },
		},
		{
			name:   "names in any case",
			values: values{"Gitlet.PollInterval": {"0s"}, "GITLET.MAIN": {"trunk"}},
			change: func(s *Settings) { s.PollInterval = 0; s.Main = "trunk" },
		},
		{
			name:   "the last value wins",
			values: values{"gitlet.lease": {"broken", "7d"}},
			change: func(s *Settings) { s.Lease = 7 * 24 * time.Hour },
		},
		{
			name:   "a bad last value gives the default, not the value before",
			values: values{"gitlet.lease": {"5m", "soon"}},
			want:   []string{`gitlet.lease is "soon", but takes a duration such as 45s, 10m or 7d, at least 1s; using 10m`},
		},
		{
			name: "every type, bad",
			values: values{
				"gitlet.maxsnapshotfile":   {"5 parsecs"},
				"gitlet.snapshotuntracked": {"some"},
				"gitlet.publishsnapshots":  {"maybe"},
				"gitlet.threadmessages":    {"0"},
				"gitlet.branchprefix":      {"a b/"},
				"gitlet.staleitem":         {"-1h"},
				"gitlet.snapshotinclude":   {"ok/*", "[bad"},
				"gitlet.remote":            {""},
				"gitlet.main":              {"a..b"},
				"gitlet.refs":              {"refs/heads/x/"},
				"gitlet.lease":             {"0s"},
			},
			want: []string{
				`gitlet.remote is "", but takes the name of a remote, or none; using origin if it exists, else the only remote, else none`,
				`gitlet.main is "a..b", but takes the name of a branch; using the branch that refs/remotes/<remote>/HEAD names, else main, else master`,
				`gitlet.refs is "refs/heads/x/", but takes default or heads; using default`,
				`gitlet.branchPrefix is "a b/", but takes the beginning of a branch name, such as gitlet/; using gitlet/`,
				`gitlet.lease is "0s", but takes a duration such as 45s, 10m or 7d, at least 1s; using 10m`,
				`gitlet.snapshotUntracked is "some", but takes source, all or none; using source`,
				`gitlet.snapshotInclude is "[bad", but takes globs such as docs/*.md; using nothing`,
				`gitlet.publishSnapshots is "maybe", but takes true or false; using true`,
				`gitlet.maxSnapshotFile is "5 parsecs", but takes a size such as 5MiB, 5m or 5242880, at least 1; using 5MiB`,
				`gitlet.threadMessages is "0", but takes a whole number of at least 1; using 3`,
				`gitlet.staleItem is "-1h", but takes a duration such as 45s, 10m, 7d or 0s; using 24h`,
			},
		},
		{
			name: "lists, with an empty value that starts over",
			values: values{
				"gitlet.snapshotinclude": {"a/*.sql", "", "b/*.sql", "c.tmpl"},
				"gitlet.migrations":      {"db/steps"},
			},
			change: func(s *Settings) {
				s.SnapshotInclude = []string{"b/*.sql", "c.tmpl"}
				s.Migrations = []string{"db/steps"}
			},
		},
		{
			name:   "an empty prefix is a prefix",
			values: values{"gitlet.branchprefix": {""}},
			change: func(s *Settings) { s.BranchPrefix = "" },
		},
		{
			name:   "unknown keys, near and far; other sections and subsections are not ours",
			values: values{"gitlet.leese": {"5m"}, "gitlet.colour": {"red"}, "user.name": {"x"}, "gitlet.sub.lease": {"1m"}, "gitletlease": {"1m"}},
			want: []string{
				"gitlet.colour is no setting of this gitlet",
				"gitlet.leese is no setting of this gitlet; the nearest is gitlet.lease",
			},
		},
		{
			name:   "a key without values is not set",
			values: values{"gitlet.lease": {}},
		},
		{
			name:   "space around a value",
			values: values{"gitlet.maxsnapshotfile": {" 2 MiB "}, "gitlet.snapshotuntracked": {"ALL"}, "gitlet.refs": {"Heads"}},
			change: func(s *Settings) {
				s.MaxSnapshotFile, s.SnapshotUntracked, s.Refs = 2<<20, UntrackedAll, RefsHeads
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := Defaults()
			if tt.change != nil {
				tt.change(&want)
			}
			got, problems := Parse(tt.values)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("settings are\n%+v\nwant\n%+v", got, want)
			}
			var said []string
			for _, p := range problems {
				said = append(said, p.String())
			}
			if !reflect.DeepEqual(said, tt.want) {
				t.Errorf("problems are\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	durations := map[string]time.Duration{
		"0s": 0, "0": 0, "45s": 45 * time.Second, "1h30m": 90 * time.Minute, "1.5h": 90 * time.Minute,
		"7d": 168 * time.Hour, "0d": 0, "1d12h": 36 * time.Hour, "1d0s": 24 * time.Hour,
	}
	for in, want := range durations {
		if got, ok := ParseDuration(in); !ok || got != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "45", "-5s", "+5s", "d", "1.5d", "-1d", "1d-1h", "1dd", "1 d", "soon", "200000d", "106751d24h", "99999999999h"} {
		if got, ok := ParseDuration(in); ok {
			t.Errorf("ParseDuration(%q) = %v, want it refused", in, got)
		}
	}
	sizes := map[string]int64{
		"0": 0, "5242880": 5 << 20, "5m": 5 << 20, "5M": 5 << 20, "5MiB": 5 << 20, "5mib": 5 << 20,
		"5 MiB": 5 << 20, "1g": 1 << 30, "2k": 2048, "7b": 7, "5MB": 5_000_000, "1GB": 1e9,
	}
	for in, want := range sizes {
		if got, ok := parseSize(in); !ok || got != want {
			t.Errorf("parseSize(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "m", "-1", "+1", "1.5m", "5x", "0x10", "99999999999999999999", "9999999999g", "٣"} {
		if got, ok := parseSize(in); ok {
			t.Errorf("parseSize(%q) = %v, want it refused", in, got)
		}
	}
	bools := map[string]bool{
		"true": true, "Yes": true, "ON": true, "1": true, "2": true, "-1": true, "1k": true,
		"false": false, "No": false, "off": false, "0": false, "": false,
	}
	for in, want := range bools {
		if got, ok := ParseBool(in); !ok || got != want {
			t.Errorf("ParseBool(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"maybe", "t", "y", "truee", "1.0"} {
		if _, ok := ParseBool(in); ok {
			t.Errorf("ParseBool(%q) is taken, want it refused", in)
		}
	}
}

func TestBranchName(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"main", "feature/x", "gitlet/a-1", "naïve", "a.b", "x@y"} {
		if !branchName(good) {
			t.Errorf("branchName(%q) is false", good)
		}
	}
	for _, bad := range []string{"", "HEAD", "@", "-x", "a b", "a..b", "a~1", "a^", "a:b", "a?", "a*", "a[", `a\b`, "a//b", "/a", "a/", ".a", "a/.b", "a.lock", "a.lock/b", "a.", "a@{1}", "a\x7fb", "a\nb"} {
		if branchName(bad) {
			t.Errorf("branchName(%q) is true", bad)
		}
	}
}

func TestSettingsPageIsCurrent(t *testing.T) {
	t.Parallel()
	got, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != Markdown() {
		t.Error("docs/settings.md is not what internal/config/keys.go says; run: go run ./tools/gensettings")
	}
}

// Whatever git hands over, the settings can be used and each problem can be read.
func FuzzParse(f *testing.F) {
	for _, k := range Keys() {
		f.Add("gitlet."+strings.ToLower(k.Name), k.Default)
	}
	f.Add("gitlet.lease", "9223372036854775807ns")
	f.Add("gitlet.branchprefix", "-x")
	f.Fuzz(func(t *testing.T, key, value string) {
		s, problems := Parse(map[string][]string{key: {value}})
		if len(problems) > 1 {
			t.Fatalf("one value gave %d problems", len(problems))
		}
		if len(problems) == 1 && !reflect.DeepEqual(s, Defaults()) {
			t.Fatalf("a refused value changed the settings: %+v", s)
		}
		for _, d := range []time.Duration{s.SnapshotInterval, s.PollInterval, s.ThreadTimeout, s.StaleItem,
			s.PublishTimeout, s.OutsideWindow, s.OutsideInterval, s.ReapAfter} {
			if d < 0 {
				t.Fatalf("negative duration %v", d)
			}
		}
		if s.Lease < time.Second || s.MaxSnapshotFile < 1 || s.ThreadMessages < 1 || s.BroadFiles < 1 || s.BroadSymbols < 1 || s.OutsideMax < 0 {
			t.Fatalf("a number below its least: %+v", s)
		}
		if s.BranchPrefix != "" && !branchName(s.BranchPrefix+"x") {
			t.Fatalf("branch prefix %q cannot begin a branch name", s.BranchPrefix)
		}
	})
}

// A fixed source with one key of another section.
type fixed map[string][]string

func (f fixed) Keys(prefix string) []string {
	var out []string
	for k := range f {
		if strings.HasPrefix(k, prefix) {
			out = append(out, k)
		}
	}
	return out
}

func (f fixed) All(key string) []string { return f[key] }

func (f fixed) Places(key string) (places []string) {
	for i := range f[key] {
		places = append(places, fmt.Sprintf("file %d", i))
	}
	return places
}

// A value that cannot be used is named with its place, and the default holds: for every
// key, alone and after a value that would do.
func TestBadValuesAreNamedWithTheirPlace(t *testing.T) {
	t.Parallel()
	bad := map[string]string{"remote": "-x", "main": "a..b", "branchPrefix": "a b/", "snapshotInclude": "[x", "migrations": "[x", "generated": "[x",
		"stubCheck": "", "gate": ""} // commands are any text
	for _, k := range Keys() {
		value, special := bad[k.Name]
		if !special {
			value = "a nonsense"
		}
		key := "gitlet." + strings.ToLower(k.Name)
		if value == "" {
			if _, problems := From(fixed{key: {"any; text $at all"}}); len(problems) > 0 {
				t.Errorf("%v", problems)
			}
			continue
		}
		good := k.Default
		if good == "" {
			good = "fine"
		}
		for i, values := range [][]string{{value}, {good, value}} {
			got, problems := From(fixed{key: values, "gitlet.lease2": {"x"}})
			if want := Defaults(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v, want the defaults", k.Name, got)
			}
			if len(problems) != 2 || problems[0].Value != value || problems[0].Key != "gitlet."+k.Name || problems[0].Used == "" ||
				problems[0].Place != fmt.Sprint("file ", i) || !strings.HasSuffix(problems[0].String(), fmt.Sprintf(" (it is set in file %d)", i)) {
				t.Errorf("%s: %+v", k.Name, problems)
			}
			if len(problems) == 2 && (!problems[1].Unknown || problems[1].Place != "file 0") {
				t.Errorf("unknown: %+v", problems[1])
			}
		}
	}
	// Of a list it is the value that will not do, also when it is not the last.
	_, problems := From(fixed{"gitlet.migrations": {"a", "[x", "c"}})
	if len(problems) != 1 || problems[0].Value != "[x" || problems[0].Place != "file 1" {
		t.Errorf("%+v", problems)
	}
}

func TestFrom(t *testing.T) {
	t.Parallel()
	s, problems := From(fixed{"gitlet.lease": {"1m", "2m"}, "gitlet.migrations": {"a", "b"}, "core.bare": {"true"}})
	if s.Lease != 2*time.Minute || !reflect.DeepEqual(s.Migrations, []string{"a", "b"}) || len(problems) != 0 {
		t.Errorf("got %+v, problems %v", s, problems)
	}
}
