package mcpserver_test

import (
	"gitlet/internal/verb"
	"gitlet/internal/verb/verbtest"
)

// goldenTable is the table whose tools are kept in testdata/tools.
func goldenTable() []verb.Spec { return verbtest.Table() }
