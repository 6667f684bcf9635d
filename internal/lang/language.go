package lang

import (
	"unsafe"

	"gitlet/internal/model"
)

// Language is everything gitlet knows about one language. Values are made once,
// at package initialization, and never changed.
type Language struct {
	// Name is the stem used for files, fixtures and documents: "go", "typescript".
	Name string
	// Family groups languages whose names refer to each other; equal to Name
	// except for the ECMAScript ones.
	Family string
	// Extensions with the dot, lower case: ".ts".
	Extensions []string
	// Lexical says how strings and comments are marked.
	Lexical Lexical
	// Pointer returns the tree-sitter grammar.
	Pointer func() unsafe.Pointer
	// Extract reads a tree into facts. It sets every field of a Symbol but Path
	// and Key, and must not fail: what it cannot read it leaves out.
	Extract func(t *Tree) *Facts
	// Modules lists the modules that a file at path stands for, most
	// specific first: "src/fs/index.ts" is "src/fs/index" and "src/fs".
	Modules func(path string) []string
	// Resolve says what a reference made in the file at path points to.
	Resolve func(path string, f *Facts, r RawRef, repo Repo) Target
	// SuffixModules is set where a symbol's module that ends in "/" plus the
	// reference's module matches too.
	SuffixModules bool
	// Compat says how the language's callers see changes.
	Compat Compat
	// Constructor names the method that runs when a class is built, "" for none.
	Constructor string
	// BuiltBy is the kind of reference that builds an instance and so runs
	// Constructor: construct for new X(...), call for X(...).
	BuiltBy model.RefKind
	// ModulePrivate is set where names that are not exported can be used only
	// within their own module, as in a Go package.
	ModulePrivate bool
	// ValuesApart is set where the source tells a value's method call from a path
	// through a module or type, as Rust's "." and "::" do.
	ValuesApart bool
}

// Lexical says how to step over strings and comments without a parser. Quotes with
// backslash escapes are common to all languages.
type Lexical struct {
	Comment     string // starts a comment to the end of the line: "//", where "/*" is one too, or "#"
	Chars       bool   // a single quote holds one character
	Triple      bool   // three quotes hold many lines
	Backticks   bool   // backticks do
	LongStrings bool   // double quotes do, and r#"..."# without escapes
	Regexps     bool   // slashes quote regular expressions
}

// Compat holds the language's part of "compatible or breaking".
type Compat struct {
	// NamedParams: callers can pass parameters by name, so a rename breaks them.
	NamedParams bool
	// AnnotationsOptional: types are annotations; adding one where none was is compatible.
	AnnotationsOptional bool
	// PrivateMembers: what is marked private is out of reach of every other file, so
	// that a change of what its callers see breaks none of them.
	PrivateMembers bool
	// FieldAdd says when a field or member added to a type of this kind keeps old
	// code working: "always", "optional", "after" (optional ones and only after the
	// existing ones), or "" for never.
	FieldAdd map[model.SymbolKind]string
	// Nominal lists the kinds of types whose values come from code that names the type,
	// so that code which only names one in passing does not see what fields it gains.
	Nominal map[model.SymbolKind]bool
	// OrderFree lists the kinds whose members callers do not see in order.
	OrderFree map[model.SymbolKind]bool
}

// Facts is what one version of a file says, without its path: it depends on the
// bytes and the language alone, and is cached by them.
type Facts struct {
	Symbols []model.Symbol // in source order, qualified names unique
	Refs    []RawRef       // all references, in source order
	Imports []Import
	Package string // the package clause, where the language has one
	// HasErrors is the root's has-error flag; Errors are the error regions, in order.
	HasErrors bool
	Errors    []ErrorRegion
	// Loose is the code outside every symbol, Markers is set when unresolved conflict
	// markers stand in the file, and Lines are all lines. Complete fills them.
	Loose   []Loose
	Markers bool
	Lines   Lines
}

// ErrorRegion is text that the parser could not fit into the grammar, or a place
// where it made something up.
type ErrorRegion struct {
	Start, End int // bytes, end exclusive; equal where a token was made up
	// Symbol is the index in Facts.Symbols of the innermost definition around, or -1.
	Symbol int
	// Head is set when the region may touch what callers of that definition see: it
	// does not lie in the body of a function or the value of a variable.
	Head bool
}

// Import is one name a file brings in.
type Import struct {
	// Local is the name the file knows it by; "" for side-effect, dot and glob imports.
	Local string
	// Module is the specifier as written: "./fs", "example.com/m/x", "pkg.mod", "crate::a".
	Module string
	// Name is the imported member; "" when Local is the module itself.
	Name string
	// Kind: "module" (namespace or package), "member", "default", "commonjs"
	// (const X = require(...)), "glob".
	Kind string
	Byte int
	// Scope is the byte range in which it holds; zero means the whole file.
	Scope [2]int
}

// RawRef is a reference as the file spells it.
type RawRef struct {
	Name string
	// Qualifier is the text before the name, joined with ".", or "::" for a Rust path; "" when none.
	Qualifier string
	Kind      model.RefKind
	Line      int // from 1
	Byte      int
	// Value is set when the qualifier is certainly a value (a method call's
	// receiver, self, this, an expression), so it cannot name a module or a type.
	Value bool
	// Args and Named are as in model.Ref.
	Args  string
	Named bool
}

// Target is what a reference points to.
type Target struct {
	// Drop: it leaves the repository (or is a language builtin) and matches nothing here.
	Drop     bool
	Resolved bool
	Module   string
	// Name replaces the reference's name where an import renamed it; "" keeps it.
	Name          string
	Container     string
	DefaultExport bool
}

// Repo is what resolving may ask of the repository at the version being read.
type Repo interface {
	// ReadFile returns a tracked file's content; ok is false when there is none.
	ReadFile(path string) (data []byte, ok bool)
}

// languages is the list, in the order documents name them.
var languages = []*Language{goLang, typescript, tsx, javascript, python, rust}

// All lists the supported languages.
func All() []*Language { return append([]*Language(nil), languages...) }

// ByName returns the language with this name, or nil.
func ByName(name string) *Language {
	for _, l := range languages {
		if l.Name == name {
			return l
		}
	}
	return nil
}

// PathIn is the path in "path:Qualified", "" where it names no file of code. A path may
// hold colons, so it ends at the first one that leaves such a file.
func PathIn(name string) string {
	for i := range len(name) {
		if name[i] == ':' && ForPath(name[:i]) != nil {
			return name[:i]
		}
	}
	return ""
}

// ForPath returns the language of the file at path by its name, or nil.
func ForPath(path string) *Language { return byExtension[extension(path)] }

var byExtension = func() map[string]*Language {
	m := map[string]*Language{}
	for _, l := range languages {
		for _, e := range l.Extensions {
			m[e] = l
		}
	}
	return m
}()

// extension is the lower-case extension with its dot, "" when there is none.
func extension(path string) string {
	for i := len(path) - 1; i >= 0 && path[i] != '/'; i-- {
		if path[i] == '.' {
			b := []byte(path[i:])
			for j, c := range b {
				if c >= 'A' && c <= 'Z' {
					b[j] = c + 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return ""
}
