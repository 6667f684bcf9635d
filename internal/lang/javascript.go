package lang

import (
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-javascript/bindings/go"
)

var javascript = &Language{
	Name:       "javascript",
	Family:     "ecmascript",
	Extensions: []string{".js", ".jsx", ".mjs", ".cjs"},
	Pointer:    func() unsafe.Pointer { return grammar.Language() },
	Extract:    func(t *Tree) *Facts { return &Facts{} },
	Modules:    func(path string) []string { return nil },
	Resolve:    func(path string, f *Facts, r RawRef, repo Repo) Target { return Target{} },
}
