package lang

import (
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-typescript/bindings/go"
)

var typescript = &Language{
	Name:       "typescript",
	Family:     "ecmascript",
	Extensions: []string{".ts", ".mts", ".cts"},
	Pointer:    func() unsafe.Pointer { return grammar.LanguageTypescript() },
	Extract:    func(t *Tree) *Facts { return &Facts{} },
	Modules:    func(path string) []string { return nil },
	Resolve:    func(path string, f *Facts, r RawRef, repo Repo) Target { return Target{} },
}
