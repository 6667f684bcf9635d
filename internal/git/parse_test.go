package git

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const (
	oidA = "34b9c5b3c271073dd7bc20f894e48a7436a39620"
	oidB = "741ee70096d7539afc65737ad2e46cf451b5714a"
	oid0 = "0000000000000000000000000000000000000000"
)

var oid256 = strings.Repeat("ab", 32)

// nul spells NUL-separated text readably: "|" is NUL.
func nul(s string) []byte { return []byte(strings.ReplaceAll(s, "|", "\x00")) }

func check[T any](t *testing.T, name string, got T, err error, want T, fails bool) {
	t.Helper()
	if fails != (err != nil) {
		t.Errorf("%s: error %v", name, err)
	} else if !fails && !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
	}
}

func fails(t *testing.T, name string, err error) {
	t.Helper()
	if err == nil {
		t.Errorf("%q was accepted", name)
	}
}

func TestParseVersion(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"git version 2.39.5\n": "2.39.5", "git version 2.39.5 (Apple Git-154)": "2.39.5",
		"git version 2.30.0.windows.1": "2.30.0", "git version 2.45.0-rc1": "2.45.0", "git version 2.46.GIT": "2.46.0",
		"git version 2.46.0.1.g1234": "2.46.0", "git version 3.0": "3.0.0",
		"git version 2": "2.0.0", "git version x": "", "fit version 2.3.4": "", "": "", "git version 2.x": "", "git version ..": "",
	} {
		v, err := parseVersion(s)
		check(t, s, v.String(), err, want, want == "")
	}
	if (Version{2, 38, 0}).MergeTree() != true || (Version{2, 37, 9}).MergeTree() || !(Version{2, 29, 0}).Less(Version{2, 29, 1}) || (Version{3, 0, 0}).Less(Version{2, 99, 9}) {
		t.Error("version order")
	}
}

func TestParseConfig(t *testing.T) {
	t.Parallel()
	const g, l = "global|file:/h/a b|", "local|file:.git/config|"
	c, err := parseConfig(nul(g + "user.name\nA B|" + g + "gitlet.lease\n10m|" + l + "gitlet.Lease\n5m|" + l + "core.bare|" +
		l + "remote.Up Stream.x.url\nu\nv|command|command line:|empty\n|" + l + "REMOTE.a.PushURL\np|" + l + "remote.a.url\nq|"))
	if err != nil {
		t.Fatal(err)
	}
	if got := append(c.Places("gitlet.LEASE"), c.Places("empty")...); !slices.Equal(got,
		[]string{`"/h/a b", global`, `".git/config", local`, "command line, command"}) {
		t.Errorf("places %q", got)
	}
	if _, err := parseConfig(nul("local|file:x|a.b\nc|local|")); err == nil {
		t.Error("half a record is no setting")
	}
	for key, want := range map[string][]string{
		"user.name": {"A B"}, "GITLET.LEASE": {"10m", "5m"}, "core.bare": {"true"}, "remote.Up Stream.x.URL": {"u\nv"},
		"remote.up stream.x.url": nil, "empty": {""}, "remote.A.url": nil,
	} {
		if got := c.All(key); !reflect.DeepEqual(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if v, _ := c.Get("gitlet.lease"); v != "5m" {
		t.Errorf("the last value wins: %q", v)
	}
	want := []RemoteInfo{{"Up Stream.x", "u\nv", "u\nv"}, {"a", "q", "p"}}
	if got := c.Remotes(); !reflect.DeepEqual(got, want) {
		t.Errorf("remotes %+v, want %+v", got, want)
	}
	for v, want := range map[string]bool{"true": true, "YES": true, "on": true, "1": true, "-1": true, "0": false, "": false, "off": false} {
		if got, err := ParseBool("k", v); err != nil || got != want {
			t.Errorf("bool %q: %v %v", v, got, err)
		}
	}
	if _, err := ParseBool("k", "maybe"); err == nil {
		t.Error("maybe is no boolean")
	}
}

func TestParseRefs(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]map[string]string{
		"":                       {},
		oidA + " refs/heads/a\n": {"refs/heads/a": oidA},
		oidA + " refs/heads/ä b\n" + oid256 + " refs/x\n": {"refs/heads/ä b": oidA, "refs/x": oid256},
		"warning refs/heads/a\n":                          nil,
		oidA + "\n":                                       nil,
		oidA + " \n":                                      nil,
		"\n":                                              nil,
	} {
		got, err := parseRefs([]byte(in), ' ')
		check(t, in, got, err, want, want == nil)
	}
}

func TestParseSymrefs(t *testing.T) {
	t.Parallel()
	const a, b = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	for in, want := range map[string]struct {
		n    int
		head string
	}{
		"": {},
		"ref: refs/heads/trunk\tHEAD\n" + a + "\tHEAD\n" + a + "\trefs/heads/trunk\n" + b + "\trefs/tags/v1\n" + a + "\trefs/tags/v1^{}\n": {2, "refs/heads/trunk"},
		// A HEAD that dangles, or names a commit only.
		"ref: refs/heads/gone\tHEAD\n" + a + "\trefs/heads/trunk\n": {1, ""},
		a + "\tHEAD\n" + a + "\trefs/heads/trunk\n":                 {1, ""},
		// Other symbolic refs say nothing of HEAD.
		"ref: refs/heads/trunk\trefs/heads/alias\n" + a + "\trefs/heads/alias\n" + a + "\trefs/heads/trunk\n": {2, ""},
	} {
		refs, head, err := parseSymrefs([]byte(in))
		if err != nil || len(refs) != want.n || head != want.head {
			t.Errorf("%q: %v %q %v", in, refs, head, err)
		}
	}
	if _, _, err := parseSymrefs([]byte("nonsense\n")); err == nil {
		t.Error("nonsense is taken")
	}
}

func TestParseObjectLine(t *testing.T) {
	t.Parallel()
	for in, ok := range map[string]bool{
		oidA + " blob 12": true, oid256 + " commit 0": true, oidA + " missing": false, "HEAD:a b missing": false,
		oidA + " ambiguous": false, oidA + " blob -1": false, oidA + " blob x": false, oidA + " thing 1": false, "": false,
		oidA[1:] + " blob 1": false,
	} {
		if _, got := parseObjectLine(in); got != ok {
			t.Errorf("%q: %v", in, got)
		}
	}
}

func TestParseTree(t *testing.T) {
	t.Parallel()
	got, err := parseTree(nul("100644 blob " + oidA + "\ta\tb\nc|160000 commit " + oidB + "\tsub|"))
	check(t, "tree", got, err, []TreeEntry{{"100644", "blob", oidA, "a\tb\nc"}, {"160000", "commit", oidB, "sub"}}, false)
	if !got[1].Gitlink() || got[0].Gitlink() {
		t.Error("gitlinks")
	}
	for _, bad := range []string{"100644 blob " + oidA + " a|", "100644 blob x\ta|", "1 blob " + oidA + "\ta|", "100644 blob " + oidA + "\t|"} {
		_, err := parseTree(nul(bad))
		fails(t, bad, err)
	}
}

func TestParseRaw(t *testing.T) {
	t.Parallel()
	got, err := parseRaw(nul(":100644 100755 " + oidA + " " + oidB + " M|a\nb|" +
		":100644 100644 " + oidA + " " + oidB + " R087|old -> x|new|" +
		":000000 160000 " + oid0 + " " + oidB + " A|sub|" + ":120000 000000 " + oidA + " " + oid0 + " D|link|"))
	check(t, "raw", got, err, []Change{
		{'M', 0, "100644", "100755", oidA, oidB, "a\nb", "a\nb"},
		{'R', 87, "100644", "100644", oidA, oidB, "old -> x", "new"},
		{'A', 0, "000000", "160000", oid0, oidB, "sub", "sub"},
		{'D', 0, "120000", "000000", oidA, oid0, "link", "link"},
	}, false)
	if !got[2].Gitlink() || got[0].Gitlink() {
		t.Error("gitlinks")
	}
	for _, bad := range []string{"x|a|", ":100644 100644 " + oidA + " " + oidB + " M|", ":100644 100644 " + oidA + " " + oidB + " R50|a|",
		":100644 100644 " + oidA + " " + oidB + " Rx|a|b|", ":100644 100644 " + oidA + " " + oidB + " Z|a|", ":100644 100644 " + oidA + " M|a|",
		"::100644 100644 " + oidA + " " + oidB + " M|a|"} {
		_, err := parseRaw(nul(bad))
		fails(t, bad, err)
	}
}

func TestParseCommitChanges(t *testing.T) {
	t.Parallel()
	got, err := parseCommitChanges(nul(oidA + "|:000000 100644 " + oid0 + " " + oidB + " A|a b|" +
		oidB + "|::100644 100644 100755 " + oidA + " " + oidB + " " + oid0 + " MM|both|" + oid0 + "|"))
	check(t, "changes", got, err, []CommitChange{{oidA, "a b", "100644", oidB}, {oidB, "both", "100755", oid0}}, false)
	for _, bad := range []string{":000000 100644 " + oid0 + " " + oidB + " A|a|", oidA + "|x|a|", oidA + "|:000000 100644 " + oid0 + " " + oidB + " A|",
		oidA + "|::000000 100644 " + oid0 + " " + oidB + " A|a|"} {
		_, err := parseCommitChanges(nul(bad))
		fails(t, bad, err)
	}
}

func TestParseStatus(t *testing.T) {
	t.Parallel()
	got, err := parseStatus(nul("# branch.oid " + oidA + "|# branch.head feature/x|# stash 3|# branch.upstream o/x|" +
		"1 .M N... 100644 100644 100755 " + oidA + " " + oidA + " a b -> c|" +
		"1 A. SC.. 000000 160000 160000 " + oid0 + " " + oidB + " sub|" +
		"2 R. N... 100644 100644 100644 " + oidA + " " + oidA + " R100 new|old|" +
		"u UU N... 100644 100644 100644 100644 " + oid0 + " " + oidA + " " + oidB + " both\nways|" +
		"? un tracked|? nested/|! ignored|"))
	want := &Status{Head: Head{OID: oidA, Branch: "feature/x"}, Untracked: []string{"un tracked", "nested/"}, Entries: []StatusEntry{
		{Path: "a b -> c", Index: '.', Tree: 'M', HeadMode: "100644", IndexMode: "100644", TreeMode: "100755", HeadOID: oidA, IndexOID: oidA},
		{Path: "sub", Index: 'A', Tree: '.', Submodule: true, HeadMode: "000000", IndexMode: "160000", TreeMode: "160000", HeadOID: oid0, IndexOID: oidB},
		{Path: "new", Index: 'R', Tree: '.', HeadMode: "100644", IndexMode: "100644", TreeMode: "100644", HeadOID: oidA, IndexOID: oidA},
		{Path: "both\nways", Index: 'U', Tree: 'U', Unmerged: true, HeadMode: "100644", HeadOID: oidA, IndexMode: "000000", IndexOID: oid0, TreeMode: "100644"},
	}}
	check(t, "status", got, err, want, false)
	got, err = parseStatus(nul("# branch.oid (initial)|# branch.head main|"))
	check(t, "unborn", got, err, &Status{Head: Head{Branch: "main"}}, false)
	got, err = parseStatus(nul("# branch.oid " + oidA + "|# branch.head (detached)|"))
	check(t, "detached", got, err, &Status{Head: Head{OID: oidA}}, false)
	if !got.Clean() || !got.Head.Detached() || got.Head.Unborn() {
		t.Error("detached and clean")
	}
	for _, bad := range []string{"x y|", "1 .M N... 100644 100644 100644 " + oidA + " " + oidA + "|", "1 M N... 1 1 1 a b c|", "u UU N... a|", "?|",
		"2 R. N... 100644 100644 100644 " + oidA + " " + oidA + " R100 new|"} {
		_, err := parseStatus(nul(bad))
		fails(t, bad, err)
	}
}

func TestParseMergeTree(t *testing.T) {
	t.Parallel()
	got, err := parseMergeTree(nul(oidA+"|"), false)
	check(t, "clean", got, err, &Merge{Tree: oidA}, false)
	got, err = parseMergeTree(nul(oidA+"||1|a|Auto-merging|Auto-merging a\n|"), false)
	check(t, "clean with a message", got, err, &Merge{Tree: oidA, Messages: []MergeMessage{{[]string{"a"}, "Auto-merging", "Auto-merging a\n"}}}, false)
	got, err = parseMergeTree(nul(oidA+"|100644 "+oidA+" 1\tb c|100644 "+oidB+" 2\tb c|100644 "+oidB+" 3\ta||2|a|b c|CONFLICT (contents)|text|"), true)
	check(t, "conflict", got, err, &Merge{Tree: oidA, Conflicts: []MergeConflict{
		{"a", [4]Stage{3: {"100644", oidB}}}, {"b c", [4]Stage{1: {"100644", oidA}, 2: {"100644", oidB}}}},
		Messages: []MergeMessage{{[]string{"a", "b c"}, "CONFLICT (contents)", "text"}}}, false)
	if got.Clean() || !reflect.DeepEqual(got.Files(), []string{"a", "b c"}) {
		t.Errorf("files %q", got.Files())
	}
	got, err = parseMergeTree(nul(oidA+"||1|d|CONFLICT (directory rename suggested)|text|"), true)
	check(t, "conflict without stages", got, err, &Merge{Tree: oidA, Conflicts: []MergeConflict{{Path: "d"}},
		Messages: []MergeMessage{{[]string{"d"}, "CONFLICT (directory rename suggested)", "text"}}}, false)
	for _, bad := range []string{"", "fatal|", oidA + "|x|", oidA + "|100644 " + oidA + " 4\ta|", oidA + "||9|a|", oidA + "||x|a|b|c|", oidA + "|", oidA + "||-1|a|b|"} {
		_, err := parseMergeTree(nul(bad), true)
		fails(t, bad, err)
	}
}

func TestParseLog(t *testing.T) {
	t.Parallel()
	got, err := parseLog(nul(oidA + "|" + oidB + " " + oid0 + "|A|a@x|100|Subject|Subject\n\nGitlet-Item: 12\n  gitlet-item : 34 \n|" +
		oidB + "||||5|||"))
	if err != nil || len(got) != 2 || len(got[0].Parents) != 2 || len(got[1].Parents) != 0 || got[0].Time.Unix() != 100 || got[1].Subject != "" {
		t.Fatalf("%+v %v", got, err)
	}
	if tr := got[0].Trailer("gitlet-ITEM"); !reflect.DeepEqual(tr, []string{"12", "34"}) {
		t.Errorf("trailers %q", tr)
	}
	for _, bad := range []string{oidA + "|", "x|" + oidB + "|A|a@x|100|S|M|", oidA + "|" + oidB + "|A|a@x|noon|S|M|"} {
		_, err := parseLog(nul(bad))
		fails(t, bad, err)
	}
}

func TestParseWorktrees(t *testing.T) {
	t.Parallel()
	for _, sep := range []string{"\x00", "\n"} {
		in := strings.ReplaceAll("worktree /a b|HEAD "+oidA+"|branch refs/heads/x/y||worktree /c|HEAD "+oidB+"|detached||"+
			"worktree /d|bare||worktree /e|HEAD "+oid0+"|branch refs/heads/u|locked why|prunable gitdir file points to nowhere||", "|", sep)
		want := []WorktreeInfo{{Path: "/a b", Head: oidA, Branch: "x/y"}, {Path: "/c", Head: oidB}, {Path: "/d", Bare: true},
			{Path: "/e", Branch: "u", Prunable: "gitdir file points to nowhere"}}
		if got := parseWorktrees(in, sep); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v", got)
		}
	}
}

func TestParsePush(t *testing.T) {
	t.Parallel()
	line := func(flag, summary string) string { return flag + "\t" + oidA + ":refs/gitlet/x\t" + summary + "\n" }
	for summary, want := range map[string]PushStatus{
		line("*", "[new reference]"):                                   PushAccepted,
		line(" ", "a..b"):                                              PushAccepted,
		line("+", "a...b (forced update)"):                             PushAccepted,
		"-\t:refs/gitlet/x\t[deleted]\n":                               PushAccepted,
		line("=", "[up to date]"):                                      PushUpToDate,
		line("!", "[rejected] (stale info)"):                           PushStale,
		line("!", "[rejected] (non-fast-forward)"):                     PushNonFastForward,
		line("!", "[rejected] (fetch first)"):                          PushNonFastForward,
		line("!", "[rejected] (already exists)"):                       PushNonFastForward,
		line("!", "[rejected] (atomic push failed)"):                   PushFailed,
		line("!", "[remote rejected] (failed to update ref)"):          PushRaced,
		line("!", "[remote rejected] (reference already exists)"):      PushRaced,
		line("!", "[remote rejected] (incorrect old value provided)"):  PushRaced,
		line("!", "[remote rejected] (pre-receive hook declined)"):     PushRefused,
		line("!", "[remote rejected] (deny updating a hidden ref)"):    PushRefused,
		line("!", "[remote rejected] (GH013: rule (x) says no)"):       PushRefused,
		line("!", "[remote failure] (remote failed to report status)"): PushFailed,
		line("?", "[new thing]"):                                       PushUnknown,
	} {
		got := parsePush([]byte("To file:///a:b\n" + summary + "Done\n"))
		if len(got) != 1 || got[0].Ref != "refs/gitlet/x" || got[0].Status != want {
			t.Errorf("%q: %+v, want %s", summary, got, want)
		}
	}
	got := parsePush([]byte(line("!", "[remote rejected] (GH013: rule (x) says no)")))
	if got[0].Summary != "[remote rejected]" || got[0].Reason != "GH013: rule (x) says no" {
		t.Errorf("%+v", got[0])
	}
	if got := parsePush([]byte("a\tb\n\n!\tx\ty\nlong\ta:b\tc\n")); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestRemoteLines(t *testing.T) {
	t.Parallel()
	got := remoteLines("remote: one   \x1b[K\nremote: \nfatal: x\nremote:Counting: 1%\rremote: two\r\nerror: remote: no\n")
	if want := []string{"one", "Counting: 1%", "two"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestParseAttributes(t *testing.T) {
	t.Parallel()
	got, err := parseAttributes(nul("a b|filter|lfs|c|filter|unspecified|"))
	check(t, "attributes", got, err, map[string]string{"a b": "lfs", "c": "unspecified"}, false)
	_, err = parseAttributes(nul("a|filter|"))
	fails(t, "short", err)
}

func TestUnwritableHere(t *testing.T) {
	t.Parallel()
	for stderr, want := range map[string]string{
		"error: unable to create temporary file: Read-only file system\nfatal: failed to write object":                   "it is read-only",
		"fatal: Unable to create '/r/.git/index.lock': Read-only file system":                                            "it is read-only",
		"fatal: cannot lock ref 'refs/x': Unable to create '/r/.git/refs/x.lock': No space left on device":               "the disk is full",
		"fatal: write error: Disk quota exceeded":                                                                        "the quota is used up",
		"error: insufficient permission for adding an object to repository database .git/objects\n":                      "permission denied",
		"fatal: cannot lock ref 'refs/x': Unable to create '/r/.git/refs/x.lock': Permission denied":                     "permission denied",
		"remote: fatal: write error: No space left on device\nfatal: the remote end hung up":                             "",
		"git@host: Permission denied (publickey).\nfatal: Could not read from remote repository.":                        "",
		"fatal: Unable to create '/r/.git/index.lock': File exists.":                                                     "",
		"error: open(\"run.py\"): Permission denied\nerror: unable to index file 'run.py'\nfatal: updating files failed": "",
		"fatal: bad revision 'No space left on device'":                                                                  "",
	} {
		got := ""
		var u *UnwritableError
		for _, c := range []class{localRead, localWrite, treeChange, fetching} {
			if got = ""; errors.As(classify(c, stderr), &u) {
				got = u.Why
			}
			if got != want {
				t.Errorf("%q: %q, want %q", stderr, got, want)
			}
			u = nil
		}
		if errors.As(classify(pushing, stderr), &u) {
			t.Errorf("%q: a push says nothing about this side's disk", stderr)
		}
	}
}

func TestClassify(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		class  class
		stderr string
		want   error
	}{
		{localRead, "fatal: not a git repository (or any of the parent directories): .git", ErrNotRepository},
		{localRead, "fatal: detected dubious ownership in repository at '/x'", ErrDubious},
		{localWrite, "fatal: cannot lock ref 'refs/x': is at " + oidA + " but expected " + oidB, ErrRefMoved},
		{localWrite, "fatal: cannot lock ref 'refs/x': reference already exists", ErrRefMoved},
		{localWrite, "fatal: cannot lock ref 'refs/x': unable to resolve reference 'refs/x'", ErrRefMoved},
		{localWrite, "fatal: cannot lock ref 'refs/x': Unable to create '/r/.git/refs/x.lock': File exists.", ErrRefLocked},
		{localWrite, "fatal: cannot lock ref 'refs/a/b': 'refs/a' exists; cannot create 'refs/a/b'", ErrRefName},
		{localWrite, "fatal: invalid ref format: refs/a..b", ErrRefName},
		{treeChange, "fatal: a branch named 'x' already exists", ErrExists},
		{treeChange, "fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process", ErrIndexLocked},
		{treeChange, "error: Your local changes to the following files would be overwritten by checkout:\n\ta b\n\tc\nPlease commit", ErrOverwrite},
		{localRead, "fatal: could not fetch " + oidA + " from promisor remote", ErrPartial},
		{localRead, "fatal: transport 'file' not allowed\nfatal: unable to read " + oidA, ErrPartial},
		{localRead, "fatal: bad revision 'x'", nil},
		{fetching, "fatal: couldn't find remote ref refs/heads/main", ErrNoRemoteRef},
		{fetching, "fatal: '/x' does not appear to be a git repository\nfatal: Could not read from remote repository.", ErrNetwork},
		{fetching, "ssh: connect to host x port 22: Connection refused\nfatal: Could not read from remote repository.", ErrNetwork},
		{fetching, "fatal: unable to access 'https://x/': Could not resolve host: x", ErrNetwork},
		{fetching, "fatal: could not read Username for 'https://x': terminal prompts disabled", ErrDenied},
		{pushing, "git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.", ErrDenied},
		{pushing, "remote: Permission to o/r.git denied to u.\nfatal: unable to access 'https://x/': The requested URL returned error: 403", ErrDenied},
		{pushing, "fatal: unable to access 'https://x/': The requested URL returned error: 500", ErrNetwork},
		{pushing, "ERROR: The key you are authenticating with has been marked as read only.\nfatal: Could not read from remote repository.", ErrDenied},
		{pushing, "ERROR: This repository was archived so it is read-only.\nfatal: Could not read from remote repository.", ErrDenied},
		{pushing, "fatal: remote error: service not enabled: /r.git", ErrDenied},
		{pushing, "fatal: remote error: access denied or repository not exported: /r.git", ErrDenied},
		{fetching, "remote: Not Found\nfatal: repository 'http://x/r.git/' not found", ErrNetwork},
		{fetching, "error: cannot lock ref 'refs/x': Unable to create '/r/.git/refs/x.lock': File exists.\nfatal: the remote end hung up unexpectedly", ErrRefLocked},
		{fetching, "fatal: bad object worktrees/gone/HEAD\nerror: file:///r did not send all necessary objects", nil},
	} {
		if got := classify(c.class, c.stderr); !(got == nil && c.want == nil) && !errors.Is(got, c.want) {
			t.Errorf("%q: %v, want %v", c.stderr, got, c.want)
		}
	}
	if f := overwritten("error: Your local changes to the following files would be overwritten by checkout:\n\ta b\n\tc\nPlease commit"); fmt.Sprint(f) != "[a b c]" {
		t.Errorf("files %q", f)
	}
}

func TestUnwritable(t *testing.T) {
	t.Parallel()
	const unpack, words = "!\trefs/x:refs/x\t[remote rejected] (unpacker error)\n", "error: remote unpack failed: unable to create temporary object directory\n"
	for _, c := range []struct {
		out, stderr string
		want        bool
	}{
		{unpack, words, true},
		{unpack, "remote: error: insufficient permission for adding an object to repository database ./objects\n", true},
		{unpack, "error: remote unpack failed: index-pack abnormal exit\n", false}, // a broken or refused object
		{unpack + "!\ta:refs/a\t[rejected] (stale info)\n", words, false},
		{"", words, false},
	} {
		if got := unwritable(parsePush([]byte(c.out)), c.stderr); got != c.want {
			t.Errorf("%q, %q: %v", c.out, c.stderr, got)
		}
	}
}

func TestQuoteAlternate(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"/a b": "/a b", "#a": `"#a"`, "/a\nb": `"/a\nb"`, `/a"b\`: `"/a\"b\\"`} {
		if got := quoteAlternate(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestBlamed(t *testing.T) {
	t.Parallel()
	paths := []string{"b.go", "a/b.go", "x"}
	for text, want := range map[string]int{
		"error: open(\"a/b.go\"): Permission denied": 1, "fatal: b.go: clean filter 'x' failed": 0, "xylophone": -1, "": -1,
	} {
		if got := blamed(text, paths); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
