package git

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gitlet/internal/proc"
)

// door is the package whose errors nobody may drop.
const door = "gitlet/internal/git"

// TestNoErrorOfTheDoorIsIgnored type-checks the whole module and finds every call of
// this package whose error goes nowhere: not used at all, deferred, started as a
// goroutine, or assigned to the blank identifier. Tests are held to it too.
func TestNoErrorOfTheDoorIsIgnored(t *testing.T) {
	t.Parallel()
	pkgs := listPackages(t)
	users := 0
	for _, p := range pkgs {
		if !p.own() {
			continue
		}
		for _, files := range p.variants() {
			found, uses := ignoredErrors(t, p, files, pkgs)
			for _, f := range found {
				t.Error(f)
			}
			users += uses
		}
	}
	if users < 50 {
		t.Errorf("only %d calls of the git door were seen in the module: the check looks in the wrong place", users)
	}
}

type goPackage struct {
	ImportPath, Dir, Export   string
	Module                    *struct{ Main bool }
	GoFiles, CgoFiles         []string
	TestGoFiles, XTestGoFiles []string
	TestImports, XTestImports []string
}

// variants are the sets of files that are type-checked together.
func (p *goPackage) variants() [][]string {
	out := [][]string{slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles)}
	if len(p.XTestGoFiles) > 0 {
		out = append(out, p.XTestGoFiles)
	}
	return out
}

// modulePackages are the packages of the module and what they and their tests need,
// with compiled export data, listed once.
var modulePackages = sync.OnceValues(func() (map[string]*goPackage, error) {
	pkgs, err := goList("./...")
	if err != nil {
		return nil, err
	}
	var more []string
	for _, p := range pkgs {
		if !p.own() {
			continue
		}
		for _, need := range slices.Concat(p.TestImports, p.XTestImports) {
			if pkgs[need] == nil && !slices.Contains(more, need) {
				more = append(more, need)
			}
		}
	}
	if len(more) > 0 {
		extra, err := goList(more...)
		if err != nil {
			return nil, err
		}
		maps.Copy(pkgs, extra)
	}
	return pkgs, nil
})

func (p *goPackage) own() bool { return p.Module != nil && p.Module.Main }

func goList(patterns ...string) (map[string]*goPackage, error) {
	res, err := proc.Run(context.Background(), proc.Cmd{Path: "go", Dir: "../..", Env: os.Environ(),
		Args: append([]string{"list", "-e", "-export", "-deps",
			"-json=ImportPath,Dir,Export,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,TestImports,XTestImports"}, patterns...)})
	if err != nil {
		return nil, fmt.Errorf("list packages: %w: %s", err, res.Stderr)
	}
	pkgs := map[string]*goPackage{}
	for dec := json.NewDecoder(bytes.NewReader(res.Stdout)); ; {
		p := &goPackage{}
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		pkgs[p.ImportPath] = p
	}
}

func listPackages(t *testing.T) map[string]*goPackage {
	t.Helper()
	pkgs, err := modulePackages()
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// ignoredErrors type-checks one package and returns its bad places, and how many
// calls of the door it makes.
func ignoredErrors(t *testing.T, p *goPackage, names []string, pkgs map[string]*goPackage) ([]string, int) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%v", err)
			return nil, 0
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{FakeImportC: true, Error: func(error) {}, // what does not compile fails elsewhere, with a better message
		Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
			dep := pkgs[path]
			if dep == nil || dep.Export == "" {
				return nil, fmt.Errorf("no export data for %q", path)
			}
			return os.Open(dep.Export)
		})}
	if _, err := conf.Check(p.ImportPath, fset, files, info); err != nil {
		t.Logf("%s: %v", p.ImportPath, err)
	}
	c := &errorChecker{fset: fset, info: info}
	for _, f := range files {
		ast.Inspect(f, c.visit)
	}
	return c.found, c.calls
}

type errorChecker struct {
	fset  *token.FileSet
	info  *types.Info
	found []string
	calls int
}

func (c *errorChecker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		if c.errorAt(n) >= 0 {
			c.calls++
		}
	case *ast.ExprStmt:
		c.dropped(n.X, "dropped")
	case *ast.DeferStmt:
		c.dropped(n.Call, "deferred")
	case *ast.GoStmt:
		c.dropped(n.Call, "started and forgotten")
	case *ast.AssignStmt:
		if len(n.Rhs) == 1 {
			c.assigned(n.Rhs[0], n.Lhs)
			break
		}
		for i, r := range n.Rhs {
			c.assigned(r, n.Lhs[i:i+1])
		}
	case *ast.ValueSpec:
		lhs := make([]ast.Expr, len(n.Names))
		for i, name := range n.Names {
			lhs[i] = name
		}
		if len(n.Values) == 1 {
			c.assigned(n.Values[0], lhs)
		}
	}
	return true
}

func (c *errorChecker) dropped(e ast.Expr, how string) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && c.errorAt(call) >= 0 {
		c.found = append(c.found, fmt.Sprintf("%s: the error of a git call is %s", c.fset.Position(call.Pos()), how))
	}
}

func (c *errorChecker) assigned(e ast.Expr, lhs []ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	i := c.errorAt(call)
	if i < 0 || i >= len(lhs) {
		return
	}
	if id, ok := lhs[i].(*ast.Ident); ok && id.Name == "_" {
		c.found = append(c.found, fmt.Sprintf("%s: the error of a git call is assigned to _", c.fset.Position(call.Pos())))
	}
}

// errorAt returns which result of a call is the error, -1 when the call is none of
// the door's or has no error.
func (c *errorChecker) errorAt(call *ast.CallExpr) int {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return -1
	}
	fn, ok := c.info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != door {
		return -1
	}
	results := fn.Type().(*types.Signature).Results()
	for i := range results.Len() {
		if types.Identical(results.At(i).Type(), types.Universe.Lookup("error").Type()) {
			return i
		}
	}
	return -1
}

// TestIgnoredErrorsAreFound shows that the check above can fail.
func TestIgnoredErrorsAreFound(t *testing.T) {
	t.Parallel()
	pkgs := listPackages(t)
	dir := t.TempDir()
	src := `package bad

import (
	"context"

	"gitlet/internal/git"
)

func bad(ctx context.Context, w *git.Worktree, m git.Remote) string {
	w.Apply(ctx)
	defer w.SetConfig(ctx, "a.b", "c")
	go m.Fetch(ctx, git.FetchOptions{})
	oid, _ := w.ResolveOne(ctx, "HEAD")
	_ = w.UnsetConfig(ctx, "a.b")
	var st, _ = w.Status(ctx, git.UntrackedAll)
	a, b := 1, w.Apply(ctx)
	_, _ = a, b
	cat := w.NewCatFile(ctx)
	defer cat.Close()
	if err := w.Apply(ctx); err != nil {
		return err.Error()
	}
	(w.Apply)(ctx)
	return oid + st.Head.OID
}
`
	if err := os.WriteFile(filepath.Join(dir, "bad.go"), []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	found, calls := ignoredErrors(t, &goPackage{ImportPath: "bad", Dir: dir}, []string{"bad.go"}, pkgs)
	if len(found) != 7 || calls != 9 {
		t.Errorf("%d of 7 bad places in %d of 9 calls:\n%s", len(found), calls, strings.Join(found, "\n"))
	}
}
