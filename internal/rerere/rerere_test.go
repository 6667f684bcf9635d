package rerere_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gitlet/internal/git/gittest"
	"gitlet/internal/rerere"
)

func TestMain(m *testing.M) { os.Exit(gittest.Main(m)) }

// TestReadsAsGitDoes lets git itself record random conflicts, in each style of markers, and
// compares the id and the text.
func TestReadsAsGitDoes(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		r := gittest.New(t, "--object-format="+format)
		r.Git("config", "rerere.enabled", "true")
		rnd := rand.New(rand.NewPCG(7, 11))
		end := []string{"\n", "\r\n"}
		for i := range 8 {
			eol := end[i%2]
			r.Git("config", "merge.conflictStyle", []string{"merge", "diff3"}[i/2%2])
			base := make([]string, 12)
			for j := range base {
				base[j] = fmt.Sprintf("line %d %d", i, j)
			}
			change := func(side string) string {
				out := append([]string(nil), base...)
				for range 1 + rnd.IntN(4) {
					at := rnd.IntN(len(out))
					switch rnd.IntN(3) {
					case 0:
						out[at] = fmt.Sprintf("%s %d", side, rnd.IntN(3))
					case 1:
						out = append(out[:at:at], out[at+1:]...)
					default:
						out[at] += eol + "<<<" + side
					}
				}
				out[5] = side // so that there is a conflict at all
				return strings.Join(out, eol) + []string{eol, ""}[rnd.IntN(2)]
			}
			write := func(text string) {
				if err := os.WriteFile(filepath.Join(r.Dir, "f"), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				r.Git("add", "f")
				r.Git("commit", "-q", "-m", "x")
			}
			write(strings.Join(base, eol) + eol)
			r.Git("checkout", "-q", "-B", "side")
			write(change("theirs"))
			r.Git("checkout", "-q", "main")
			write(change("ours"))
			had := ids(t, r.Dir)
			if _, err := r.TryGit("merge", "-q", "side"); err == nil {
				t.Fatal("no conflict")
			}
			data, err := os.ReadFile(filepath.Join(r.Dir, "f"))
			if err != nil {
				t.Fatal(err)
			}
			got, ok := rerere.Read(data, format)
			if !ok {
				t.Fatalf("no conflict seen in %q", data)
			}
			text, err := os.ReadFile(filepath.Join(r.Dir, ".git/rr-cache", got.ID, "preimage"))
			if err != nil {
				t.Fatalf("git has not recorded %s but %v for\n%s", got.ID, newer(had, ids(t, r.Dir)), data)
			}
			if string(text) != string(got.Text) {
				t.Errorf("git has %q, we %q", text, got.Text)
			}
			r.Git("merge", "--abort")
		}
	}
}

func ids(t *testing.T, dir string) map[string]bool {
	all, err := os.ReadDir(filepath.Join(dir, ".git/rr-cache"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, e := range all {
		out[e.Name()] = true
	}
	return out
}

func newer(had, now map[string]bool) (out []string) {
	for id := range now {
		if !had[id] {
			out = append(out, id)
		}
	}
	return out
}

func TestNoWholeConflict(t *testing.T) {
	for _, text := range []string{
		"", "a\n", "<<<<<<< a\nb\n", "<<<<<<< a\n=======\n", "<<<<<<< a\n>>>>>>> b\n", "<<<<<<<\n=======\n>>>>>>>\n",
		"<<<<<<< a\n=======\n=======\n>>>>>>> b\n", "<<<<<<< a\n=======\n||||||| o\n>>>>>>> b\n", "\x00<<<<<<< a\n=======\n>>>>>>> b\n",
		"<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> b\n",
	} {
		if c, ok := rerere.Read([]byte(text), "sha1"); ok {
			t.Errorf("%q is read as %+v", text, c)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("a\n<<<<<<< x\n1\n||||||| b\n0\n=======\n2\n>>>>>>> y\nb"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, ok := rerere.Read(data, "sha1")
		if ok && (len(c.ID) != 40 || len(c.Hunks) == 0 || len(c.Text) == 0) {
			t.Errorf("%q: %+v", data, c)
		}
	})
}
