package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"gitlet/internal/atomicfile"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// identity is who a worktree is, as kept in gitlet/agent in its git directory.
type identity struct {
	Agent  string `json:"agent"`
	Client string `json:"client"`
	// Dir and Inode tell a copied checkout, which must not speak under its
	// original's id, from a moved one, which keeps it.
	Dir   string `json:"dir"`
	Inode uint64 `json:"inode"`
}

// loadIdentity returns the agent id of the worktree with this git directory, making
// one on first use. override (GITLET_AGENT) wins and is not stored. known is the id
// that is known for the directory from elsewhere, "" for none: it is asked for when the
// file is gone.
func loadIdentity(gitDir, client, override string, known func() string) (identity, error) {
	if override != "" {
		if !id.ValidAgent(override) {
			return identity{}, &verb.Refusal{Result: verb.Refuse(
				fmt.Sprintf("GITLET_AGENT is %q, which is no agent id: lower-case letters, digits and dashes, at most %d characters", override, id.MaxAgent),
				model.Option{Argv: []string{"unset", "GITLET_AGENT"}, Why: "let the worktree have its own id"})}
		}
		return identity{Agent: override, Client: client, Dir: gitDir}, nil
	}
	inode := inodeOf(gitDir)
	path := identityFile(gitDir)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return identity{}, fmt.Errorf("read the worktree's identity: %w", err)
	}
	var who identity
	if err == nil && json.Unmarshal(data, &who) == nil && id.ValidAgent(who.Agent) &&
		(who.Dir == gitDir || inode != 0 && who.Inode == inode) {
		if who.Dir != gitDir {
			// It was moved. A copy that is put in its old place must not take it for its own.
			who.Dir = gitDir
			return who, storeIdentity(path, who, false)
		}
		return who, nil
	}
	missing := data == nil
	who = identity{Agent: known(), Client: client, Dir: gitDir, Inode: inode}
	if !id.ValidAgent(who.Agent) {
		who.Agent = id.NewAgent(client, hostName())
	}
	err = storeIdentity(path, who, missing)
	if errors.Is(err, fs.ErrExist) {
		// Another process made one at the same moment; its file is whole.
		return loadIdentity(gitDir, client, "", known)
	}
	if unwritable(err) != "" {
		return who, nil // good for this call: where nothing can be written, nobody else hears of it
	}
	return who, err
}

func identityFile(gitDir string) string { return filepath.Join(gitDir, "gitlet", "agent") }

func hostName() string {
	host, err := os.Hostname()
	if err != nil {
		return "host"
	}
	return host
}

// storeIdentity writes the file whole or not at all. With create it returns
// fs.ErrExist when there is one already.
func storeIdentity(path string, who identity, create bool) error {
	data, err := json.Marshal(who)
	if err != nil {
		return fmt.Errorf("encode the worktree's identity: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("make gitlet's folder in the git directory: %w", err)
	}
	put := atomicfile.WriteDurable
	if create {
		put = atomicfile.Create
	}
	if err := put(path, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the worktree's identity: %w", err)
	}
	return nil
}

func inodeOf(dir string) uint64 {
	fi, err := os.Stat(dir)
	if err != nil {
		return 0
	}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}
