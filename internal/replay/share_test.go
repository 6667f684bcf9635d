package replay

import (
	"bytes"
	"strings"
	"testing"

	"gitlet/internal/model"
	"gitlet/internal/rerere"
	"gitlet/internal/wire"
)

const conflicted = "head\n<<<<<<< x\none\n=======\nthe other\n>>>>>>> y\ntail\n"

// docFor is a shared resolution of the conflicts in a file.
func docFor(c *rerere.Conflict, to ...string) model.Resolution {
	r := model.Resolution{Conflict: c.ID, Agent: "codex-ci-1a2b3c"}
	for i, h := range c.Hunks {
		r.Hunks = append(r.Hunks, model.ResolutionHunk{One: []byte(h.One), Two: []byte(h.Two), To: []byte(to[i])})
	}
	return r
}

func TestSolveTakesOnlyWhatFitsExactly(t *testing.T) {
	c, ok := rerere.Read([]byte(conflicted), "sha1")
	if !ok {
		t.Fatal("not read")
	}
	good := docFor(c, "both\n")
	if out, ok := solve(c, good, "sha1"); !ok || string(out) != "head\nboth\ntail\n" {
		t.Errorf("%q %v", out, ok)
	}
	other := docFor(c, "both\n")
	other.Conflict = strings.Repeat("0", 40)
	sides := docFor(c, "both\n")
	sides.Hunks[0].Two = []byte("another\n")
	more := docFor(c, "both\n")
	more.Hunks = append(more.Hunks, more.Hunks[0])
	for name, bad := range map[string]model.Resolution{
		"another conflict": other, "another side": sides, "one more": more,
		"no whole line":     docFor(c, "both"),
		"a conflict inside": docFor(c, "<<<<<<< x\na\n=======\nb\n>>>>>>> y\n"),
		"no text":           docFor(c, "a\x00b\n"),
	} {
		if out, ok := solve(c, bad, "sha1"); ok {
			t.Errorf("%s gives %q", name, out)
		}
	}
}

// FuzzShared reads whatever a peer may put on the remote and uses it for a conflict: what
// comes of it holds no conflict, and what stands around the conflicts is untouched.
func FuzzShared(f *testing.F) {
	c, _ := rerere.Read([]byte(conflicted), "sha1")
	good, _, err := wire.EncodeResolution(docFor(c, "both\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, []byte(conflicted))
	f.Add([]byte(`{"format":1}`), []byte(conflicted))
	f.Add(bytes.Replace(good, []byte("Ym90aAo="), []byte("PDw8PDw8PCB4Cg=="), 1), []byte(conflicted))
	f.Add(bytes.Replace(good, []byte(`"hunks":[`), []byte(`"hunks":[null,`), 1), []byte(conflicted))
	f.Fuzz(func(t *testing.T, doc, file []byte) {
		c, ok := rerere.Read(file, "sha1")
		if !ok {
			return
		}
		r, _, err := wire.DecodeResolution(doc, c.ID)
		if err != nil {
			return
		}
		out, ok := solve(c, r, "sha1")
		if !ok {
			return
		}
		if _, still := rerere.Read(out, "sha1"); still {
			t.Fatalf("a conflict is left in %q", out)
		}
		var empty [][]byte
		size := len(out)
		for _, h := range r.Hunks {
			empty = append(empty, nil)
			size -= len(h.To)
		}
		if around, ok := c.Solve(empty); !ok || len(around) != size {
			t.Fatalf("%d bytes around the conflicts, not %d", size, len(around))
		}
	})
}
