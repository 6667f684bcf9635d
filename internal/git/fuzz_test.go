package git

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzParsers feeds every reader of git output the same bytes: none may panic or
// loop, and what they accept must keep their promises.
func FuzzParsers(f *testing.F) {
	for _, s := range []string{
		"", "|", "||", "\n", "git version 2.39.5",
		oidA + " refs/heads/a\n", oidA + "\trefs/heads/a\n", oidA + " blob 12",
		"100644 blob " + oidA + "\ta|", ":100644 100644 " + oidA + " " + oidB + " R087|old|new|",
		oidA + "|::100644 100644 100755 " + oidA + " " + oidB + " " + oid0 + " MM|both|",
		"# branch.oid " + oidA + "|1 .M N... 100644 100644 100755 " + oidA + " " + oidA + " a|",
		"u UU N... 100644 100644 100644 100644 " + oid0 + " " + oidA + " " + oidB + " b|? c|2 R. N... 100644 100644 100644 " + oidA + " " + oidA + " R100 n|o|",
		oidA + "|100644 " + oidA + " 1\tb||1|b|CONFLICT (contents)|text|",
		oidA + "|" + oidB + "|A|a@x|100|S|S\n\nk: v\n|",
		"worktree /a|HEAD " + oidA + "|branch refs/heads/x||", "user.name\nA|core.bare|",
		"!\t" + oidA + ":refs/x\t[remote rejected] (no)\n", "remote: x\r", "a|filter|lfs|",
		"false\nsha1\n/r/.git\nsha1\n.git\nsha1\n/r\n",
		"fatal: Unable to create '/r/.git/index.lock': File exists.",
		"error: x would be overwritten by checkout:\n\ta\n\tb\n",
	} {
		f.Add(nul(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := parseVersion(string(b)); err == nil && (v.Major < 0 || v.Minor < 0 || v.Patch < 0) {
			t.Errorf("version %v", v)
		}
		for _, sep := range []byte{' ', '\t'} {
			refs, err := parseRefs(b, sep)
			for name, oid := range refs {
				if err == nil && (!isOID(oid) || name == "" || strings.Contains(name, "\n")) {
					t.Errorf("ref %q %q", name, oid)
				}
			}
		}
		if o, ok := parseObjectLine(string(b)); ok && (o.Size < 0 || !isOID(o.OID)) {
			t.Errorf("object %+v", o)
		}
		if es, err := parseTree(b); err == nil {
			for _, e := range es {
				if e.Path == "" || !isOID(e.OID) || !isMode(e.Mode) {
					t.Errorf("entry %+v", e)
				}
			}
		}
		if cs, err := parseRaw(b); err == nil {
			for _, c := range cs {
				if c.Path == "" || c.OldPath == "" || !isOID(c.NewOID) {
					t.Errorf("change %+v", c)
				}
			}
		}
		if cs, err := parseCommitChanges(b); err == nil {
			for _, c := range cs {
				if c.Path == "" || !isOID(c.Commit) || !isMode(c.Mode) {
					t.Errorf("change %+v", c)
				}
			}
		}
		if s, err := parseStatus(b); err == nil {
			for _, e := range s.Entries {
				if e.Path == "" || !isMode(e.HeadMode) || !isOID(e.HeadOID) {
					t.Errorf("entry %+v", e)
				}
			}
		}
		for _, conflicted := range []bool{false, true} {
			if m, err := parseMergeTree(b, conflicted); err == nil && (m.Clean() == conflicted || !isOID(m.Tree)) {
				t.Errorf("merge %+v of %q", m, b)
			}
		}
		if l, err := parseLog(b); err == nil {
			for _, c := range l {
				c.Trailer("k")
				if !isOID(c.OID) {
					t.Errorf("commit %+v", c)
				}
			}
		}
		if c, err := parseConfig(b); err == nil {
			c.Remotes()
		}
		for _, w := range parseWorktrees(string(b), "\x00") {
			if w.Path == "" {
				t.Errorf("worktree %+v", w)
			}
		}
		for _, r := range parsePush(b) {
			if bytes.ContainsRune([]byte(r.Ref), '\n') {
				t.Errorf("ref %q", r.Ref)
			}
		}
		if a, err := parseAttributes(b); err == nil && len(a) > bytes.Count(b, []byte{0})+1 {
			t.Errorf("attributes %q", a)
		}
		remoteLines(string(b))
		splitOpen(b)
		for _, c := range []class{localRead, localWrite, fetching, pushing, treeChange} {
			if err := classify(c, string(b)); err != nil && err.Error() == "" {
				t.Errorf("empty kind")
			}
		}
	})
}
