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

const maxNodes = 8 << 20

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
	g.Kinds = make([]string, n+1)
	for i := range n {
		g.Kinds[i] = C.GoString(C.gitlet_kind_name(g.ptr, C.uint16_t(i)))
	}
	g.Kinds[n] = "ERROR"
	f := int(C.gitlet_field_count(g.ptr))
	g.Fields = make([]string, f+1)
	for i := 1; i <= f; i++ {
		g.Fields[i] = C.GoString(C.gitlet_field_name(g.ptr, C.uint16_t(i)))
	}
	actual, _ := grammars.LoadOrStore(l, g)
	return actual.(*grammar)
}

// Parse returns the syntax tree of src. It fails only with one of the errors above.
func Parse(l *lang.Language, src []byte, lim Limits) (*lang.Tree, error) {
	if len(src) > lim.MaxBytes {
		return nil, ErrTooBig
	}
	if err := precheck(src, lim.MaxDepth); err != nil {
		return nil, err
	}
	useLibc()
	g := grammarOf(l)
	p, unpin := pinned(src)
	out := C.gitlet_parse(g.ptr, p, C.uint32_t(len(src)), C.int64_t(lim.Deadline), maxNodes)
	unpin()
	switch out.status {
	case 0:
	case 1:
		return nil, ErrTooSlow
	case 3:
		return nil, ErrTooDeep
	default:
		return nil, ErrInternal
	}
	defer C.free(unsafe.Pointer(out.nodes))
	raw := unsafe.Slice((*lang.RawNode)(unsafe.Pointer(out.nodes)), int(out.len))
	nodes := make([]lang.RawNode, len(raw))
	copy(nodes, raw)
	last := uint16(len(g.Kinds) - 1)
	for i := range nodes {
		if nodes[i].Sym > last {
			nodes[i].Sym = last
		}
	}
	return &lang.Tree{Src: src, Nodes: nodes, Grammar: &g.Grammar}, nil
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

// precheck refuses what error recovery handles in quadratic time or with hundreds
// of bytes of memory for each byte, before it starts: brackets left open, and
// angle brackets left open within one statement.
func precheck(src []byte, maxDepth int) error {
	depth, angles := 0, 0
	for i, c := range src {
		switch c {
		case '(', '[':
			depth++
		case '{':
			depth++
			angles = 0
		case ')', ']', '}':
			depth = max(depth-1, 0)
			if c != ']' {
				angles = 0
			}
		case ';':
			angles = 0
		case '<':
			if i+1 < len(src) && src[i+1] != '<' && src[i+1] != '=' && src[i+1] != ' ' {
				angles++
			}
		case '>':
			angles = max(angles-1, 0)
		case 0:
			return ErrNotText
		default:
			continue
		}
		if depth > maxDepth || angles > maxDepth {
			return ErrTooDeep
		}
	}
	return nil
}
