package test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestErrorsNameTheStep holds two habits: an error says which step it was, not that
// something failed, and nobody decides by the text of an error.
func TestErrorsNameTheStep(t *testing.T) {
	banned := []struct {
		re  *regexp.Regexp
		why string
	}{
		{regexp.MustCompile(`(Errorf|errors\.New)\("(failed|unable|could not|cannot) to? ?`), "name the step instead: \"read the index: %w\""},
		{regexp.MustCompile(`strings\.(Contains|HasPrefix|HasSuffix|EqualFold)\([a-z]*[eE]rr\.Error\(\)`), "match errors by type, with errors.Is or errors.As"},
	}
	for _, f := range goFiles(t) {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(src), "\n") {
			for _, b := range banned {
				if b.re.MatchString(line) {
					t.Errorf("%s:%d: %s\n\t%s", strings.TrimPrefix(f, "../"), i+1, b.why, strings.TrimSpace(line))
				}
			}
		}
	}
}
