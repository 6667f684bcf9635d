package lang

import (
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"gitlet/internal/model"
)

var typescript = &Language{
	Name:        "typescript",
	Family:      "ecmascript",
	Extensions:  []string{".ts", ".mts", ".cts"},
	Lexical:     lexicalECMA,
	Pointer:     func() unsafe.Pointer { return grammar.LanguageTypescript() },
	Extract:     func(t *Tree) *Facts { return extractECMA("typescript", t) },
	Modules:     modulesECMA,
	Resolve:     resolveECMA,
	Compat:      compatECMA,
	Constructor: "constructor",
	BuiltBy:     model.RefConstruct,
}
