package test

import (
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gitlet/internal/git/gittest"
	"gitlet/internal/ledger"
)

// rotten is one way for the local state to go bad.
type rotten struct {
	name string
	// rot does it to gitlet's folder of a clone; a reason says why that is not possible
	// on this machine.
	rot  func(t *testing.T, dir string) (reason string)
	want string // in a warning of the next call
	// lasting: the cause is still there at the call after that.
	lasting bool
}

var allRotten = []rotten{
	{"deleted", func(t *testing.T, dir string) string { return removeAll(t, dir, "") }, "", false},
	{"truncated", func(t *testing.T, dir string) string {
		removeAll(t, dir, "-wal")
		return fault(t, os.Truncate(filepath.Join(dir, ledger.FileName), 5000))
	}, "moved", false},
	{"noise", func(t *testing.T, dir string) string {
		return fault(t, os.WriteFile(filepath.Join(dir, ledger.FileName), []byte(strings.Repeat("noise ", 4000)), 0o600))
	}, "moved", false},
	{"a folder in its place", func(t *testing.T, dir string) string {
		removeAll(t, dir, "")
		return fault(t, os.MkdirAll(filepath.Join(dir, ledger.FileName, "x"), 0o755))
	}, "moved", false},
	{"newer schema", func(t *testing.T, dir string) string {
		f, err := os.OpenFile(filepath.Join(dir, ledger.FileName), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		// The version a program gives its schema stands at a fixed place of the header.
		_, err = f.WriteAt(binary.BigEndian.AppendUint32(nil, 999), 60)
		return fault(t, err)
	}, "newer gitlet", true},
	{"disk full", func(t *testing.T, dir string) string { return small(t, dir, true, 0) }, "answered from what is known here", true},
	{"read-only", func(t *testing.T, dir string) string { return small(t, dir, false, syscall.MS_RDONLY) }, "answered from what is known here", true},
}

func fault(t *testing.T, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return ""
}

// removeAll deletes the ledger's file with this ending, or all of them.
func removeAll(t *testing.T, dir, ending string) string {
	files, err := filepath.Glob(filepath.Join(dir, ledger.FileName+ending+"*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		fault(t, os.Remove(f))
	}
	return ""
}

// small mounts a small file system over the folder, with what was in it: full to the
// brim, or one that takes no writes.
func small(t *testing.T, dir string, full bool, flags uintptr) string {
	t.Helper()
	had := map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, rerr := filepath.Rel(dir, p)
			if rerr != nil {
				return rerr
			}
			had[rel], err = os.ReadFile(p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		return "no small file system can be mounted: " + err.Error()
	}
	t.Cleanup(func() { fault(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	for name, data := range had {
		to := filepath.Join(dir, name)
		fault(t, os.MkdirAll(filepath.Dir(to), 0o755))
		fault(t, os.WriteFile(to, data, 0o644))
	}
	if full {
		// It is filled byte by byte at the end, so that nothing more fits.
		f, err := os.Create(filepath.Join(dir, "filler"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for chunk := 64 << 10; chunk > 0; chunk /= 2 {
			for err = nil; err == nil; {
				_, err = f.Write(make([]byte, chunk))
			}
		}
	}
	if flags != 0 {
		fault(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, ""))
	}
	return ""
}

// machine is a clone with an agent that calls verbs.
type caller struct {
	*testing.T
	repo *gittest.Repo
}

// call runs a verb and returns its result, which must not be a fault.
func (m caller) call(args ...string) (r struct {
	Outcome, Summary, OfflineSince string
	Warnings                       []string
	Data                           struct {
		Agent string
		Item  struct{ ID, Intent string }
		Items []struct{ ID, Agent, Intent string }
	}
}) {
	m.Helper()
	cmd := exec.Command("gitlet", append(args, "--json")...)
	cmd.Dir, cmd.Env = m.repo.Dir, gittest.Env(filepath.Join(m.repo.Dir, ".."))
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 1 {
		m.Fatalf("gitlet %q: %v\n%s", args, err, out)
	}
	if err := json.Unmarshal(out, &r); err != nil && args[0] == "status" {
		m.Fatalf("gitlet %q: %v\n%s", args, err, out)
	}
	return r
}

// TestLedgerRots: whatever happens to the local state, the next call goes on with what
// the refs hold, and the others see nothing of it.
func TestLedgerRots(t *testing.T) {
	t.Parallel()
	for _, c := range allRotten {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			seed := gittest.New(t)
			seed.CommitFiles("Base", "-- a.go --\npackage a\n\nfunc Load(p string) error { return nil }\n")
			remote := gittest.Bare(t)
			seed.Git("push", "-q", remote.Dir, "main")
			mine, peer := caller{t, remote.Clone()}, caller{t, remote.Clone()}
			for _, m := range []caller{mine, peer} {
				m.repo.Git("config", "gitlet.pollInterval", "0s")
				m.repo.Git("config", "gitlet.snapshotInterval", "0s")
			}
			mine.call("start", "Keep going")
			mine.repo.Write("a.go", "package a\n\nfunc Load(p string, n int) error { return nil }\n")
			was := mine.call("status")
			mine.call("claim", "a.go:Load")
			peer.call("start", "Look on")
			seen := peer.call("status")
			if len(seen.Data.Items) != 2 {
				t.Fatalf("the peer sees %+v", seen.Data.Items)
			}
			if reason := c.rot(t, filepath.Join(mine.repo.Dir, ".git", "gitlet")); reason != "" {
				t.Logf("not tried: %s", reason)
				return
			}
			for i := range 2 {
				mine.repo.Write("a.go", strings.Repeat("\n", i)+"package a\n\nfunc Load(p string, n string) error { return nil }\n")
				now := mine.call("status")
				if now.Data.Agent != was.Data.Agent || now.Data.Item != was.Data.Item || now.OfflineSince != "" {
					t.Errorf("call %d: it was %+v, and is %+v", i, was.Data, now.Data)
				}
				said := strings.Join(otherWarnings(now.Warnings), "\n")
				if c.name == "newer schema" && len(otherWarnings(now.Warnings)) != 1 {
					t.Errorf("it is said more than once: %q", said)
				}
				if (i == 0 || c.lasting) && !strings.Contains(said, c.want) || i == 1 && !c.lasting && said != "" {
					t.Errorf("call %d warns: %q", i, said)
				}
				after := peer.call("status")
				if len(after.Data.Items) != 2 || len(otherWarnings(after.Warnings)) > 0 || after.Data.Items[0] != seen.Data.Items[0] || after.Data.Items[1] != seen.Data.Items[1] {
					t.Errorf("the peer sees %+v, warned %q", after.Data.Items, after.Warnings)
				}
			}
			if r := mine.call("claim", "a.go:Load"); r.Outcome != "nothing_to_do" {
				t.Errorf("the claim from before: %s: %s", r.Outcome, r.Summary)
			}
			checkRemote(t, remote.Dir)
		})
	}
}
