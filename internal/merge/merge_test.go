package merge

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"gitlet/internal/git"
)

// byGit merges lines with the real git.
func byGit(base, ours, theirs []byte) ([]byte, bool) {
	out, conflicts, err := git.FileMerge{}.Texts(context.Background(), ours, base, theirs)
	return out, err == nil && conflicts == 0
}

// TestCases merges every case below testdata: a file's base, ours and theirs, and what is
// wanted, which is the merged file or the doubt. crlf and nonewline in the comment change
// the line ends of all of them.
func TestCases(t *testing.T) {
	for kind, do := range map[string]func(Versions, Lines) ([]byte, error){"source": Source, "changelog": Changelog} {
		files, err := filepath.Glob(filepath.Join("testdata", kind, "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases for %s: %v", kind, err)
		}
		for _, file := range files {
			t.Run(kind+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runCase(t, file, do) })
		}
	}
}

func runCase(t *testing.T, file string, do func(Versions, Lines) ([]byte, error)) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a := txtar.Parse(data)
	v := Versions{}
	var want, why []byte
	for _, f := range a.Files {
		text := f.Data
		if bytes.Contains(a.Comment, []byte("nonewline")) {
			text = bytes.TrimSuffix(text, []byte("\n"))
		}
		if bytes.Contains(a.Comment, []byte("crlf")) {
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
		}
		dir, name, _ := strings.Cut(f.Name, "/")
		switch dir {
		case "base":
			v.Base = text
		case "ours":
			v.Ours = text
		case "theirs":
			v.Theirs = text
		case "want":
			want = text
		case "doubt":
			why = bytes.TrimSpace(f.Data)
			continue
		default:
			t.Fatalf("%q is no part of a case", f.Name)
		}
		if v.Path = path.Clean(name); name == "" {
			t.Fatalf("%q has no path", f.Name)
		}
	}
	if _, conflicts, err := (git.FileMerge{}).Texts(context.Background(), v.Ours, v.Base, v.Theirs); err != nil || conflicts == 0 {
		t.Errorf("git merges this by itself (%v): the case shows nothing", err)
	}
	got, err := do(v, byGit)
	var d *DoubtError
	switch {
	case err != nil && !errors.As(err, &d):
		t.Fatalf("broke: %v", err)
	case why != nil && err == nil:
		t.Errorf("merged, and should be in doubt because %s:\n%s", why, got)
	case why != nil:
		if !strings.Contains(err.Error(), string(why)) {
			t.Errorf("doubt %q, want %q", err, why)
		}
	case err != nil:
		t.Errorf("in doubt: %v", err)
	case !bytes.Equal(got, want):
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
