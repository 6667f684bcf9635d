package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

// How many entries a footprint may hold; a reader skips a document with more.
const (
	maxFiles   = 20_000
	maxSymbols = 20_000
	maxRefs    = 40_000
	maxParts   = 10_000 // parameters, members, modifiers, overloads of one symbol
	maxNumber  = 1 << 30
)

// footprintDoc reads a footprint's lists entry by entry.
type footprintDoc struct {
	model.Footprint
	Files   []json.RawMessage `json:"files"`
	Symbols []json.RawMessage `json:"symbols"`
	Refs    []json.RawMessage `json:"refs"`
}

// value returns the footprint with the entries that could be read; where is the
// prefix for problems.
func (d *footprintDoc) value(where string, ps *problems) (*model.Footprint, error) {
	if d == nil {
		return nil, nil
	}
	if err := errors.Join(
		atMost("files", len(d.Files), maxFiles),
		atMost("symbols", len(d.Symbols), maxSymbols),
		atMost("refs", len(d.Refs), maxRefs),
	); err != nil {
		return nil, err
	}
	f := d.Footprint
	f.Files = entries[model.FileChange](d.Files, where+".files", ps)
	f.Symbols = entries[model.SymbolChange](d.Symbols, where+".symbols", ps)
	f.Refs = entries[model.Ref](d.Refs, where+".refs", ps)
	return &f, nil
}

func entries[T any](raw []json.RawMessage, where string, ps *problems) []T {
	out := make([]T, 0, len(raw))
	for i, r := range raw {
		var v T
		if err := entry(r, &v); err != nil {
			ps.add(fmt.Sprintf("%s[%d]", where, i), err)
			continue
		}
		out = append(out, v)
	}
	return out
}

// cleanFootprint checks f and drops its bad entries. It replaces lists that are not
// fresh, so the caller's own arrays stay as they are.
func cleanFootprint(f *model.Footprint, where string, ps *problems) error {
	if !oidOrNone(f.Base) || !oidOrNone(f.Head) {
		return invalidf("%s: bad object id", where)
	}
	if f.Version < 0 || f.Version > maxNumber {
		return invalidf("%s: version %d", where, f.Version)
	}
	if f.ComputedAt != "" {
		if _, err := time.Parse(time.RFC3339, f.ComputedAt); err != nil || !plain(f.ComputedAt, 64) {
			f.ComputedAt = ""
		}
	}
	if f.Stubs = append([]string(nil), f.Stubs...); len(f.Stubs) > maxNeeds || slices.ContainsFunc(f.Stubs, func(s string) bool { return !id.ValidOID(s) }) {
		f.Stubs = nil // their part counts as the item's own then
	}
	f.Files = keep(f.Files, cleanFile, where+".files", ps)
	f.Symbols = keep(f.Symbols, cleanChange, where+".symbols", ps)
	f.Refs = keep(f.Refs, cleanRef, where+".refs", ps)
	return nil
}

func keep[T any](in []T, check func(*T) error, where string, ps *problems) []T {
	if ps.fresh && in != nil {
		return keepInPlace(in, check, where, ps)
	}
	out := make([]T, 0, len(in))
	for i, v := range in {
		if err := check(&v); err != nil {
			ps.add(fmt.Sprintf("%s[%d]", where, i), err)
			continue
		}
		out = append(out, v)
	}
	return out
}

func keepInPlace[T any](in []T, check func(*T) error, where string, ps *problems) []T {
	n := 0
	for i := range in {
		if err := check(&in[i]); err != nil {
			ps.add(fmt.Sprintf("%s[%d]", where, i), err)
			continue
		}
		if n != i {
			in[n] = in[i]
		}
		n++
	}
	return in[:n]
}

var (
	errPath   = errors.New("bad path")
	errName   = errors.New("bad name")
	errKey    = errors.New("bad key")
	errLang   = errors.New("bad language")
	errKind   = errors.New("unknown kind")
	errHash   = errors.New("bad hash")
	errRange  = errors.New("bad position")
	errStatus = errors.New("unknown status")
	errParts  = errors.New("too many parts")
)

func cleanFile(c *model.FileChange) error {
	if !id.ValidPath(c.Path) || c.OldPath != "" && !id.ValidPath(c.OldPath) {
		return errPath
	}
	switch c.Status {
	case "A", "M", "D", "R", "T":
	default:
		return errStatus
	}
	if c.Lang != "" && !token(c.Lang) {
		return errLang
	}
	line(&c.Reason, maxLine)
	if !hash(c.Was) || !inOrder(c.Hunks) {
		c.Was, c.Hunks = "", nil // without them its readers are told more, not less
	}
	if c.Was == "" || len(c.Hunks) == 0 {
		c.Was, c.Hunks = "", nil
	}
	return nil
}

// inOrder reports whether hunks are as one file can have them.
func inOrder(hunks []model.Hunk) bool {
	if len(hunks) > model.MaxHunks {
		return false
	}
	next := 1
	for _, h := range hunks {
		if h.Start < next || h.Start > maxNumber || h.Old < 0 || h.Old > maxNumber || h.New < 0 || h.New > maxNumber || h.Old+h.New == 0 {
			return false
		}
		next = h.Start + h.Old + 1 // what touches is one hunk
	}
	return true
}

func cleanChange(c *model.SymbolChange) error {
	switch c.Change {
	case model.ChangeAdded, model.ChangeRemoved, model.ChangeSignature, model.ChangeBody, model.ChangeMoved, model.ChangeRenamed:
	default:
		return errKind
	}
	switch {
	case c.OldPath != "" && !id.ValidPath(c.OldPath):
		return errPath
	case !plain(c.OldQualified, maxSig):
		return errName
	case c.OldKey != "" && !id.ValidKey(c.OldKey):
		return errKey
	case !hash(c.OldSigHash):
		return errHash
	case len(c.OldParams) > maxParts:
		return errParts
	}
	// What is not known here is no narrower than everyone.
	if c.Breaks != model.BreaksCalls && c.Breaks != model.BreaksBuilders {
		c.Breaks, c.OldParams = "", nil
	}
	if c.Picked != model.PickedWhole && (c.Picked != model.PickedSignature || c.Change != model.ChangeSignature) {
		c.Picked = ""
	}
	if err := cleanParams(&c.OldParams); err != nil {
		return err
	}
	line(&c.OldSignature, maxSig)
	return cleanSymbol(&c.Symbol)
}

func cleanSymbol(s *model.Symbol) error {
	switch {
	case !id.ValidKey(s.Key):
		return errKey
	case !token(s.Lang):
		return errLang
	case !id.ValidPath(s.Path):
		return errPath
	case s.Name == "" || s.Qualified == "":
		return errName
	case !plain(s.Name, maxSig) || !plain(s.Qualified, maxSig) || !plain(s.Container, maxSig):
		return errName
	case !knownKind(s.Kind):
		return errKind
	case !hash(s.SigHash) || !hash(s.BodyHash):
		return errHash
	case !span(s.StartLine, s.EndLine) || !span(s.StartByte, s.EndByte):
		return errRange
	case len(s.TypeParams)+len(s.Params)+len(s.Members)+len(s.Modifiers)+len(s.Overloads) > maxParts:
		return errParts
	}
	line(&s.Signature, maxSig)
	line(&s.Results, maxSig)
	s.TypeParams = texts(s.TypeParams)
	s.Modifiers = texts(s.Modifiers)
	s.Overloads = texts(s.Overloads)
	if err := cleanParams(&s.Params); err != nil {
		return err
	}
	members := s.Members
	if s.Members = nil; len(members) > 0 {
		s.Members = make([]model.Member, 0, len(members))
	}
	for _, m := range members {
		if !token(m.Kind) {
			return errKind
		}
		line(&m.Name, maxLine)
		line(&m.Type, maxSig)
		s.Members = append(s.Members, m)
	}
	return nil
}

// cleanParams copies a list of parameters with each cleaned; empty lists become nil.
func cleanParams(list *[]model.Param) error {
	params := *list
	if *list = nil; len(params) > 0 {
		*list = make([]model.Param, 0, len(params))
	}
	for _, p := range params {
		switch p.Mode {
		case "", "pos", "key", "kw":
		default:
			return errKind
		}
		line(&p.Name, maxLine)
		line(&p.Type, maxSig)
		*list = append(*list, p)
	}
	return nil
}

// texts copies a list of signature parts with each cleaned; empty lists become
// nil, as they are left out of documents.
func texts(in []string) []string {
	if len(in) == 0 {
		return nil
	}
	out := make([]string, len(in))
	for i, s := range in {
		line(&s, maxSig)
		out[i] = s
	}
	return out
}

func cleanRef(r *model.Ref) error {
	switch r.Kind {
	case model.RefCall, model.RefType, model.RefConstruct, model.RefExtends:
	default:
		return errKind
	}
	switch {
	case r.Name == "" || !plain(r.Name, maxSig) || !plain(r.In, maxSig) || !plain(r.Container, maxSig) || !plain(r.Args, maxSig):
		return errName
	case !plain(r.Module, id.MaxPath):
		return errName
	case !token(r.Lang):
		return errLang
	case !id.ValidPath(r.Path):
		return errPath
	case !span(r.Line, maxNumber):
		return errRange
	}
	return nil
}

func span(start, end int) bool { return start >= 0 && end >= start && end <= maxNumber }

func knownKind(k model.SymbolKind) bool {
	switch k {
	case model.KindFunction, model.KindMethod, model.KindConst, model.KindVar:
		return true
	}
	return k.TypeLike()
}
