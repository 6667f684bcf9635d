package similar

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"gitlet/internal/model"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"Add strict mode to config loading", "strict config load"},
		{"Make config parsing strict", "config pars strict"},
		{"Fixes, fixing, fixed: the adding of supported changes", ""},
		{"cache caches cached caching", "cach cach cach cach"},
		{"log logs logged logging", "log log log log"},
		{"retry retries retried retrying", "retry retry retry retry"},
		{"class classes, box boxes, match matches", "class class box box match match"},
		{"status statuses analysis address", "status status analysis address"},
		{"string strings", "string string"},
		{"embed embedding embedded", "emb emb emb"},
		{"seed seeding", "seed seed"},
		{"parseConfig parse_config src/parse-config.ts", "pars config pars config src pars config ts"},
		{"chore(deps-dev): bump husky from 4.2.4 to 4.2.5", "husky"},
		{"HTTPServer utf8Decode", "http server utf8 decod"},
		{"a b c", ""},
		{"", ""},
		{"!!! ---", ""},
		{"日本語", "日本 本語"},
		{"バグ修正 for login", "バグ グ修 修正 login"},
		{"Größe der Prüfung", "größ der prüfung"},
		{"bad \xff bytes", "bad byt"},
		{"aa\u1000ed", "aa\u1000"},
	} {
		if got := strings.Join(Terms(c.text), " "); got != c.want {
			t.Errorf("Terms(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestIntents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		mine   string
		others []string
		want   []int // indexes that signal, best first
	}{
		{"two alone", "Add strict mode to config loading", []string{"Make config parsing strict"}, []int{0}},
		{"among strangers", "Add strict mode to config loading",
			[]string{"Dark theme for the settings page", "Make config parsing strict", "Retry failed uploads"}, []int{1}},
		{"the same words", "Cache tokens in the session store", []string{"caching session tokens, store"}, []int{0}},
		{"best first", "retry failed uploads with backoff",
			[]string{"retry uploads", "Retry failed uploads with backoff", "rename the project"}, []int{1, 0}},
		{"one shared term is not enough", "config", []string{"config"}, nil},
		{"generic verbs do not count", "Add support and fix, update", []string{"Add support and fix, update"}, nil},
		{"nothing in common", "Dark theme", []string{"Retry failed uploads"}, nil},
		{"no words", "", []string{"", "anything goes"}, nil},
		{"nobody else", "Dark theme", nil, nil},
		{"generic words alone", "Fix the web UI tests", []string{"Add tests to the web UI"}, nil},
		{"one telling word among generic ones", "Login page of the React app", []string{"Settings page of the React app", "Login form for the React app"}, nil},
		{"telling words beside generic ones", "Session expiry on the React login page", []string{"login page: expire the session"}, []int{0}},
		{"one thing, two tasks", "Add strict mode to config loading", []string{"Load plugins from the config file"}, nil},
		{"one thing, one task", "Load plugins from the config file", []string{"Plugins listed in the config are loaded"}, []int{0}},
		{"two migrations", "Add a migration for the users table", []string{"Migration: new orders table"}, nil},
		{"two new columns", "Add email column to users table", []string{"Add status column to orders table"}, nil},
		{"one migration twice", "Migration: archive flag for customer orders", []string{"Add archive flag column to customer orders"}, []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []int
			for _, s := range Intents(c.mine, c.others) {
				if s.Score < 0 || s.Score > 1 || math.IsNaN(s.Score) {
					t.Errorf("score out of range: %+v", s)
				}
				if s.Signal() {
					got = append(got, s.Index)
				}
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("signals %v, want %v; scores %+v", got, c.want, Intents(c.mine, c.others))
			}
		})
	}
}

// Two intents alone: shared terms weigh ln(3/3)+1 = 1, the others ln(3/2)+1.
func TestIntentsFormula(t *testing.T) {
	t.Parallel()
	got := Intents("alpha beta gamma", []string{"alpha beta delta"})
	rare := math.Log(1.5) + 1
	want := 2 / (2 + rare*rare)
	if len(got) != 1 || math.Abs(got[0].Score-want) > 1e-12 {
		t.Fatalf("got %+v, want score %v", got, want)
	}
	if !reflect.DeepEqual(got[0].Shared, []string{"alpha", "beta"}) {
		t.Errorf("shared %v", got[0].Shared)
	}
	said := Intents("Strict parsing of configs: config parsers", []string{"make the config parsing strict"})
	if len(said) != 1 || !reflect.DeepEqual(said[0].Words, []string{"strict", "parsing", "configs"}) {
		t.Errorf("words %+v", said)
	}
}

func TestIntentsSymmetricAndStable(t *testing.T) {
	t.Parallel()
	a, b, c := "strict config loading", "config parsing must be strict", "theme of the config page"
	ab := Intents(a, []string{b, c})
	ba := Intents(b, []string{c, a})
	if math.Abs(ab[0].Score-ba[0].Score) > 1e-12 || ab[0].Index != 0 || ba[0].Index != 1 {
		t.Errorf("not symmetric: %+v and %+v", ab, ba)
	}
	for range 20 {
		if again := Intents(a, []string{b, c}); !reflect.DeepEqual(again, ab) {
			t.Fatalf("not deterministic: %+v and %+v", again, ab)
		}
	}
}

func FuzzIntents(f *testing.F) {
	f.Add("Add strict mode", "strict")
	f.Add("日本語 \xff", "HTTPServer")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, w := range Terms(a) {
			if w == "" || !utf8.ValidString(w) {
				t.Errorf("term %q of %q", w, a)
			}
		}
		for _, s := range Intents(a, []string{b, a}) {
			if math.IsNaN(s.Score) || s.Score < 0 || s.Score > 1 {
				t.Errorf("score %v of %q and %q", s.Score, a, b)
			}
			if s.Index == 1 && s.Score < 1-1e-9 {
				t.Errorf("%q is not like itself: %v", a, s.Score)
			}
		}
	})
}

func TestFootprints(t *testing.T) {
	t.Parallel()
	family := func(l string) string {
		if l == "tsx" || l == "javascript" {
			return "typescript"
		}
		return l
	}
	common := func(p string) bool { return p == "go.sum" || p == "CHANGELOG.md" }
	read := Reading{Family: family, Common: common, Boilerplate: func(s model.Symbol) bool { return strings.HasPrefix(s.Path, "migrations/") }}
	files := func(specs ...string) *model.Footprint {
		fp := &model.Footprint{}
		for _, s := range specs {
			switch status, rest, _ := strings.Cut(s, " "); status {
			case "A", "M":
				fp.Files = append(fp.Files, model.FileChange{Status: status, Path: rest})
			default:
				name, in, _ := strings.Cut(rest, " in ")
				fp.Symbols = append(fp.Symbols, model.SymbolChange{Change: model.ChangeAdded,
					Symbol: model.Symbol{Lang: status, Qualified: name, Path: in}})
			}
		}
		return fp
	}
	for _, c := range []struct {
		name string
		a, b *model.Footprint
		want bool
	}{
		{"two of four files", files("M a.go", "M b.go", "M c.go"), files("M a.go", "M b.go", "M d.go"), true},
		{"one of two files", files("M a.go", "M b.go"), files("M a.go"), false},
		{"one file only", files("M a.go"), files("M a.go"), false},
		{"a third", files("M a.go", "M b.go"), files("M a.go", "M c.go"), false},
		{"same new file", files("A x.go", "M b.go"), files("A x.go", "M c.go", "M d.go"), true},
		{"added here, changed there", files("A x.go"), files("M x.go"), false},
		{"same new name, other file", files("A a.ts", "typescript Retry.run"), files("A b.tsx", "tsx Retry.run"), true},
		{"same new name, other family", files("go Retry"), files("python Retry"), false},
		{"what a framework asks for", files("python Migration in migrations/1.py"), files("python Migration in migrations/2.py"), false},
		{"the same name in and outside such a file", files("python Retry in migrations/1.py"), files("python Retry in a.py"), false},
		{"entry points", files("go main", "typescript Props", "python upgrade"), files("go main", "typescript Props", "python upgrade"), false},
		{"a method named like one", files("go Server.run"), files("go Server.run"), true},
		{"what every change touches does not count", files("M go.sum", "M CHANGELOG.md"), files("M go.sum", "M CHANGELOG.md"), false},
		{"nor does it water down the rest", files("M go.sum", "M a.go", "M b.go"), files("M CHANGELOG.md", "M a.go", "M c.go", "M b.go"), true},
		{"nothing", files(), files(), false},
		{"no footprint yet", nil, files("M a.go"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ab, ba := Footprints(c.a, c.b, read), Footprints(c.b, c.a, read)
			if ab.Signal() != c.want || !reflect.DeepEqual(ab, ba) {
				t.Errorf("got %+v and %+v, want signal %v", ab, ba, c.want)
			}
		})
	}
}

func TestBumped(t *testing.T) {
	t.Parallel()
	for intent, want := range map[string]string{
		"build(deps): bump tempfile from 3.12.0 to 3.13.0":       "tempfile",
		"Bump @types/node from 18.1 to 18.2 in /web":             "@types/node",
		"chore(deps-dev): bump eslint and @types/eslint in /web": "eslint @types/eslint",
		"Bump eslint": "eslint",
		"Bump a from 1.0 to 1.1, and other things":                      "",
		"fix(deps): update rust crate clap to v4.5 [security]":          "clap",
		"Update dependency harfbuzz to v14":                             "harfbuzz",
		"Updated FreeType to 2.14.1 on Windows":                         "freetype",
		"Update actions/checkout action to v4":                          "actions/checkout",
		"Update postgres Docker tag to v16.1 (main)":                    "postgres",
		"Update ruff requirement from <0.5,>=0.4 to >=0.5,<0.6":         "",
		"Update ruff requirement from ~=0.4 to ~=0.5":                   "ruff",
		"Bump the npm_and_yarn group across 1 directory with 5 updates": "group npm_and_yarn",
		"upgrade `react` to 19.0.0-rc.1":                                "react",
		"Upgrade react and react-dom to 19":                             "react react-dom",
		"Update config parsing and docs to v2":                          "",
		"Update the number of retries to 5":                             "",
		"Bump the version of everything we have":                        "",
		"Add strict mode":                                               "",
		"":                                                              "",
		"Update the columns to 2 columns":                               "",
	} {
		if got := strings.Join(Bumped(intent), " "); got != want {
			t.Errorf("Bumped(%q) = %q, want %q", intent, got, want)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Bump regex from 1.5.6 to 1.6.0", "Bump nix from 0.24.1 to 0.24.2", true},
		{"Bump regex from 1.5.6 to 1.6.0", "Update dependency regex to v2", false},
		{"Upgrade react and react-dom to 19", "bump react-dom to 18.3", false},
		{"Bump regex from 1.5.6 to 1.6.0", "Use regex in search", false},
		{"Use regex in search", "Use regex for search", false},
	} {
		if OtherBumps(c.a, c.b) != c.want || OtherBumps(c.b, c.a) != c.want {
			t.Errorf("OtherBumps(%q, %q) is not %v both ways", c.a, c.b, c.want)
		}
	}
}
