package cli_test

import (
	"gitlet/internal/verb"
	"gitlet/internal/verb/verbtest"
)

// goldenTable is the table whose help pages are kept in testdata/help.
func goldenTable() []verb.Spec { return verbtest.Table() }
