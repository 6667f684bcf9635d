package lang

import (
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-javascript/bindings/go"

	"gitlet/internal/model"
)

var javascript = &Language{
	Name:        "javascript",
	Family:      "ecmascript",
	Extensions:  []string{".js", ".jsx", ".mjs", ".cjs"},
	Lexical:     lexicalECMA,
	Pointer:     func() unsafe.Pointer { return grammar.Language() },
	Extract:     func(t *Tree) *Facts { return extractECMA("javascript", t) },
	Modules:     modulesECMA,
	Resolve:     resolveECMA,
	Compat:      compatECMA,
	Constructor: "constructor",
	BuiltBy:     model.RefConstruct,
}
