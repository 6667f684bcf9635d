package test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"gitlet/internal/engine"
	"gitlet/internal/git/gittest"
	"gitlet/internal/verb"
	"gitlet/internal/verbs"
)

var (
	secretTrees = flag.Int("secrettrees", 12, "how many trees TestSecretsStayHere makes")
	secretSeed  = flag.Uint64("secretseed", 1, "where TestSecretsStayHere begins")
)

// TestSecretsStayHere makes random trees in which secrets lie where none may leave the
// machine from, lets a session share them, and looks for their bytes in every object the
// remote received.
func TestSecretsStayHere(t *testing.T) {
	for _, kv := range gittest.Env(t.TempDir()) {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") || name == "HOME" {
			t.Setenv(name, value)
		}
	}
	for i := range *secretTrees {
		seed := *secretSeed + uint64(i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) { secretTree(t, seed) })
	}
}

// Words that stand for what must stay and for what must arrive.
const (
	secretWord = "HUSHHUSH"
	publicWord = "HEARTHIS"
)

// hider makes one tree. held is set when its commits may not be pushed at all.
type hider struct {
	*gittest.Repo
	t    *testing.T
	rng  *rand.Rand
	n    int
	held bool
	did  []string
}

func secretTree(t *testing.T, seed uint64) {
	remote := gittest.Bare(t)
	base := remote.Clone()
	files := "-- main.go --\npackage main\n\nfunc Main() {}\n-- .env.example --\nA=\n-- conf/app.key --\nnone\n"
	for i := range 6 {
		files += fmt.Sprintf("-- t%d.go --\npackage main\n\nfunc T%d() {}\n", i, i)
	}
	base.CommitFiles("base", files)
	base.Git("push", "-q", "origin", "HEAD:main")
	h := &hider{Repo: remote.Clone(), t: t, rng: rand.New(rand.NewPCG(seed, 7))}
	h.Git("config", "gitlet.pollInterval", "0s")
	h.Git("config", "gitlet.snapshotInterval", "0s")
	h.Git("config", "gitlet.maxSnapshotFile", "2k")
	h.Git("config", "gitlet.snapshotUntracked", []string{"source", "all"}[h.rng.IntN(2)])
	e, err := engine.Open(t.Context(), engine.Options{Dir: h.Dir, Client: "soak", Table: verbs.Table()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	for round := range 2 {
		for range 2 + h.rng.IntN(5) {
			h.hide()
		}
		word := fmt.Sprintf("%s%d", publicWord, round)
		h.Write("main.go", "package main\n\nfunc "+word+"() {}\n")
		h.Write(fmt.Sprintf("pub%d.go", round), "package main\n\n// "+word+"\n")
		var all string
		for range 10 {
			// A verb reads the tree at once, where a tick would wait when reading is slow
			// here; the tick after it has the time to share what the verb had not.
			if r := e.Run(t.Context(), verb.Spec{Name: "look", Effects: verb.Effects{Snapshot: true}}, nothing); r.Outcome != verb.OK {
				t.Error(r.Summary)
			}
			if _, err := e.Tick(t.Context()); err != nil {
				t.Log(err)
			}
			if all = everyObject(t, remote.Dir); strings.Contains(all, "// "+word) || h.held && strings.Contains(all, word) {
				break
			}
		}
		if strings.Contains(all, secretWord) {
			i := strings.Index(all, secretWord)
			t.Fatalf("seed %d, after %q: a secret reached the remote:\n%s", seed, h.did, all[max(0, i-300):min(len(all), i+100)])
		}
		if !strings.Contains(all, word) {
			t.Errorf("seed %d, after %q: what may be shared is not", seed, h.did)
		}
		if h.held && strings.Contains(all, "// "+word) {
			t.Errorf("seed %d, after %q: the snapshot was pushed", seed, h.did)
		}
	}
}

// nothing is a verb that only has its work tree read and shared.
func nothing(context.Context, *engine.Call) (*verb.Result, error) {
	return &verb.Result{Outcome: verb.OK}, nil
}

// everyObject is the content of every object of a repository, reachable or not, and
// their names.
func everyObject(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.Command("git", "cat-file", "--batch-all-objects", "--batch")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// secret is the content of a file of that name: its definitions are as secret as the rest.
func (h *hider) secret(name string) string {
	h.n++
	word := fmt.Sprintf("%s%d", secretWord, h.n)
	if path.Ext(name) == ".go" {
		return fmt.Sprintf("package main\n\nfunc %s(k string) string { return %q }\n", word, word)
	}
	return word + "\n"
}

func (h *hider) put(name string) { h.Write(name, h.secret(name)) }

func (h *hider) pick(of ...string) string { return of[h.rng.IntN(len(of))] }

// tracked is a file of the base commit.
func (h *hider) tracked() string { return fmt.Sprintf("t%d.go", h.rng.IntN(6)) }

// denied is a name from the deny list, in any folder and any case; or any name below a
// folder of such a name.
func (h *hider) denied() string {
	h.n++
	name := h.pick(".env", ".env.local", ".envrc", "server.pem", "my.key", "c.p12", "c.pfx", "id_rsa", "id_rsa.bak", "id_ed25519",
		"id_ecdsa_sk", "a.keystore", "credentials", "credentials.json", "credentials_prod.go", "secrets.go", "secrets.yaml", ".env.go")
	switch h.rng.IntN(4) {
	case 0:
		name = strings.ToUpper(name)
	case 1:
		name = h.pick("deep/er", "a b", "ünï", "src/credentials") + "/" + name
	case 2:
		name = h.pick(".env.d", "secrets.d", "x.pem", "id_rsa.d", "my.keystore") + fmt.Sprint("/f", h.n, ".go")
	}
	return name
}

// large is a secret over the size limit.
func (h *hider) large(name string) string {
	return h.secret(name) + strings.Repeat("// "+strings.Repeat("x", 60)+"\n", 40)
}

func (h *hider) exclude(pattern string) {
	p := h.Path(".git/info/exclude")
	b, err := os.ReadFile(p)
	if err != nil && !os.IsNotExist(err) {
		h.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(p, append(b, (pattern+"\n")...), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// free makes room for a file: an earlier step may have left a folder or a file there.
func (h *hider) free(name string) bool {
	for dir := name; dir != "."; dir = path.Dir(dir) {
		info, err := os.Lstat(h.Path(dir))
		if err == nil && (dir == name || !info.IsDir()) {
			return false
		}
	}
	return true
}

// hides are the ways in which a secret lies in a tree.
var hides = []struct {
	name string
	do   func(h *hider)
}{
	{"ignored", func(h *hider) {
		name := h.pick("ign", "deep/ign", "a b/ign") + fmt.Sprint(h.n) + h.pick(".go", ".txt")
		h.exclude(path.Base(name))
		h.put(name)
	}},
	{"in an ignored folder", func(h *hider) {
		h.exclude("/out*/")
		h.put(fmt.Sprintf("out%d/x.go", h.n))
	}},
	{"skip-worktree", func(h *hider) { name := h.tracked(); h.Git("update-index", "--skip-worktree", name); h.put(name) }},
	{"assume-unchanged", func(h *hider) { name := h.tracked(); h.Git("update-index", "--assume-unchanged", name); h.put(name) }},
	{"staged, then skip-worktree", func(h *hider) {
		name := h.tracked()
		h.Git("update-index", "--no-skip-worktree", "--no-assume-unchanged", name)
		h.put(name)
		h.Git("update-index", "--add", "--", name) // git add refuses what a sparse checkout leaves out
		h.Git("update-index", h.pick("--skip-worktree", "--assume-unchanged"), name)
	}},
	{"denied", func(h *hider) {
		if name := h.denied(); h.free(name) {
			h.put(name)
		}
	}},
	{"denied and staged", func(h *hider) {
		if name := h.denied(); h.free(name) {
			h.put(name)
			h.Git("add", "-f", h.pick("-N", "--"), name)
		}
	}},
	{"denied, staged and deleted", func(h *hider) {
		if name := h.denied(); h.free(name) {
			h.put(name)
			h.Git("add", "-f", "--", name)
			h.Remove(name)
		}
	}},
	{"denied and tracked", func(h *hider) { h.put(h.pick(".env.example", "conf/app.key")) }},
	{"denied and renamed", func(h *hider) {
		from, to := "conf/app.key", h.denied()
		if _, err := os.Lstat(h.Path(from)); err == nil && h.Git("ls-files", "--", from) != "" && h.free(to) {
			h.put(from)
			if err := os.MkdirAll(filepath.Dir(h.Path(to)), 0o755); err != nil {
				h.t.Fatal(err)
			}
			h.Git("mv", "-f", "--", from, to)
		}
	}},
	{"staged, then ignored", func(h *hider) {
		name := fmt.Sprintf("late%d.go", h.n)
		h.put(name)
		h.Git("add", name)
		h.exclude(name)
		if h.rng.IntN(2) == 0 {
			h.put(name)
		}
	}},
	{"large", func(h *hider) {
		name := h.pick(h.tracked(), fmt.Sprintf("big%d.go", h.n))
		if h.rng.IntN(2) == 0 {
			name = fmt.Sprintf("big%d.txt", h.n)
		}
		h.Write(name, h.large(name))
		if h.rng.IntN(2) == 0 {
			h.Git("update-index", "--add", "--", name)
		}
	}},
	{"committed, not pushed", func(h *hider) {
		name := h.denied()
		content := h.secret(name)
		if h.rng.IntN(2) == 0 {
			name = fmt.Sprintf("huge%d.go", h.n)
			content = h.large(name)
		}
		if !h.free(name) {
			return
		}
		h.Write(name, content)
		h.Git("add", "-f", "--", name)
		h.Git("commit", "-q", "--no-verify", "-m", "Caught by accident", "--", name)
		if h.rng.IntN(2) == 0 {
			h.Git("rm", "-q", "-f", "--", name) // gone again, and still in the history
			h.Git("commit", "-q", "--no-verify", "-m", "Taken out again", "--", name)
		}
		h.held = true
	}},
	{"in the stash", func(h *hider) {
		name := fmt.Sprintf("stashed%d.go", h.n)
		h.put(name)
		if _, err := h.TryGit("stash", "push", "-q", "-u", "--", name); err != nil {
			h.Remove(name) // git stashes nothing beside a hidden change
		}
	}},
	{"on another branch", func(h *hider) {
		tree := h.Git("rev-parse", "HEAD^{tree}")
		h.Git("branch", fmt.Sprint("other", h.n), h.Git("commit-tree", "-m", h.secret("message"), tree))
	}},
	{"in a nested repository", func(h *hider) {
		dir := fmt.Sprintf("nested%d", h.n)
		h.put(dir + "/a.go")
		h.Git("init", "-q", dir)
	}},
	{"behind a link", func(h *hider) {
		outside := filepath.Join(h.t.TempDir(), "outside.go")
		if err := os.WriteFile(outside, []byte(h.secret("outside.go")), 0o600); err != nil {
			h.t.Fatal(err)
		}
		if name := fmt.Sprintf("link%d.go", h.n); h.free(name) {
			if err := os.Symlink(outside, h.Path(name)); err != nil {
				h.t.Fatal(err)
			}
		}
	}},
}

func (h *hider) hide() {
	how := hides[h.rng.IntN(len(hides))]
	h.did = append(h.did, how.name)
	h.n++
	how.do(h)
}
