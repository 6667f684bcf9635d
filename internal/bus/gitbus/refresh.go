package gitbus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gitlet/internal/atomicfile"
	"gitlet/internal/bus"
	"gitlet/internal/flock"
	"gitlet/internal/git"
)

// mainRecheck is how long a main that the remote lacked is left out of polls: asking
// for it fails the whole fetch, which then has to be made again.
const mainRecheck = time.Minute

// fetched is the record of the clone's last successful poll, kept in a small file
// beside the locks. Losing it costs one fetch.
type fetched struct {
	At        time.Time `json:"at"`
	By        string    `json:"by"`
	Main      string    `json:"main"`
	Namespace string    `json:"namespace"`
	// MainMissingSince is when the remote was found without main; zero when it has it.
	MainMissingSince time.Time `json:"mainMissingSince,omitzero"`
}

func (b *Bus) recordFile() string { return b.file("fetched-") }

// file is the path of a small file about this clone's dealings with the remote.
func (b *Bus) file(kind string) string {
	sum := sha256.Sum256([]byte(b.remote.Name))
	return filepath.Join(b.locks, kind+hex.EncodeToString(sum[:])[:12]+".json")
}

// record reads the last poll's record; a zero one when there is none to be read.
func (b *Bus) record() fetched {
	var f fetched
	data, err := os.ReadFile(b.recordFile())
	if err != nil || json.Unmarshal(data, &f) != nil {
		return fetched{}
	}
	return f
}

// writeRecord keeps f. Failing is no failure of the poll: the next one just is not
// reused.
func (b *Bus) writeRecord(f fetched) {
	if data, err := json.Marshal(f); err == nil {
		b.replace(b.recordFile(), data)
	}
}

// replace writes a file whole, so that readers need no lock, or not at all.
func (b *Bus) replace(path string, data []byte) {
	err := atomicfile.Write(path, data, 0o600)
	if errors.Is(err, os.ErrNotExist) && os.MkdirAll(b.locks, 0o777) == nil {
		_ = atomicfile.Write(path, data, 0o600) // the next one tries again
	}
}

// Refresh polls. It runs one git process that talks to the remote (two when main
// turns out to be missing, then one again for the next minute) and one for-each-ref;
// with a reused fetch, or in local mode, only the for-each-ref.
func (b *Bus) Refresh(ctx context.Context) (bus.Refreshed, error) {
	if err := ctx.Err(); err != nil {
		return bus.Refreshed{}, err
	}
	r := bus.Refreshed{At: b.now()}
	if b.mode == bus.Remote {
		lock, err := flock.Acquire(ctx, filepath.Join(b.locks, "fetch.lock"))
		if err != nil {
			return bus.Refreshed{}, err
		}
		r, err = b.poll(ctx)
		lock.Unlock()
		if err != nil {
			return bus.Refreshed{}, err
		}
	}
	refs, err := b.list(ctx)
	if err != nil {
		return bus.Refreshed{}, err
	}
	if b.mode == bus.Local {
		r.MainMissing = refs[b.branch()] == ""
	}
	r.Changed = b.moved(refs)
	return r, nil
}

// moved reports whether the refs differ from those at this process's last refresh.
func (b *Bus) moved(refs map[string]string) bool {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		fmt.Fprintf(h, "%s %s\n", refs[name], name)
	}
	print := hex.EncodeToString(h.Sum(nil))
	b.mu.Lock()
	defer b.mu.Unlock()
	was := b.print
	b.print, b.listed = print, refs
	return print != was
}

// poll fetches under the fetch lock, or reuses what another process just fetched.
func (b *Bus) poll(ctx context.Context) (bus.Refreshed, error) {
	now, last := b.now(), b.record()
	if last.Main != b.main || last.Namespace != b.namespace {
		last = fetched{} // settings changed: it says nothing about what is asked now
	}
	missing := b.main == "" || !last.MainMissingSince.IsZero()
	if age := now.Sub(last.At); !bus.IsAnew(ctx) && last.By != b.self && age >= 0 && age < b.reuse {
		return bus.Refreshed{At: last.At, Reused: true, MainMissing: missing}, nil
	}
	since := last.MainMissingSince
	skip := !since.IsZero() && now.Sub(since) >= 0 && now.Sub(since) < mainRecheck
	withMain := b.main != "" && !skip
	err := b.fetch(ctx, withMain)
	if withMain && errors.Is(err, git.ErrNoRemoteRef) {
		withMain, since = false, now
		if err = b.fetch(ctx, false); err == nil {
			// The copy would be of a branch that is gone, or of one with another name.
			err = b.repo.Apply(ctx, git.Delete(b.mainRef(), ""))
		}
	} else if withMain {
		since = time.Time{}
	}
	if err != nil {
		return bus.Refreshed{}, b.netError(ctx, err)
	}
	b.reached()
	b.writeRecord(fetched{At: now, By: b.self, Main: b.main, Namespace: b.namespace, MainMissingSince: since})
	return bus.Refreshed{At: now, MainMissing: !withMain}, nil
}

// fetch runs the one fetch of a poll.
func (b *Bus) fetch(ctx context.Context, withMain bool) error {
	specs := []string{"+" + b.namespace + "agents/*:" + b.tracking("agents/*"), b.allClaims()}
	if withMain {
		specs = append(specs, "+"+b.branch()+":"+b.mainRef())
	}
	return b.fetchFolders(ctx, specs...)
}

func (b *Bus) allClaims() string {
	return "+" + b.namespace + "claims/*:" + b.tracking("claims/*")
}

// fetchClaims brings every claim here, and forgets those that are gone.
func (b *Bus) fetchClaims(ctx context.Context) error {
	b.takeListed() // what is fetched now is not in it
	lock, err := flock.Acquire(ctx, filepath.Join(b.locks, "fetch.lock"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := b.fetchFolders(ctx, b.allClaims()); err != nil {
		return b.netError(ctx, err)
	}
	b.reached()
	return nil
}

// fetchFolders fetches and prunes. A tracking ref that another process of the clone is
// just moving (after its own push) fails it; then it is made once more.
func (b *Bus) fetchFolders(ctx context.Context, specs ...string) error {
	o := git.FetchOptions{Prune: true, Whole: true}
	err := b.remote.Fetch(ctx, o, specs...)
	if errors.Is(err, git.ErrRefLocked) || errors.Is(err, git.ErrRefMoved) {
		err = b.remote.Fetch(ctx, o, specs...)
	}
	return err
}

// fetchOne brings one shared ref into its tracking ref, by its exact name. It
// reports false when the remote has no such ref.
func (b *Bus) fetchOne(ctx context.Context, ref string) (bool, error) {
	b.takeListed() // what is fetched now is not in it
	lock, err := flock.Acquire(ctx, filepath.Join(b.locks, "fetch.lock"))
	if err != nil {
		return false, err
	}
	defer lock.Unlock()
	err = b.remote.Fetch(ctx, git.FetchOptions{Whole: true}, "+"+b.onRemote(ref)+":"+b.tracking(ref))
	if errors.Is(err, git.ErrNoRemoteRef) {
		b.reached()
		return false, b.repo.Apply(ctx, git.Delete(b.tracking(ref), ""))
	}
	if err == nil {
		b.reached()
	}
	return err == nil, b.netError(ctx, err)
}

// fetchMaybe brings shared refs into their tracking refs in one fetch, and forgets those
// that the remote does not have. Asked for by a pattern, a missing one fails nothing; the
// ids at the end of their names are of one length, so a pattern finds no other valid one.
func (b *Bus) fetchMaybe(ctx context.Context, refs []string) error {
	b.takeListed() // what is fetched now is not in it
	specs := make([]string, len(refs))
	for i, ref := range refs {
		specs[i] = "+" + b.onRemote(ref) + "*:" + b.tracking(ref) + "*"
	}
	lock, err := flock.Acquire(ctx, filepath.Join(b.locks, "fetch.lock"))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := b.fetchFolders(ctx, specs...); err != nil {
		return b.netError(ctx, err)
	}
	b.reached()
	return nil
}

// list returns every ref of this clone that Load looks at, by its local name.
func (b *Bus) list(ctx context.Context) (map[string]string, error) {
	prefixes := []string{"refs/gitlet"}
	if b.mode == bus.Remote {
		prefixes = append(prefixes, "refs/gitlet-remote/"+b.place(), "refs/gitlet-pushed/"+b.place(), b.mainRef())
	} else if b.main != "" {
		prefixes = append(prefixes, b.branch())
	}
	return b.repo.Refs(ctx, prefixes...)
}
