package lang

import (
	"unsafe"

	grammar "github.com/tree-sitter/tree-sitter-typescript/bindings/go"

	"gitlet/internal/model"
)

var tsx = &Language{
	Name:        "tsx",
	Family:      "ecmascript",
	Extensions:  []string{".tsx"},
	Lexical:     lexicalECMA,
	Pointer:     func() unsafe.Pointer { return grammar.LanguageTSX() },
	Extract:     func(t *Tree) *Facts { return extractECMA("tsx", t) },
	Modules:     modulesECMA,
	Resolve:     resolveECMA,
	Compat:      compatECMA,
	Constructor: "constructor",
	BuiltBy:     model.RefConstruct,
}
