package mcpserver_test

import (
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

// goldenTable is the table that ships; its pages are kept in testdata.
func goldenTable() []verb.Spec { return verbs.Table() }
