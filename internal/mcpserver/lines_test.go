package mcpserver

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestLinesThatAreNoJSONAreAnsweredAndDropped(t *testing.T) {
	good := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	in := good + "\n{\"garbage\n\n\r\nnot json\n" + strings.Repeat("x", maxLine+10) + "\n" + good + "\r\n" + good
	var out, answers bytes.Buffer
	if err := filter(strings.NewReader(in), &out, &answers); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if want := strings.Repeat(good+"\n", 3); out.String() != want {
		t.Errorf("passed on %q, want %q", out.String(), want)
	}
	if got := strings.Count(answers.String(), "-32700"); got != 3 {
		t.Errorf("answered %d bad lines, want 3", got)
	}
}

func TestJSONThatIsNoMessageIsAnsweredAndDropped(t *testing.T) {
	bad := []string{`[]`, `[1,2]`, `null`, `5`, `"x"`, `{}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":5}`,
		`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`}
	good := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	var out, answers bytes.Buffer
	if err := filter(strings.NewReader(strings.Join(append(bad, good), "\n")), &out, &answers); !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if out.String() != good+"\n" {
		t.Errorf("passed on %q", out.String())
	}
	if got := strings.Count(answers.String(), "-32600"); got != len(bad) {
		t.Errorf("answered %d of %d: %s", got, len(bad), answers.String())
	}
}

func FuzzFilter(f *testing.F) {
	f.Add([]byte("{}\n[1,\n\"\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out, answers bytes.Buffer
		if err := filter(bytes.NewReader(in), &out, &answers); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if bytes.Contains(out.Bytes(), []byte("\n\n")) {
			t.Errorf("an empty line was passed on: %q", out.Bytes())
		}
	})
}
