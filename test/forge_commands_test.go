package test

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdForge makes the remote of the machine one is on look like a repository of a forge:
// forge URL. Git still reaches the bare repository behind it.
func cmdForge(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(".")
	git(ts, dir, "config", "remote.origin.url", args[0])
	git(ts, dir, "config", "url."+work(ts, "remote.git")+".insteadOf", args[0])
}

// cmdWithGH puts the fake gh on PATH.
func cmdWithGH(ts *testscript.TestScript, neg bool, args []string) {
	dir := work(ts, ".gh")
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(os.WriteFile(dir+"/gh", []byte("#!/bin/sh\nexec fakegh \"$@\"\n"), 0o755))
	ts.Setenv("PATH", dir+string(os.PathListSeparator)+ts.Getenv("PATH"))
	ts.Setenv("FAKEGH_REPO", work(ts, "remote.git"))
}
