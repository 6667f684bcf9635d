package lang

import (
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

var tsx = &Language{
	Name:       "tsx",
	Family:     "ecmascript",
	Extensions: []string{".tsx"},
	Pointer:    func() unsafe.Pointer { return grammar.LanguageTSX() },
	Extract:    func(t *Tree) *Facts { return &Facts{} },
	Modules:    func(path string) []string { return nil },
	Resolve:    func(path string, f *Facts, r RawRef, repo Repo) Target { return Target{} },
}
