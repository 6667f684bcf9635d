package lang

import (
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-go/bindings/go"
)

var goLang = &Language{
	Name:       "go",
	Family:     "go",
	Extensions: []string{".go"},
	Pointer:    func() unsafe.Pointer { return grammar.Language() },
	Extract:    func(t *Tree) *Facts { return &Facts{} },
	Modules:    func(path string) []string { return nil },
	Resolve:    func(path string, f *Facts, r RawRef, repo Repo) Target { return Target{} },
}
