package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
)

// readGo reads Go files with the standard library's parser.
func readGo(ctx context.Context, files []string) (map[string]Reading, error) {
	out := make(map[string]Reading, len(files))
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", path, err)
		}
		out[path] = parseGo(path, src)
	}
	return out, nil
}

func parseGo(path string, src []byte) Reading {
	r := Reading{Path: path}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
	if err != nil {
		r.Error = err.Error()
	}
	if f == nil {
		return r
	}
	add := func(name *ast.Ident, container, kind string, params int) {
		if name.Name == "_" {
			return
		}
		full := name.Name
		if container != "" {
			full = container + "." + full
		}
		// The place in the file itself, whatever //line says.
		r.Defs = append(r.Defs, Definition{Name: full, Kind: kind, Line: fset.PositionFor(name.Pos(), false).Line, Params: params})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			container, kind := "", "function"
			if d.Recv != nil {
				if len(d.Recv.List) == 0 {
					continue
				}
				container, kind = receiver(d.Recv.List[0].Type), "method"
			}
			add(d.Name, container, kind, fieldCount(d.Type.Params))
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name, "", typeKind(s), -1)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						add(n, "", d.Tok.String(), -1)
					}
				}
			}
		}
	}
	return r
}

func typeKind(s *ast.TypeSpec) string {
	if !s.Assign.IsValid() {
		switch s.Type.(type) {
		case *ast.StructType:
			return "struct"
		case *ast.InterfaceType:
			return "interface"
		}
	}
	return "type"
}

// receiver is the base type of a method's receiver.
func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// fieldCount counts parameters: names, or types where they have none.
func fieldCount(list *ast.FieldList) int {
	n := 0
	for _, f := range list.List {
		n += max(len(f.Names), 1)
	}
	return n
}
