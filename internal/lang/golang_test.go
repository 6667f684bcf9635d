package lang_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"

	"sort"
	"strings"
	"testing"

	"gitlet/internal/lang"
	"gitlet/internal/lang/langtest"
	"gitlet/internal/symbols"
)

// tree is a repository that holds the given files.
type tree map[string]string

func (r tree) ReadFile(path string) ([]byte, bool) {
	s, ok := r[path]
	return []byte(s), ok
}

// resolved lists where the references of a source point, one a line.
func resolved(t *testing.T, l *lang.Language, path, src string, repo lang.Repo) string {
	t.Helper()
	f := langtest.Read(t, l, []byte(src))
	var b strings.Builder
	for _, r := range f.Refs {
		name := r.Name
		if r.Qualifier != "" {
			name = r.Qualifier + "." + name
		}
		to := l.Resolve(path, f, r, repo)
		switch {
		case to.Drop:
			fmt.Fprintf(&b, "%s: outside\n", name)
		case !to.Resolved:
			fmt.Fprintf(&b, "%s: unresolved\n", name)
		default:
			fmt.Fprintf(&b, "%s: %s", name, to.Module)
			if to.Container != "" {
				fmt.Fprintf(&b, " in %s", to.Container)
			}
			if to.Name != "" {
				fmt.Fprintf(&b, " as %s", to.Name)
			}
			if to.DefaultExport {
				b.WriteString(" (default)")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

const goSource = `package p
import (
	"fmt"
	"example.com/m/store"
	sub "example.com/m/sub/deep"
	"example.com/old/thing"
	"example.com/area/api/v2"
	"github.com/x/go-isatty"
	"C"
)
type Own struct{}
var box Own
func f(local Own) {
	fmt.Println(1)
	store.New()
	sub.Run()
	thing.Do()
	api.Call()
	isatty.Is()
	here()
	box.Get()
	local.Get()
	Own.Get(box)
	(*Own).Get(nil)
	(*store.Store).Get(nil)
	Other.Get()
	client.Get()
	store.Default.Get()
	C.free()
}
`

func TestResolveGo(t *testing.T) {
	t.Parallel()
	l := lang.ByName("go")
	common := `here: %[1]s
box.Get: unresolved
local.Get: unresolved
Own.Get: %[1]s in Own
Own.Get: %[1]s in Own
`
	for name, c := range map[string]struct {
		path string
		repo tree
		want string
	}{
		"module, replace and workspace": {
			path: "cmd/tool/main.go",
			repo: tree{
				"go.mod":          "module example.com/m\n\ngo 1.24\n\nreplace example.com/old => ./old // kept\nreplace example.com/far => example.com/near v1.0.0\n",
				"sub/go.mod":      "module example.com/m/sub\n",
				"go.work":         "go 1.24\n\nuse (\n\t.\n\t./sub\n\t./area/api\n\t../outside\n)\n",
				"area/api/go.mod": "module example.com/area/api/v2\n",
			},
			want: "Own: cmd/tool\nOwn: cmd/tool\nfmt.Println: outside\nstore.New: store\nsub.Run: sub/deep\nthing.Do: old/thing\napi.Call: area/api\nisatty.Is: outside\n" +
				fmt.Sprintf(common, "cmd/tool") + "store.Store.Get: store in Store\nOther.Get: cmd/tool in Other\nclient.Get: unresolved\nstore.Default.Get: unresolved\nC.free: outside\n",
		},
		"module below the root": {
			path: "back/p/x.go",
			repo: tree{"back/go.mod": "module example.com/m\n"},
			want: "Own: back/p\nOwn: back/p\nfmt.Println: outside\nstore.New: back/store\nsub.Run: back/sub/deep\nthing.Do: outside\napi.Call: outside\nisatty.Is: outside\n" +
				fmt.Sprintf(common, "back/p") + "store.Store.Get: back/store in Store\nOther.Get: back/p in Other\nclient.Get: unresolved\nstore.Default.Get: unresolved\nC.free: outside\n",
		},
		"no module": {
			path: "x.go",
			repo: tree{},
			want: "Own: .\nOwn: .\nfmt.Println: outside\nstore.New: example.com/m/store\nsub.Run: example.com/m/sub/deep\nthing.Do: example.com/old/thing\napi.Call: example.com/area/api/v2\nisatty.Is: github.com/x/go-isatty\n" +
				fmt.Sprintf(common, ".") + "store.Store.Get: example.com/m/store in Store\nOther.Get: . in Other\nclient.Get: unresolved\nstore.Default.Get: unresolved\nC.free: outside\n",
		},
		"broken go.mod": {
			path: "x.go",
			repo: tree{"go.mod": "module example.com/m\n\nnonsense (\n"},
			want: "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := resolved(t, l, c.path, goSource, c.repo)
			if c.want != "" && got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

// TestGoAgainstParser reads parts of the standard library and compares the
// definitions with those Go's own parser finds.
func TestGoAgainstParser(t *testing.T) {
	t.Parallel()
	files := 0
	for _, dir := range []string{"sort", "go/types", "net/http", "reflect", "slices", "text/template", "sync/atomic"} {
		paths, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			src, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			f, err := symbols.Extract(lang.ByName("go"), src, symbols.Limits{MaxBytes: 8 << 20, MaxDepth: 1000, Deadline: 60e9})
			if err != nil {
				t.Errorf("%s: %v", p, err)
				continue
			}
			if f.HasErrors {
				continue // syntax newer than the grammar
			}
			files++
			var got []string
			for _, s := range f.Symbols {
				name, _, _ := strings.Cut(s.Qualified, "#")
				got = append(got, name)
			}
			sort.Strings(got)
			if want := goNames(t, p, src); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s:\ngot  %v\nwant %v", p, got, want)
			}
		}
	}
	if files < 100 {
		t.Errorf("compared only %d files; the standard library should give over 100", files)
	}
}

func goNames(t *testing.T, path string, src []byte) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	add := func(container string, id *ast.Ident) {
		if id.Name != "_" {
			out = append(out, strings.TrimPrefix(container+"."+id.Name, "."))
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			container := ""
			if d.Recv != nil {
				container = receiver(d.Recv.List[0].Type)
			}
			add(container, d.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add("", s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add("", id)
					}
				}
			}
		}
	}
	sort.Strings(out)
	return out
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
