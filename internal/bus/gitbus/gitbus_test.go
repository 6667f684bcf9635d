package gitbus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/bus/bustest"
	"gitlet/internal/git"
	"gitlet/internal/git/gittest"
)

func TestMain(m *testing.M) { os.Exit(gittest.Main(m)) }

var agents = [2]string{"claude-code-one-000001", "codex-two-000002"}

// world is a suite's World over real git: a bare remote and two clones, or one
// repository with a linked worktree.
type world struct {
	t        *testing.T
	mode     bus.Mode
	remote   *gittest.Repo    // the bare remote, or the shared repository
	machines [2]*gittest.Repo // clones, or work trees
	outsider *git.Repo        // where documents of other programs are made
	control  string           // a folder whose files switch the remote's faults on
	front    *front           // before a remote that is reached over the network
	requests atomic.Int64     // over HTTP
	options  Options

	mu  sync.Mutex
	now time.Time
}

func newRemoteWorld(t *testing.T) *world { return newHostWorld(t, overFile) }

// newHostWorld makes a remote that two clones reach the way host says.
func newHostWorld(t *testing.T, h host) *world {
	w := &world{t: t, mode: bus.Remote, now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), control: t.TempDir()}
	w.remote = gittest.Bare(t)
	w.options = Options{Remote: "origin", Main: "main"}
	out := gittest.New(t)
	w.outsider = w.open(out)
	out.Git("remote", "add", "origin", w.remote.Dir)
	w.SetMain("the first")
	w.script("gate", gate)
	w.install("update", updateHook)
	w.install("reference-transaction", transactionHook)
	for i := range w.machines {
		w.machines[i] = w.remote.Clone()
	}
	h(w)
	return w
}

// gate is asked before every push. It counts, and does what the control folder asks for.
const gate = `
echo x >>"$control/pushes"
if test -e "$control/delay"; then sleep "$("$control/delay")"; fi
if test -e "$control/denied"; then echo "Permission denied"; exit 1; fi
if test -e "$control/intruder"; then
	for ref in $(git -C "$1" for-each-ref --format='%(refname)' refs/gitlet/agents refs/heads/gitlet.state/agents); do
		new=$(git -C "$1" commit-tree -m "$(wc -l <"$control/pushes")" 4b825dc642cb6eb9a060e54bf8d69288fbee4904)
		git -C "$1" update-ref "$ref" "$new"
	done
fi
exit 0
`

// The remote's side of a push, where the clone may choose the program.
const receivePack = `
test -d "$1" || exec git receive-pack "$1"
"$control/gate" "$1" >/dev/null || { echo "Permission denied (publickey)." >&2; exit 128; }
exec git receive-pack "$1"
`

const updateHook = `
test -e "$control/decline" || exit 0
case "$1" in "$(cat "$control/decline")"*) cat "$control/text" >&2; exit 1;; esac
`

// The ref is moved, and the process that would report it is gone.
const transactionHook = `
test "$1" = committed || exit 0
if test -e "$control/vanish"; then
	if test -e "$control/front"; then touch "$control/offline"; else mv "$PWD" "$PWD.away"; fi
	kill -9 $PPID
fi
if test -e "$control/lose"; then kill -9 $PPID; fi
`

// script writes a shell script that knows the control folder.
func (w *world) script(name, body string) string {
	path := filepath.Join(w.control, name)
	text := fmt.Sprintf("#!/bin/sh\ncontrol='%s'\n%s", w.control, body)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *world) install(hook, body string) {
	if err := os.Rename(w.script(hook, body), filepath.Join(w.remote.Dir, "hooks", hook)); err != nil {
		w.t.Fatal(err)
	}
}

func newLocalWorld(t *testing.T) *world {
	w := &world{t: t, mode: bus.Local, now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	w.remote = gittest.New(t)
	w.options = Options{Main: "main"}
	w.outsider = w.open(w.remote)
	w.SetMain("the first")
	linked := filepath.Join(t.TempDir(), "linked")
	w.remote.Git("worktree", "add", "-q", "--detach", linked, "main")
	w.machines = [2]*gittest.Repo{w.remote, gittest.At(t, linked)}
	return w
}

func (w *world) open(r *gittest.Repo) *git.Repo {
	wt, err := git.Open(w.t.Context(), r.Dir)
	if err != nil {
		w.t.Fatal(err)
	}
	return wt.Repo
}

func (w *world) Open(machine int) bus.Bus {
	o := w.options
	o.Agent, o.Now = agents[machine], w.clock
	b, err := New(w.open(w.machines[machine]), o)
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) Advance(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) Agent(machine int) string { return agents[machine] }

func (w *world) Commit(machine int, text string) string {
	r := w.machines[machine]
	return r.Git("commit-tree", "-m", text, w.outsider.EmptyTree())
}

func (w *world) SetMain(text string) string {
	oid := w.commitFile("README", []byte(text))
	w.put("refs/heads/main", oid)
	return oid
}

func (w *world) commitFile(name string, data []byte) string {
	oid, err := w.outsider.CommitFile(w.t.Context(), name, data, nil, "by another program")
	if err != nil {
		w.t.Fatal(err)
	}
	return oid
}

// put sets a ref on the remote to a commit of the outsider's, by plain git.
func (w *world) put(ref, oid string) {
	if w.mode == bus.Remote {
		w.remote.Git("fetch", "-q", w.outsider.CommonDir, oid)
	}
	w.remote.Git("update-ref", ref, oid)
}

// name is the remote's name of a shared ref.
func (w *world) name(ref string) string {
	if w.options.Namespace == "" {
		return ref
	}
	return w.options.Namespace + strings.TrimPrefix(ref, bus.Namespace)
}

func (w *world) Put(ref, file string, data []byte) { w.put(w.name(ref), w.commitFile(file, data)) }

func (w *world) Remove(ref string) { w.remote.Git("update-ref", "-d", w.name(ref)) }

func (w *world) Value(ref string) string {
	return w.remote.Git("for-each-ref", "--format=%(objectname)", w.name(ref))
}

func (w *world) Pushes() int {
	data, err := os.ReadFile(filepath.Join(w.control, "pushes"))
	if err != nil {
		return 0
	}
	return strings.Count(string(data), "\n")
}

func (w *world) Set(f bustest.Faults) {
	if away := w.remote.Dir + ".away"; w.front != nil {
		w.toggle("offline", f.Offline, "")
	} else if f.Offline {
		w.rename(w.remote.Dir, away)
		return
	} else if _, err := os.Stat(away); err == nil {
		w.rename(away, w.remote.Dir)
	}
	const gone = "refs/heads/trunk"
	kept := w.remote.Git("for-each-ref", "--format=%(objectname)", gone)
	switch {
	case f.NoMain:
		w.remote.Git("update-ref", gone, w.remote.Git("rev-parse", "refs/heads/main"))
		w.remote.Git("update-ref", "-d", "refs/heads/main")
	case kept != "":
		w.remote.Git("update-ref", "refs/heads/main", kept)
		w.remote.Git("update-ref", "-d", gone)
	}
	if w.mode == bus.Local {
		return
	}
	decline := ""
	if f.Decline != "" {
		decline = w.name(f.Decline)
	}
	w.toggle("decline", f.Decline != "", decline)
	w.toggle("text", f.Decline != "", f.Text)
	w.toggle("denied", f.Denied, "")
	w.toggle("intruder", f.Intruder, "")
	w.toggle("lose", f.LoseAnswer, "")
	w.toggle("vanish", f.Vanish, "")
}

func (w *world) toggle(name string, on bool, content string) {
	path := filepath.Join(w.control, name)
	err := os.Remove(path)
	if os.IsNotExist(err) {
		err = nil
	}
	if err == nil && on {
		err = os.WriteFile(path, []byte(content), 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) rename(from, to string) {
	if err := os.Rename(from, to); err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
}

func TestLocal(t *testing.T) {
	t.Parallel()
	bustest.Run(t, bus.Local, func(t *testing.T) bustest.World { return newLocalWorld(t) })
}
