package test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"gitlet/internal/bus"
	"gitlet/internal/git/gittest"
)

// allowBad is the file that tells the final check of a scenario's remote that it
// holds bad documents on purpose.
const allowBad = ".bad-documents"

func cmdAllowBad(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.WriteFile(work(ts, allowBad), nil, 0o644))
}

// cmdEdits changes a file N times, running a command after each.
func cmdEdits(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	file := ts.MkAbs(args[0])
	data, err := os.ReadFile(file)
	ts.Check(err)
	for i := range n {
		edited := bytes.Replace(data, []byte("return "), fmt.Appendf(nil, "return %d and ", i+1), 1)
		ts.Check(os.WriteFile(file, edited, 0o644))
		ts.Check(ts.Exec(args[2], args[3:]...))
	}
}

// cmdTreeHash sets a variable to a hash over every file below a folder: names, modes,
// times and contents.
func cmdTreeHash(ts *testscript.TestScript, neg bool, args []string) {
	h := sha256.New()
	root := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %s\n", p, info.Mode())
		if d.Type().IsRegular() {
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%d %s\n", info.ModTime().UnixNano(), data)
		}
		return nil
	}))
	ts.Setenv(args[1], hex.EncodeToString(h.Sum(nil)))
}

func cmdEqual(ts *testscript.TestScript, neg bool, args []string) {
	if (args[0] == args[1]) == neg {
		ts.Fatalf("%q and %q", args[0], args[1])
	}
}

// cmdPublishDocument puts a file on the remote as an agent's state, by plain git.
func cmdPublishDocument(ts *testscript.TestScript, neg bool, args []string) {
	data, err := os.ReadFile(args[1])
	ts.Check(err)
	publishRaw(ts, args[0], data)
}

// cmdPublishNoise puts that many bytes on the remote as an agent's state.
func cmdPublishNoise(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	publishRaw(ts, args[0], bytes.Repeat([]byte("{"), n))
}

func publishRaw(ts *testscript.TestScript, agent string, data []byte) {
	dir := work(ts, ".publish")
	ts.Check(os.RemoveAll(dir))
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(os.WriteFile(filepath.Join(dir, "state.json"), data, 0o644))
	git(ts, dir, "init", "-q", "-b", "x")
	git(ts, dir, "add", "-A")
	git(ts, dir, "commit", "-q", "-m", "gitlet: state")
	git(ts, dir, "push", "-q", "../remote.git", "HEAD:"+bus.StateRef(agent))
}

func cmdRemoteHas(ts *testscript.TestScript, neg bool, args []string) { remoteHolds(ts, args[0], true) }

func cmdRemoteHasNot(ts *testscript.TestScript, neg bool, args []string) {
	remoteHolds(ts, args[0], false)
}

// remoteHolds looks for a word in every object of the remote, reachable or not.
func remoteHolds(ts *testscript.TestScript, word string, want bool) {
	dir := work(ts, "remote.git")
	all := git(ts, dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
	found := false
	for line := range strings.Lines(all) {
		oid, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "blob" || kind == "commit" {
			found = found || strings.Contains(git(ts, dir, "cat-file", kind, oid), word)
		}
	}
	if found != want {
		ts.Fatalf("%q on the remote: %v", word, found)
	}
}

// cmdRemoteRefs counts gitlet's refs of one kind on the remote: agents, claims, wip.
func cmdRemoteRefs(ts *testscript.TestScript, neg bool, args []string) {
	out := git(ts, work(ts, "remote.git"), "for-each-ref", "--format=%(refname)", bus.Namespace+args[0])
	if n := strings.Count(out, "\n"); strconv.Itoa(n) != args[1] {
		ts.Fatalf("the remote holds %d refs of %s, not %s:\n%s", n, args[0], args[1], out)
	}
}

// cmdGitCalls runs a command and compares the git subcommands that gitlet ran for it,
// in order, with the first argument.
func cmdGitCalls(ts *testscript.TestScript, neg bool, args []string) {
	trace := ts.Getenv("GIT_TRACE2_EVENT")
	before, err := gittest.ReadTrace(trace)
	ts.Check(err)
	ts.Check(ts.Exec(args[1], args[2:]...))
	after, err := gittest.ReadTrace(trace)
	ts.Check(err)
	var calls []string
	for _, p := range after[len(before):] {
		if p.Started() {
			calls = append(calls, p.Command()[0])
		}
	}
	if got := strings.Join(calls, " "); got != args[0] {
		ts.Fatalf("gitlet ran: %s\nwant:       %s", got, args[0])
	}
}
