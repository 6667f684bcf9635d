package test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPatterns compiles every pattern there is, since the program does so only when it
// needs one, and sees to it that none is compiled before main.
func TestPatterns(t *testing.T) {
	found := 0
	for _, f := range goFiles(t) {
		if strings.HasSuffix(f, "_test.go") || strings.Contains(f, "/pattern/") || strings.Contains(f, "/wiretest/") || !strings.Contains(f, "../internal/") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch x, _ := sel.X.(*ast.Ident); {
			case x != nil && x.Name == "regexp" && strings.HasPrefix(sel.Sel.Name, "MustCompile"):
				t.Errorf("%s compiles a pattern before main: use pattern.New", f)
			case x != nil && x.Name == "pattern" && sel.Sel.Name == "New":
				found++
				text, err := literal(call.Args[0])
				if err != nil {
					t.Errorf("%s: a pattern is no plain text: %v", f, err)
				} else if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s: %v", f, err)
				}
			}
			return true
		})
	}
	if found == 0 {
		t.Error("no pattern was found")
	}
}

// literal is the text of a constant expression of literals.
func literal(e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		return strconv.Unquote(e.Value)
	case *ast.BinaryExpr:
		a, errA := literal(e.X)
		b, errB := literal(e.Y)
		return a + b, errors.Join(errA, errB)
	}
	return "", errors.New("it is made of other things")
}
