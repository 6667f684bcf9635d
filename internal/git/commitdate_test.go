package git

import (
	"testing"
	"time"
)

func TestCommitterTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"tree 1\nauthor A <a@x> 100 +0000\ncommitter C <c@x> 200 +0100\n\nm": 200,
		"tree 1\ncommitter a > b <c@x> 300 +0000\n":                          300,
		"tree 1\ncommitter C <c@x> -5 +0000\n\ncommitter D <d@x> 7 +0000":    -5,
		"tree 1\n\ncommitter D <d@x> 7 +0000":                                0,
		"tree 1\ncommitter C <c@x>\n\n":                                      0,
		"tree 1\ncommitter C <c@x> soon +0000\n\n":                           0,
		"committer": 0,
		"":          0,
	} {
		at, ok := CommitterTime([]byte(text))
		if ok != (want != 0) || ok && !at.Equal(time.Unix(want, 0)) {
			t.Errorf("%q: %v, %v; want %d", text, at, ok, want)
		}
	}
}

func FuzzCommitterTime(f *testing.F) {
	f.Add([]byte("tree 1\ncommitter C <c@x> 200 +0100\n\nm"))
	f.Fuzz(func(t *testing.T, b []byte) { CommitterTime(b) })
}
