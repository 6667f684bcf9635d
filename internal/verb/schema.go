package verb

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Schema returns the JSON Schema of a spec's arguments: an object that allows no
// other members, with the properties in argument order, so that it is the same
// text each time. No type is a union, because some clients drop such tools.
func Schema(s Spec) json.RawMessage {
	var b bytes.Buffer
	writeObject(&b, s.Fields())
	return b.Bytes()
}

func writeObject(b *bytes.Buffer, fields []Field) {
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoteJSON(f.Name))
		b.WriteByte(':')
		writeField(b, f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	b.WriteByte('}')
	if len(required) > 0 {
		b.WriteString(`,"required":`)
		b.Write(quoteJSON(required))
	}
	b.WriteString(`,"additionalProperties":false}`)
}

func writeField(b *bytes.Buffer, f Field) {
	if f.Kind == KindObject && len(f.Sub) > 0 {
		var sub bytes.Buffer
		writeObject(&sub, f.Sub)
		b.WriteString(`{"description":`)
		b.Write(quoteJSON(f.Help))
		b.WriteByte(',')
		b.Write(sub.Bytes()[1:])
		return
	}
	b.WriteString(`{"type":`)
	switch f.Kind {
	case KindBool:
		b.WriteString(`"boolean"`)
	case KindInt:
		b.WriteString(`"integer"`)
	case KindObject:
		b.WriteString(`"object"`)
	case KindList:
		b.WriteString(`"array","items":{"type":"string"}`)
	case KindObjects:
		b.WriteString(`"array","items":`)
		writeObject(b, f.Sub)
	default:
		b.WriteString(`"string"`)
	}
	if len(f.Enum) > 0 {
		b.WriteString(`,"enum":`)
		b.Write(quoteJSON(f.Enum))
	}
	if f.Kind == KindInt && (f.Min != 0 || f.Max != 0) {
		b.WriteString(`,"minimum":`)
		b.Write(quoteJSON(f.Min))
		if f.Max != 0 {
			b.WriteString(`,"maximum":`)
			b.Write(quoteJSON(f.Max))
		}
	}
	b.WriteString(`,"description":`)
	b.Write(quoteJSON(f.Help))
	b.WriteByte('}')
}

// quoteJSON marshals a string, list of strings or int without HTML escapes.
func quoteJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("verb: a schema value that JSON cannot hold: " + err.Error())
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
