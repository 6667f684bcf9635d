package wire

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
	"unsafe"
)

// Reading all documents of a busy remote is most of what a short process does, and the
// standard decoder looks at every byte several times. quick reads the plain JSON that
// gitlet itself writes in one pass. Whatever is out of the ordinary (nulls, fractions,
// keys twice or in other letters, anything invalid) it declines, and the standard decoder
// says what that means. Where it does not decline both have the same result, which a fuzz
// test holds it to.

// quickObjects is how many JSON objects a document may hold for quick: every list is
// below its limit then, and a megabyte of "{}," does not become gigabytes.
const quickObjects = 16_000

// quick decodes data into a T, a struct, or reports false. The texts of the result are
// parts of data itself, which must not be changed any more: copying all of them would be
// a tenth of the work.
func quick[T any](data []byte) (v T, ok bool) {
	if len(data) > MaxRead || !utf8.Valid(data) {
		return v, false
	}
	q := &quickReader{s: unsafe.String(unsafe.SliceData(data), len(data))}
	if !q.value(reflect.ValueOf(&v).Elem()) {
		return v, false
	}
	q.space()
	return v, q.i == len(q.s)
}

type quickReader struct {
	s       string
	i       int
	objects int
	depth   int
}

func (q *quickReader) space() {
	for q.i < len(q.s) {
		switch q.s[q.i] {
		case ' ', '\t', '\n', '\r':
			q.i++
		default:
			return
		}
	}
}

// next skips space and takes c when it comes next.
func (q *quickReader) next(c byte) bool {
	q.space()
	if q.i < len(q.s) && q.s[q.i] == c {
		q.i++
		return true
	}
	return false
}

var timeType = reflect.TypeFor[time.Time]()

func (q *quickReader) value(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		s, ok := q.text()
		v.SetString(s)
		return ok
	case reflect.Int:
		n, ok := q.number()
		v.SetInt(n)
		return ok
	case reflect.Bool:
		b, ok := q.boolean()
		v.SetBool(b)
		return ok
	case reflect.Slice:
		return q.array(v)
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		v.Set(p)
		return q.value(p.Elem())
	case reflect.Struct:
		if v.Type() == timeType {
			return q.time(v)
		}
		return q.object(v)
	}
	return false
}

// text reads a string. One with escapes goes by way of the standard decoder.
func (q *quickReader) text() (string, bool) {
	if !q.next('"') {
		return "", false
	}
	start, escaped := q.i, false
	for ; q.i < len(q.s); q.i++ {
		switch c := q.s[q.i]; {
		case c == '"':
			q.i++
			if !escaped {
				return q.s[start : q.i-1], true
			}
			var s string
			err := json.Unmarshal([]byte(q.s[start-1:q.i]), &s)
			return s, err == nil
		case c == '\\':
			escaped = true
			q.i++
		case c < 0x20:
			return "", false
		}
	}
	return "", false
}

func (q *quickReader) number() (n int64, ok bool) {
	negative := q.next('-') // skips space, with or without a sign
	start := q.i
	for q.i < len(q.s) && q.s[q.i] >= '0' && q.s[q.i] <= '9' {
		n = n*10 + int64(q.s[q.i]-'0')
		if q.i++; q.i-start > 18 {
			return 0, false
		}
	}
	if q.i == start || q.s[start] == '0' && q.i-start > 1 {
		return 0, false
	}
	if q.i < len(q.s) && strings.IndexByte(".eE", q.s[q.i]) >= 0 {
		return 0, false
	}
	if negative {
		n = -n
	}
	return n, true
}

func (q *quickReader) boolean() (value, ok bool) {
	q.space()
	for _, word := range [...]string{"true", "false"} {
		if strings.HasPrefix(q.s[q.i:], word) {
			q.i += len(word)
			return word == "true", true
		}
	}
	return false, false
}

func (q *quickReader) time(v reflect.Value) bool {
	q.space()
	start := q.i
	if _, ok := q.text(); !ok {
		return false
	}
	var t time.Time
	if err := t.UnmarshalJSON([]byte(q.s[start:q.i])); err != nil {
		return false
	}
	v.Set(reflect.ValueOf(t))
	return true
}

func (q *quickReader) array(v reflect.Value) bool {
	if !q.next('[') {
		return false
	}
	if q.next(']') {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		return true
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 4))
	for n := 0; ; n++ {
		if n == v.Cap() {
			v.Grow(n + 1)
		}
		v.SetLen(n + 1)
		if !q.value(v.Index(n)) {
			return false
		}
		if q.next(']') {
			return true
		}
		if !q.next(',') {
			return false
		}
	}
}

func (q *quickReader) object(v reflect.Value) bool {
	if q.objects++; q.objects > quickObjects || !q.next('{') {
		return false
	}
	if q.next('}') {
		return true
	}
	p := planOf(v.Type())
	var seen uint64
	for at := 0; ; at++ {
		key, ok := q.text()
		if !ok || !q.next(':') {
			return false
		}
		f := p.find(key, at)
		switch {
		case f < 0 && p.similar(key):
			return false
		case f < 0:
			ok = q.skip()
		case seen&(1<<f) != 0:
			return false
		default:
			seen |= 1 << f
			at = f
			ok = q.value(v.FieldByIndex(p.fields[f].index))
		}
		if !ok {
			return false
		}
		if q.next('}') {
			return true
		}
		if !q.next(',') {
			return false
		}
	}
}

// skip passes over a value of a field that this gitlet does not know.
func (q *quickReader) skip() bool {
	if q.depth++; q.depth > maxDepth-8 {
		return false
	}
	defer func() { q.depth-- }()
	q.space()
	if q.i == len(q.s) {
		return false
	}
	switch q.s[q.i] {
	case '"':
		_, ok := q.text()
		return ok
	case 't', 'f':
		_, ok := q.boolean()
		return ok
	case '[':
		q.i++
		return q.next(']') || q.list(']', q.skip)
	case '{':
		q.i++
		q.objects++
		return q.next('}') || q.list('}', func() bool {
			_, ok := q.text()
			return ok && q.next(':') && q.skip()
		})
	}
	_, ok := q.number()
	return ok
}

func (q *quickReader) list(end byte, one func() bool) bool {
	for one() {
		if q.next(end) {
			return true
		}
		if !q.next(',') {
			return false
		}
	}
	return false
}

// plan is what a struct's fields are called in JSON, in the order they are written.
type plan struct{ fields []plannedField }

type plannedField struct {
	name  string
	index []int
}

var plans sync.Map // reflect.Type -> *plan

// planOf makes the plan of a type once. There are a dozen types, all known before the
// first document is read.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := &plan{}
	p.add(t, nil)
	if len(p.fields) > 64 {
		panic("wire: " + t.String() + " has too many fields for quick")
	}
	plans.Store(t, p)
	return p
}

func (p *plan) add(t reflect.Type, above []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int{}, above...), i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			p.add(f.Type, index)
		case f.IsExported() && name != "-":
			if name == "" {
				name = f.Name
			}
			p.fields = append(p.fields, plannedField{name, index})
		}
	}
}

// find returns the field called key, -1 for none. The writer keeps the order and leaves
// fields out, so it is mostly one of the next ones.
func (p *plan) find(key string, from int) int {
	for i := from; i < len(p.fields); i++ {
		if p.fields[i].name == key {
			return i
		}
	}
	for i := range min(from, len(p.fields)) {
		if p.fields[i].name == key {
			return i
		}
	}
	return -1
}

// similar reports whether the standard decoder would take key for one of the fields.
func (p *plan) similar(key string) bool {
	for _, f := range p.fields {
		if strings.EqualFold(f.name, key) {
			return true
		}
	}
	return false
}
