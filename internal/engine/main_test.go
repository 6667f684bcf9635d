package engine

import (
	"context"
	"os"
	"slices"
	"testing"

	"gitlet/internal/bug"
	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
	"gitlet/internal/verb"
)

// otherWarnings are a result's warnings, but for the one that an old git causes.
func otherWarnings(r *verb.Result) []string {
	v, err := git.ReadVersion(context.Background())
	return slices.DeleteFunc(slices.Clone(r.Warnings), func(w string) bool { return err == nil && w == v.Limits() })
}

func TestMain(m *testing.M) {
	bug.Strict = true
	os.Exit(gittest.Main(m))
}
