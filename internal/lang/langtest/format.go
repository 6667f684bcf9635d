package langtest

import (
	"fmt"
	"strings"

	"gitlet/internal/lang"
	"gitlet/internal/model"
)

// Format writes facts as lines that people read: each symbol with its signature,
// then references, imports and error regions.
func Format(f *lang.Facts) string {
	var b strings.Builder
	if f.Package != "" {
		fmt.Fprintf(&b, "package %s\n", f.Package)
	}
	for _, s := range f.Symbols {
		fmt.Fprintf(&b, "%s%s %s%s\n", s.Kind, lines(s), s.Qualified, marks(s))
		fmt.Fprintf(&b, "    %s\n", s.Signature)
		structure(&b, s)
	}
	for _, r := range f.Refs {
		fmt.Fprintf(&b, "%s :%d %s\n", r.Kind, r.Line, spell(r))
	}
	for _, im := range f.Imports {
		name := im.Name
		if name == "" {
			name = "*"
		}
		scope := ""
		if im.Scope != [2]int{} {
			scope = " (inside a function)"
		}
		fmt.Fprintf(&b, "import %s %q %s as %q%s\n", im.Kind, im.Module, name, im.Local, scope)
	}
	for _, e := range f.Errors {
		fmt.Fprintf(&b, "error %d-%d\n", e.Start, e.End)
	}
	return b.String()
}

func lines(s model.Symbol) string {
	if s.StartLine == s.EndLine {
		return fmt.Sprintf(" :%d", s.StartLine)
	}
	return fmt.Sprintf(" :%d-%d", s.StartLine, s.EndLine)
}

func marks(s model.Symbol) string {
	var m []string
	if s.Exported {
		m = append(m, "exported")
	}
	if s.DefaultExport {
		m = append(m, "default")
	}
	if s.Container != "" {
		in := "in "
		if s.TypeMember {
			in = "member of "
		}
		m = append(m, in+s.Container)
	}
	if len(m) == 0 {
		return ""
	}
	return " (" + strings.Join(m, ", ") + ")"
}

// structure writes the parts that decide compatibility, where the signature does
// not already show them.
func structure(b *strings.Builder, s model.Symbol) {
	if len(s.Modifiers) > 0 {
		fmt.Fprintf(b, "    modifiers %s\n", strings.Join(s.Modifiers, ", "))
	}
	if len(s.TypeParams) > 0 {
		fmt.Fprintf(b, "    types %s\n", strings.Join(s.TypeParams, ", "))
	}
	for _, o := range s.Overloads {
		fmt.Fprintf(b, "    overload %s\n", o)
	}
	for _, m := range s.Members {
		optional := ""
		if m.Optional {
			optional = "?"
		}
		fmt.Fprintf(b, "    %s %s%s: %s\n", m.Kind, m.Name, optional, m.Type)
	}
}

func spell(r lang.RawRef) string {
	s := r.Name
	if r.Qualifier != "" {
		s = r.Qualifier + "." + s
	}
	if r.Value {
		if r.Qualifier == "" {
			s = "(…)." + s
		}
		s += " (on a value)"
	}
	return s
}
