package hook

import (
	"os"
	"path/filepath"
	"testing"
)

func TestChosenComment(t *testing.T) {
	for message, want := range map[string]string{
		"# Title\n\n; Please enter\n; the message\n": ";", "Fix\n\n# Please\n": "#", "Fix\n": "#", "": "#", "Fix\n\n% x\n\n": "%",
	} {
		if got := chosen(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

// TestReplace: the message is there as a whole, with the rights it had, and nothing is
// left beside it.
func TestReplace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "MSG")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := replace(file, []byte("new")); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	fi, serr := os.Stat(file)
	if err != nil || serr != nil || string(data) != "new" || fi.Mode().Perm() != 0o640 {
		t.Errorf("%q %v %v %v", data, err, serr, fi.Mode())
	}
	if list, err := os.ReadDir(filepath.Dir(file)); err != nil || len(list) != 1 {
		t.Errorf("%v %v", list, err)
	}
	if err := replace(file+"x", nil); err == nil {
		t.Error("a file that is not there was made")
	}
}
