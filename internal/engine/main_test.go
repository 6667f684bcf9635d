package engine

import (
	"os"
	"testing"

	"gitlet/internal/bug"
	"gitlet/internal/git/gittest"
)

func TestMain(m *testing.M) {
	bug.Strict = true
	os.Exit(gittest.Main(m))
}
