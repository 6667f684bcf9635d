package test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	maxFileLines = 600
	maxFuncLines = 80
)

// larger lists what may pass the limits, each with its reason.
var larger = map[string]string{}

// clocks lists the packages that may read the clock or wait, each with its reason.
// Everything else takes time as an argument.
var clocks = map[string]string{
	"engine":     "it is where now comes from",
	"bus/gitbus": "it stamps fetches, through a clock that tests replace",
	"proc":       "it ends children that take too long",
	"flock":      "the system has no wait for a lock that a context can end",
	"git":        "it waits between attempts at a locked index, and bounds reads from a long-lived child",
	"mcpserver":  "it waits for calls in flight when the client is gone, and says that long ones go on",
	"watch":      "it waits between two looks",
}

func goFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, root := range []string{"cmd", "internal", "test", "tools"} {
		err := filepath.WalkDir(filepath.Join("..", root), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if strings.HasSuffix(p, ".go") {
				files = append(files, p)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	for _, f := range goFiles(t) {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(filepath.ToSlash(f), "../")
		if n := bytes.Count(src, []byte("\n")); n > maxFileLines && larger[name] == "" {
			t.Errorf("%s has %d lines; split it, or give a reason in test/size_test.go", name, n)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || strings.HasSuffix(name, "_test.go") {
				continue
			}
			n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line
			if at := name + ":" + fn.Name.Name; n > maxFuncLines && larger[at] == "" {
				t.Errorf("%s is %d lines long; split it, or give a reason in test/size_test.go", at, n)
			}
		}
	}
}

func TestOnlySomePackagesReadTheClock(t *testing.T) {
	for _, f := range goFiles(t) {
		name := strings.TrimPrefix(filepath.ToSlash(f), "../")
		dir, internal := strings.CutPrefix(filepath.ToSlash(filepath.Dir(name)), "internal/")
		if !internal || clocks[dir] != "" || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(dir, "test") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
				switch sel.Sel.Name {
				case "Now", "Since", "After", "NewTimer", "NewTicker", "Tick", "AfterFunc", "Sleep":
					t.Errorf("%s uses time.%s; take the time as an argument", name, sel.Sel.Name)
				}
			}
			return true
		})
	}
}

// TestEveryPackageSaysWhatItIs asks for a doc.go that names what the package owns,
// promises and never does.
func TestEveryPackageSaysWhatItIs(t *testing.T) {
	dirs := map[string]bool{}
	for _, f := range goFiles(t) {
		if strings.Contains(filepath.ToSlash(f), "../internal/") {
			dirs[filepath.Dir(f)] = true
		}
	}
	for d := range dirs {
		doc, err := os.ReadFile(filepath.Join(d, "doc.go"))
		if err != nil {
			t.Errorf("%s has no doc.go", d)
			continue
		}
		for _, word := range []string{"owns", "promises", "never", "Group:"} {
			if !bytes.Contains(bytes.ToLower(doc), []byte(strings.ToLower(word))) {
				t.Errorf("%s/doc.go does not say what it %q", d, word)
			}
		}
	}
}
