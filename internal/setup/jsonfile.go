package setup

import (
	"bytes"
	"errors"
	"fmt"

	"gitlet/internal/jsonc"
)

const serverName = "gitlet"

// parseJSON reads a client's file, or says that it is left alone.
func parseJSON(t text, snippet []string) (*jsonc.Doc, error) {
	if t.missing {
		return &jsonc.Doc{}, nil
	}
	if bytes.HasPrefix(t.data, []byte("\xff\xfe")) || bytes.HasPrefix(t.data, []byte("\xfe\xff")) {
		return nil, alone("save it as UTF-8, then run gitlet init again", snippet, "it is not UTF-8")
	}
	d, err := jsonc.Parse(t.data)
	var bad *jsonc.SyntaxError
	if errors.As(err, &bad) {
		return nil, alone("mend it, then run gitlet init again", snippet, "it is no JSON: %v", bad)
	}
	if err != nil {
		return nil, err
	}
	if d.Root != nil && d.Root.Kind != jsonc.Object {
		return nil, alone("make it an object, then run gitlet init again", snippet, "it holds %v, not an object", d.Root.Kind)
	}
	return d, nil
}

// fresh writes the first value into a file that holds none. A file that was not there
// ends with a line end and one that was empty does not: taking it out tells them apart.
func fresh(t text, value any) text {
	style := jsonc.Style{Indent: "  ", NL: "\n"}
	if t.missing {
		return with([]byte(style.Render(value, "") + "\n"))
	}
	style.NL = lineEnd(t.data)
	data := append([]byte{}, t.data...)
	if remark := bytes.TrimSpace(lastLine(data)); len(remark) > 0 && !bytes.Equal(remark, []byte("\xef\xbb\xbf")) {
		return with(append(data, style.NL+style.Render(value, "")+style.NL...))
	}
	return with(append(data, style.Render(value, "")...))
}

func lastLine(data []byte) []byte { return data[bytes.LastIndexByte(data, '\n')+1:] }

// unfresh are the texts that fresh may have been given.
func unfresh(t text, root *jsonc.Value) []text {
	out := []text{{missing: true}}
	if root != nil {
		head := t.data[:root.Start]
		out = append(out, with(bytes.TrimSuffix(bytes.TrimSuffix(head, []byte("\n")), []byte("\r"))), with(head))
	}
	return out
}

// child is the object or list called name in obj, "" told when there is none.
func child(obj *jsonc.Value, name string, kind jsonc.Kind, snippet []string) (*jsonc.Value, error) {
	v := obj.Get(name)
	if v != nil && v.Kind != kind {
		return nil, alone(fmt.Sprintf("make it %v or take it out, then run gitlet init again", kind), snippet, "%q is %v, not %v", name, v.Kind, kind)
	}
	return v, nil
}

// servers is the key under which Claude Code and Cursor list MCP servers.
const servers = "mcpServers"

// addServer puts the entry into a file of MCP servers.
func addServer(entry []jsonc.Pair) edit {
	return func(t text) (text, string, error) {
		whole := []jsonc.Pair{{Name: servers, Value: []jsonc.Pair{{Name: serverName, Value: entry}}}}
		snippet := snippetOf(whole)
		d, err := parseJSON(t, snippet)
		if err != nil {
			return t, "", err
		}
		if d.Root == nil {
			return fresh(t, whole), "", nil
		}
		list, err := child(d.Root, servers, jsonc.Object, snippet)
		if err != nil {
			return t, "", err
		}
		if list == nil {
			return with(jsonc.AddMember(t.data, d.Root, servers, whole[0].Value)), "", nil
		}
		if had := list.Get(serverName); had != nil {
			told, err := judgeServer(had, snippet)
			return t, told, err
		}
		for _, m := range list.Members {
			if runs([]string{"mcp"}, commandOf(m.Value)...) {
				return t, fmt.Sprintf("the entry %q runs gitlet already: kept", m.Name), nil
			}
		}
		return with(jsonc.AddMember(t.data, list, serverName, entry)), "", nil
	}
}

// judgeServer looks at an entry that is there under gitlet's name.
func judgeServer(had *jsonc.Value, snippet []string) (string, error) {
	command := commandOf(had)
	switch {
	case had.Kind != jsonc.Object:
		return "", alone("take it out, then run gitlet init again", snippet, "the entry %q is %v", serverName, had.Kind)
	case runs([]string{"mcp"}, command...):
		if c := had.Get("command"); c != nil && c.Text != Program {
			return fmt.Sprintf("the entry %q runs %q: kept", serverName, c.Text), nil
		}
		return "", nil
	}
	return "", alone("take it out or rename it, then run gitlet init again", snippet, "the entry %q runs something else, not gitlet mcp", serverName)
}

func commandOf(entry *jsonc.Value) []string {
	if entry == nil || entry.Kind != jsonc.Object {
		return nil
	}
	var out []string
	if c := entry.Get("command"); c != nil && c.Kind == jsonc.String {
		out = append(out, c.Text)
	}
	return append(out, entry.Get("args").Strings()...)
}

// removeServer takes the entry out, and what was made to hold it.
func removeServer(entry []jsonc.Pair) edit {
	add := addServer(entry)
	return func(t text) (text, string, error) {
		d, err := parseJSON(t, nil)
		if err != nil || d.Root == nil {
			return t, "", err
		}
		list := d.Root.Get(servers)
		at := memberAt(list, serverName)
		if at < 0 {
			return t, "", nil
		}
		if !runs([]string{"mcp"}, commandOf(list.Members[at].Value)...) {
			return t, fmt.Sprintf("the entry %q does not run gitlet: kept", serverName), nil
		}
		entryOut := with(jsonc.Remove(t.data, list, at))
		candidates := append(unfresh(t, d.Root), with(jsonc.Remove(t.data, d.Root, memberAt(d.Root, servers))), entryOut)
		if was, ok := undone(t, add, candidates...); ok {
			return was, "", nil
		}
		return entryOut, "", nil
	}
}

// memberAt is the place of the last member of that name, -1 for none.
func memberAt(obj *jsonc.Value, name string) int {
	if obj != nil && obj.Kind == jsonc.Object {
		for i := len(obj.Members) - 1; i >= 0; i-- {
			if obj.Members[i].Name == name {
				return i
			}
		}
	}
	return -1
}

func snippetOf(v any) []string {
	return splitLines(jsonc.Style{Indent: "  ", NL: "\n"}.Render(v, ""))
}
