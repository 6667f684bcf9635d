package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

func TestSyntaxErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": }":    "line 2, column 8: a value is missing before '}'",
		"{\"a\": 1":        "line 1, column 1: the '{' that opens here is never closed",
		"{\"a\" 1}":        "line 1, column 6: a colon is missing before '1'",
		"{a: 1}":           "line 1, column 2: a name in double quotes is missing before 'a'",
		"[1 2]":            "line 1, column 4: a comma or ']' is missing before '2'",
		"{} x":             "line 1, column 4: something follows the end of the value",
		"{\"a\": \"x\n\"}": "line 1, column 7: this text has no end on its line",
		"/* a":             "line 1, column 1: a comment has no end",
		"{\"a\": \"\\x\"}": "line 1, column 7: this text has a character or an escape that JSON does not allow",
		"[1,,2]":           "line 1, column 4: a value is missing before ','",
	} {
		_, err := Parse([]byte(text))
		var bad *SyntaxError
		if !errors.As(err, &bad) || bad.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzParse: what any JSON reader takes is taken, as the same value; nothing panics; and
// what was added comes out again to the last byte.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a": [1, {"b": null}], "c": "d"}`, "{}", "[]", "// x\n{\"a\": 1,}", "\ufeff{\r\n\t\"a\": {} // x\r\n}", `{"a": {"a": {}}}`, "1", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(text)
		if json.Valid(text) && bytes.Count(text, []byte("[")) < 100 && bytes.Count(text, []byte("{")) < 100 {
			if err != nil || d.Root == nil || !d.Plain {
				t.Fatalf("%q is JSON: %v", text, err)
			}
		}
		if err != nil || d.Root == nil || d.Root.Kind != Object {
			return
		}
		if d.Plain && !json.Valid(text) {
			t.Fatalf("%q is no plain JSON", text)
		}
		now := AddMember(text, d.Root, "gitlet-new", []Pair{{"x", []string{"y"}}})
		e, err := Parse(now)
		if err != nil || e.Root.Get("gitlet-new").Get("x") == nil || len(e.Root.Members) != len(d.Root.Members)+1 {
			t.Fatalf("%q became %q: %v", text, now, err)
		}
		if back := Remove(now, e.Root, len(e.Root.Members)-1); !bytes.Equal(back, text) {
			t.Fatalf("%q became %q and then %q", text, now, back)
		}
	})
}
