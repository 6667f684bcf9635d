package model

import "gitlet/internal/id"

// SymbolKind says what a definition is. The values are the same in every language.
type SymbolKind string

// The kinds of definitions gitlet reads.
const (
	KindFunction  SymbolKind = "function"
	KindMethod    SymbolKind = "method"
	KindClass     SymbolKind = "class"
	KindStruct    SymbolKind = "struct"
	KindInterface SymbolKind = "interface"
	KindTrait     SymbolKind = "trait"
	KindEnum      SymbolKind = "enum"
	KindType      SymbolKind = "type" // alias or defined type without a shape of its own
	KindConst     SymbolKind = "const"
	KindVar       SymbolKind = "var" // package variables, statics
	KindModule    SymbolKind = "module"
)

// TypeLike reports whether a symbol of kind k can hold members.
func (k SymbolKind) TypeLike() bool {
	switch k {
	case KindClass, KindStruct, KindInterface, KindTrait, KindEnum, KindType, KindModule:
		return true
	}
	return false
}

// Param is one parameter of a function or method.
type Param struct {
	Name     string `json:"name,omitempty"` // only where callers can name it (Python)
	Type     string `json:"type,omitempty"` // normalized; "" when not written
	Optional bool   `json:"optional,omitempty"`
	Default  bool   `json:"default,omitempty"`
	Variadic bool   `json:"variadic,omitempty"`
	// Mode tells how callers may pass it: "" either way, "pos" by position only,
	// "key" by keyword only, "kw" collects keywords (Python's **kwargs).
	Mode string `json:"mode,omitempty"`
}

// Member is one part of a type's shape that callers can see: a field, an enum
// variant, an interface or trait method, a base class, an embedded type.
type Member struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"` // field, attr (of the class, without place), method, variant, base, embed, index, call, union
	Type     string `json:"type,omitempty"`
	Optional bool   `json:"optional,omitempty"`
}

// Symbol is one definition in one version of a file. Lines start at 1 and are
// inclusive; bytes are offsets, end exclusive.
type Symbol struct {
	Key        string     `json:"key"`
	Lang       string     `json:"lang"`
	Path       string     `json:"path"`
	Name       string     `json:"name"`
	Qualified  string     `json:"qualified"`
	Kind       SymbolKind `json:"kind"`
	Signature  string     `json:"signature"`
	SigHash    string     `json:"sigHash"`
	BodyHash   string     `json:"bodyHash"`
	TypeParams []string   `json:"typeParams,omitempty"`
	Params     []Param    `json:"params,omitempty"`
	Results    string     `json:"results,omitempty"`
	Members    []Member   `json:"members,omitempty"`
	// Modifiers are the rest of what callers depend on, sorted where order means
	// nothing: async, generator, static, classmethod, property, pointer-receiver,
	// private, protected, unsafe, abstract, readonly and the like.
	Modifiers []string `json:"modifiers,omitempty"`
	// Overloads are the normalized declarations joined into this symbol's signature.
	Overloads []string `json:"overloads,omitempty"`
	StartLine int      `json:"startLine"`
	EndLine   int      `json:"endLine"`
	StartByte int      `json:"startByte"`
	EndByte   int      `json:"endByte"`
	Exported  bool     `json:"exported"`
	// Container is the qualified name of the type, class, trait or inline module
	// that holds it; "" at the top level of the file.
	Container string `json:"container,omitempty"`
	// TypeMember is set for members of a type (methods, Python class members, Rust
	// impl and trait items), not for items of a module or namespace.
	TypeMember bool `json:"typeMember,omitempty"`
	// DefaultExport is set for what an ECMAScript module exports as default.
	DefaultExport bool `json:"defaultExport,omitempty"`
}

// At returns the symbol as defined in the file at path: Path and Key set.
func (s Symbol) At(path string) Symbol {
	s.Path = path
	s.Key = id.SymbolKey(s.Lang, path, s.Qualified)
	return s
}

// Canonical is the spelling a person pastes back: path:Qualified.
func (s Symbol) Canonical() string { return s.Path + ":" + s.Qualified }

// RefKind says how code mentions a name.
type RefKind string

// The kinds of references.
const (
	RefCall      RefKind = "call"
	RefType      RefKind = "type"
	RefConstruct RefKind = "construct"
	RefExtends   RefKind = "extends"
)

// Ref is a reference made from added or changed code, resolved as far as the text allows.
type Ref struct {
	Name string  `json:"name"`
	Kind RefKind `json:"kind"`
	Lang string  `json:"lang"`
	Path string  `json:"path"`
	Line int     `json:"line"`
	// Module is the repository module the name is taken from (see footprint), ""
	// when unresolved.
	Module   string `json:"module,omitempty"`
	Resolved bool   `json:"resolved"`
	// Container is the type, class or inline module the qualifier named.
	Container string `json:"container,omitempty"`
	// Qualified is set when the code names it through a qualifier, q.Name.
	Qualified bool `json:"qualified,omitempty"`
	// DefaultExport marks new X(...) where X is the importer's name for what the
	// module exports as default.
	DefaultExport bool `json:"defaultExport,omitempty"`
	// In is the qualified name of the changed symbol that holds the reference; ""
	// at the top level of the file.
	In string `json:"in,omitempty"`
	// Args is what a call passes, where the language can pass by name and the text shows
	// it all: the number of arguments by place, then the keywords in order ("2 mode strict").
	// "" is not known.
	Args string `json:"args,omitempty"`
	// Named is set where the code certainly names a type only: it neither builds a value
	// of it there nor takes one apart.
	Named bool `json:"named,omitempty"`
	// Kept is set when the same code made the reference before its change too.
	Kept bool `json:"kept,omitempty"`
}

// ChangeKind says what happened to a symbol between two versions.
type ChangeKind string

// The kinds of changes.
const (
	ChangeAdded     ChangeKind = "added"
	ChangeRemoved   ChangeKind = "removed"
	ChangeSignature ChangeKind = "signature"
	ChangeBody      ChangeKind = "body"
	ChangeMoved     ChangeKind = "moved"
	ChangeRenamed   ChangeKind = "renamed"
)

// Breaks says whom a breaking change of a signature can break.
type Breaks string

// The narrower answers: calls whose arguments no longer fit the parameters, and code
// that builds a value of the type, takes one apart or extends it.
const (
	BreaksCalls    Breaks = "calls"
	BreaksBuilders Breaks = "builders"
)

// Picked says what of a symbol's change a picked stub brought: "" for nothing.
type Picked string

// The change is the stub's and no more; or only the signature is the stub's, and the
// inside is changed further.
const (
	PickedWhole     Picked = "whole"
	PickedSignature Picked = "signature"
)

// SymbolChange is one changed symbol. For removed symbols Symbol is the old version.
type SymbolChange struct {
	Change       ChangeKind `json:"change"`
	Breaking     bool       `json:"breaking"`
	OldSignature string     `json:"oldSignature,omitempty"`
	OldSigHash   string     `json:"oldSigHash,omitempty"`
	// OldPath and OldQualified name the symbol before a move or a rename.
	OldPath      string `json:"oldPath,omitempty"`
	OldQualified string `json:"oldQualified,omitempty"`
	OldKey       string `json:"oldKey,omitempty"`
	SigChanged   bool   `json:"sigChanged,omitempty"`
	BodyChanged  bool   `json:"bodyChanged,omitempty"`
	// Breaks narrows down whom a breaking change breaks; "" is everyone.
	Breaks Breaks `json:"breaks,omitempty"`
	// OldParams are the parameters before, where Breaks is BreaksCalls.
	OldParams []Param `json:"oldParams,omitempty"`
	// Picked says what of the change is there only because a stub was picked.
	Picked Picked `json:"picked,omitempty"`
	// Reasons say in words what callers see of the change, breaking ones first:
	// "parameter 2 became required".
	Reasons []string `json:"reasons,omitempty"`
	Symbol  Symbol   `json:"symbol"`
}

// SignatureChanged reports whether callers of the symbol see a difference: its
// signature, name or place changed, or it is gone.
func (c SymbolChange) SignatureChanged() bool {
	switch c.Change {
	case ChangeSignature, ChangeRemoved, ChangeRenamed, ChangeMoved:
		return true
	}
	return false
}

// EditsSignature reports whether callers see more than a new file around the symbol.
func (c SymbolChange) EditsSignature() bool {
	switch c.Change {
	case ChangeSignature, ChangeRenamed:
		return true
	case ChangeMoved:
		return c.SigChanged
	}
	return false
}

// SameResult reports whether two changes leave callers with the same thing.
func (c SymbolChange) SameResult(o SymbolChange) bool {
	if c.Change == ChangeRemoved || o.Change == ChangeRemoved {
		return c.Change == o.Change
	}
	return c.Symbol.Key == o.Symbol.Key && c.Symbol.SigHash == o.Symbol.SigHash
}

// OriginKey is main's key of the changed symbol; for an added one its own.
func (c SymbolChange) OriginKey() string {
	if c.OldKey != "" {
		return c.OldKey
	}
	return c.Symbol.Key
}

// OriginName is how main spells the changed symbol; an added one is as it is.
func (c SymbolChange) OriginName() string {
	path, name := c.Symbol.Path, c.Symbol.Qualified
	if c.OldPath != "" {
		path = c.OldPath
	}
	if c.OldQualified != "" {
		name = c.OldQualified
	}
	return path + ":" + name
}

// FileChange is one changed file. Status is git's letter: A, M, D, R, T.
type FileChange struct {
	Path    string `json:"path"`
	OldPath string `json:"oldPath,omitempty"`
	Status  string `json:"status"`
	Lang    string `json:"lang,omitempty"`
	// Parsed is false when the file is tracked at file level; Reason says why.
	Parsed bool   `json:"parsed"`
	Reason string `json:"reason,omitempty"`
	// Outside is set when lines outside every symbol changed in a parsed file.
	Outside bool `json:"outside,omitempty"`
	// Was names the content at the base: the first 16 hex of its sha256. Hunks are where
	// the file differs from it, in order. Both are empty where nobody knows. Hunks of two
	// changes speak of the same lines when Was is the same, whatever the bases are.
	Was   string `json:"was,omitempty"`
	Hunks []Hunk `json:"hunks,omitempty"`
	// Picked is set when all of the change is what picked stubs brought.
	Picked bool `json:"picked,omitempty"`
}

// Hunk is one stretch of changed lines: the Old lines from line Start of the base's
// version on are now New lines. Where Old is 0, the new ones stand before line Start.
type Hunk struct {
	Start int `json:"start"`
	Old   int `json:"old,omitempty"`
	New   int `json:"new,omitempty"`
	// Outside is set when code outside every symbol changed in it, in a parsed file.
	Outside bool `json:"outside,omitempty"`
	// Picked is set when a picked stub brought these very lines.
	Picked bool `json:"picked,omitempty"`
}

// MaxHunks is how many hunks a file has at most; the nearest ones are joined until then.
const MaxHunks = 16

// FootprintVersion is the version of the algorithm behind a footprint. It goes up
// whenever the same two commits could give another footprint.
const FootprintVersion = 11

// Footprint is what one item changes: files, symbols, and the references its
// changed code makes. Base and Head are commit ids.
type Footprint struct {
	Base       string         `json:"base"`
	Head       string         `json:"head"`
	Version    int            `json:"version"`
	Broad      bool           `json:"broad"`
	Files      []FileChange   `json:"files"`
	Symbols    []SymbolChange `json:"symbols"`
	Refs       []Ref          `json:"refs"`
	ComputedAt string         `json:"computedAt,omitempty"`
	// Stubs are the published stubs, by commit and in order, whose part in the change is
	// marked as picked. It says nothing of stubs that are not listed.
	Stubs []string `json:"stubs,omitempty"`
}

// Change returns the change of the symbol with this key (before or after it), or nil.
func (f *Footprint) Change(key string) *SymbolChange {
	if f == nil {
		return nil
	}
	for i := range f.Symbols {
		if c := &f.Symbols[i]; c.Symbol.Key == key || (c.OldKey != "" && c.OldKey == key) {
			return c
		}
	}
	return nil
}

// File returns the change of the file at path (before or after it), or nil.
func (f *Footprint) File(path string) *FileChange {
	if f == nil {
		return nil
	}
	for i := range f.Files {
		if c := &f.Files[i]; c.Path == path || (c.OldPath != "" && c.OldPath == path) {
			return c
		}
	}
	return nil
}
