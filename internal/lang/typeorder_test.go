package lang

import "testing"

func TestSameType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"string | number", "number | string", true},
		{"string | number | null", "null | number | string", true},
		{"string | number", "string | null", false},
		{"string | number", "string", false},
		{"Promise<string | null>", "Promise<null | string>", true},
		{"Map<string, A | B>", "Map<string, B | A>", true},
		{"Map<A, B>", "Map<B, A>", false},
		{"{ a: string | number; b?: B | A }", "{ a: number | string; b?: A | B }", true},
		{"{ a: string | number }", "{ b: number | string }", false},
		{"(string | number, A) => void", "(number | string, A) => void", true},
		{"(A) => B | C", "(A) => C | B", false}, // not told apart from (A | C) => B alike
		{"(string): A | B", "(string): B | A", true},
		{"$1 extends A | B", "$1 extends B | A", true},
		{"X extends Y ? A | B : C | D", "X extends Y ? A | D | B : C", false},
		{`"a | b" | "c"`, `"c" | "a | b"`, true},
		{`"a | b"`, `"b | a"`, false},
		{"(A | B)[] | null", "null | (B | A)[]", true},
		{"`${A} | ${B}`", "`${B} | ${A}`", false},
		{"Optional[str]", "str | None", true},
		{"typing.Optional[str]", "None | str", true},
		{"t.Union[int, str, None]", "str | int | None", true},
		{"Union[int, Optional[str]]", "int | str | None", true},
		{"dict[str, Optional[list[Union[A, B]]]]", "dict[str, list[B | A] | None]", true},
		{"Optional[str]", "str", false},
		{"MyUnion[int, str]", "str | int", false},
		{"&'a A | B", "B | &'a A", true},
		{"it's | (", "( | it's", true},
	} {
		if got := SameType(c.a, c.b); got != c.same {
			t.Errorf("SameType(%q, %q) = %v: %q and %q", c.a, c.b, got, orderFree(c.a), orderFree(c.b))
		}
		if SameType(c.b, c.a) != c.same {
			t.Errorf("SameType(%q, %q) is not symmetric", c.b, c.a)
		}
	}
}

// FuzzOrderFree: any text has an order-free form, which is its own.
func FuzzOrderFree(f *testing.F) {
	for _, s := range []string{"a | b", "Union[a, b] | (c | d", "{ x: 'y | ` | z }", "Optional[Optional[]]", "| | | "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if once := orderFree(s); len(once) > 4*len(s)+16 {
			t.Errorf("%q became %q", s, once)
		}
	})
}
