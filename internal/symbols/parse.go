package symbols

/*
#cgo CFLAGS: -std=c11 -D_POSIX_C_SOURCE=200112L
#include "flatten.h"
*/
import "C"

import (
	"errors"
	"runtime"
	"sync"
	"time"
	"unsafe"

	// The runtime's C code; gitlet calls it directly, one call per file.
	_ "github.com/tree-sitter/go-tree-sitter"

	"gitlet/internal/lang"
)

// Why a file could not be parsed.
var (
	ErrTooBig   = errors.New("larger than the limit")
	ErrTooDeep  = errors.New("nested too deeply")
	ErrTooSlow  = errors.New("took too long to parse")
	ErrNotText  = errors.New("not text")
	ErrMinified = errors.New("minified")
	ErrInternal = errors.New("the parser refused it")
)

// Limits bound one parse.
type Limits struct {
	MaxBytes int           // larger files are not parsed
	MaxDepth int           // unclosed brackets at one place
	Deadline time.Duration // per file, of CPU time
}

// DefaultLimits are the limits gitlet uses: 2 MiB, 1,000 brackets, 1 second.
var DefaultLimits = Limits{MaxBytes: 2 << 20, MaxDepth: 1000, Deadline: time.Second}

const (
	maxNodes = 8 << 20
	// maxTreeDepth bounds the recursion of what reads a tree. A sum of as many terms
	// is as deep.
	maxTreeDepth = 20000
)

var useLibc = sync.OnceFunc(func() { C.gitlet_use_libc_malloc() })

// grammars caches the names of each language's kinds and fields.
var grammars sync.Map // *lang.Language -> *grammar

type grammar struct {
	ptr unsafe.Pointer
	lang.Grammar
}

func grammarOf(l *lang.Language) *grammar {
	if g, ok := grammars.Load(l); ok {
		return g.(*grammar)
	}
	g := &grammar{ptr: l.Pointer()}
	n := int(C.gitlet_kind_count(g.ptr))
	// One more kind for ERROR, whose number does not fit the table.
	kinds := make([]string, n+1)
	for i := range n {
		kinds[i] = C.GoString(C.gitlet_kind_name(g.ptr, C.uint16_t(i)))
	}
	kinds[n] = "ERROR"
	f := int(C.gitlet_field_count(g.ptr))
	fields := make([]string, f+1)
	for i := 1; i <= f; i++ {
		fields[i] = C.GoString(C.gitlet_field_name(g.ptr, C.uint16_t(i)))
	}
	g.Grammar = lang.NewGrammar(kinds, fields)
	actual, _ := grammars.LoadOrStore(l, g)
	return actual.(*grammar)
}

// Parse returns the syntax tree of src. It fails only with one of the errors above.
func Parse(l *lang.Language, src []byte, lim Limits) (*lang.Tree, error) {
	return parse(l, src, lim, func(n int) []lang.RawNode { return make([]lang.RawNode, n) })
}

// parse writes the nodes into what buffer returns, which must hold n of them.
func parse(l *lang.Language, src []byte, lim Limits, buffer func(n int) []lang.RawNode) (*lang.Tree, error) {
	if len(src) > lim.MaxBytes {
		return nil, ErrTooBig
	}
	if err := precheck(l, src, lim.MaxDepth); err != nil {
		return nil, err
	}
	useLibc()
	g := grammarOf(l)
	nodes, left, err := flat(g, src, int64(lim.Deadline), buffer)
	if err != nil {
		return nil, err
	}
	if nodes[0].Flags&lang.FlagHasError != 0 {
		if other := separated(l, src); other != nil {
			again, _, err := flat(g, other, left, func(n int) []lang.RawNode { return make([]lang.RawNode, n) })
			if err == nil && mistakes(again) < mistakes(nodes) {
				nodes = again
			}
		}
	}
	return lang.NewTree(src, nodes, &g.Grammar), nil
}

// flat parses src into nodes within budget, in nanoseconds of CPU time, and says how
// much of it is left.
func flat(g *grammar, src []byte, budget int64, buffer func(n int) []lang.RawNode) (nodes []lang.RawNode, left int64, err error) {
	p, unpin := pinned(src)
	out := C.gitlet_parse(g.ptr, p, C.uint32_t(len(src)), C.int64_t(budget))
	unpin()
	switch {
	case out.status == 1:
		return nil, 0, ErrTooSlow
	case out.status != 0:
		return nil, 0, ErrInternal
	case out.nodes > maxNodes:
		C.gitlet_drop(out.tree)
		return nil, 0, ErrTooDeep
	}
	nodes = buffer(int(out.nodes))
	// The nodes hold no pointers, so C may write them where Go keeps them.
	f := C.gitlet_flatten(out.tree, (*C.gitlet_node)(unsafe.Pointer(&nodes[0])), out.nodes, C.uint16_t(len(g.Kinds)-1), out.left_ns)
	switch {
	case f.nodes == 0:
		return nil, 0, ErrTooSlow
	case f.depth > maxTreeDepth:
		return nil, 0, ErrTooDeep
	}
	return nodes[:f.nodes], int64(out.left_ns), nil
}

// ParseOnly parses src without limits and throws the tree away: the measure that
// extraction is compared with. It fails only with ErrInternal.
func ParseOnly(l *lang.Language, src []byte) error {
	useLibc()
	p, unpin := pinned(src)
	defer unpin()
	if C.gitlet_parse_only(grammarOf(l).ptr, p, C.uint32_t(len(src))) != 0 {
		return ErrInternal
	}
	return nil
}

// pinned passes source to C, which keeps the pointer only during the call.
func pinned(src []byte) (p *C.char, unpin func()) {
	if len(src) == 0 {
		src = emptySource[:]
	}
	var pin runtime.Pinner
	pin.Pin(&src[0])
	return (*C.char)(unsafe.Pointer(&src[0])), pin.Unpin
}

var emptySource = [1]byte{}
