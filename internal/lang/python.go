package lang

import (
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-python/bindings/go"
)

var python = &Language{
	Name:       "python",
	Family:     "python",
	Extensions: []string{".py", ".pyi"},
	Pointer:    func() unsafe.Pointer { return grammar.Language() },
	Extract:    func(t *Tree) *Facts { return &Facts{} },
	Modules:    func(path string) []string { return nil },
	Resolve:    func(path string, f *Facts, r RawRef, repo Repo) Target { return Target{} },
}
