package mergedriver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/atomicfile"
	"gitlet/internal/config"
	"gitlet/internal/git"
	"gitlet/internal/merge"
)

// Kinds are the drivers.
var Kinds = []string{"source", "lockfile", "changelog"}

// Placeholders are what git is told to call a driver with, in the order Parse takes them.
// Git before 2.44 does not know the last three, and passes them on as they stand.
const Placeholders = "%O %A %B %L %P %S %X %Y"

// The exit codes. Git takes 0 for a merge and 1 for a conflict; with any other the command
// that init enters lets git's own merge have the file.
const (
	Merged   = 0
	Conflict = 1
	Unable   = 2
)

// timeout bounds a whole call where no other program is run, and git's own merges in it.
const timeout = 30 * time.Second

// Call is one call of a driver.
type Call struct {
	Kind               string
	Dir                string // where git is run
	Base, Ours, Theirs string // files; the result goes into Ours
	MarkerSize         int
	Path               string // in the repository
	Labels             [3]string
	Out                io.Writer // for people
}

// Parse reads the arguments of a driver; it reports false where they make no sense.
func Parse(args []string) (Call, bool) {
	if len(args) < 6 || len(args) > 9 {
		return Call{}, false
	}
	c := Call{Kind: args[0], Base: args[1], Ours: args[2], Theirs: args[3], Path: args[5]}
	known := false
	for _, k := range Kinds {
		known = known || k == c.Kind
	}
	var err error
	if c.MarkerSize, err = strconv.Atoi(args[4]); err != nil || !known || c.MarkerSize < 1 || c.MarkerSize > 1000 {
		return Call{}, false
	}
	if len(args) == 9 && args[6] != "%S" {
		c.Labels = [3]string{args[7], args[6], args[8]}
	} else {
		c.Labels = [3]string{"HEAD", "base", theirName(os.Environ())}
	}
	return c, true
}

// noName is what the other side is called where nobody says.
const noName = "theirs"

// theirName is what the merged branch is called, where git merge says it.
func theirName(env []string) string {
	name := ""
	for _, kv := range env {
		if rest, ok := strings.CutPrefix(kv, "GITHEAD_"); ok {
			if name != "" {
				return noName // several are merged at once
			}
			_, name, _ = strings.Cut(rest, "=")
		}
	}
	if name == "" {
		return noName
	}
	return name
}

// Run merges one file and returns the exit code.
func Run(ctx context.Context, c Call) int {
	code, err := c.run(ctx)
	if err != nil {
		fmt.Fprintf(c.Out, "gitlet merge-driver %s: %v\n", c.Kind, err)
		return Unable
	}
	return code
}

func (c Call) run(ctx context.Context) (int, error) {
	short, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	m, err := c.fileMerge(short)
	if err != nil {
		return Unable, err
	}
	merged, conflicts, err := m.Run(short, c.abs(c.Ours), c.abs(c.Base), c.abs(c.Theirs))
	if err != nil {
		return Unable, err
	}
	if conflicts == 0 {
		return c.leave(merged, Merged)
	}
	v, err := c.versions()
	if err != nil {
		return Unable, err
	}
	better, how, err := c.better(ctx, short, m, v)
	var doubt *merge.DoubtError
	switch {
	case errors.As(err, &doubt):
		return c.leave(merged, Conflict)
	case err != nil:
		// Git's own merge is still good.
		fmt.Fprintf(c.Out, "gitlet merge-driver %s: %v\n", c.Kind, err)
		return c.leave(merged, Conflict)
	}
	code, err := c.leave(better, Merged)
	if err == nil {
		git.TellTrial(git.DriverMerge{Path: c.Path, How: how})
		fmt.Fprintf(c.Out, "gitlet merged %q %s\n", c.Path, how)
	}
	return code, err
}

// better merges a file that git does not; how says in words what was done. short bounds
// what runs no other program.
func (c Call) better(ctx, short context.Context, m git.FileMerge, v merge.Versions) (out []byte, how string, err error) {
	lines := func(base, ours, theirs []byte) ([]byte, bool) {
		out, conflicts, err := m.Texts(short, ours, base, theirs)
		return out, err == nil && conflicts == 0
	}
	switch c.Kind {
	case "source":
		// Which engine is wanted is asked while the usual one is at work.
		engine := make(chan string, 1)
		go func() { engine <- c.engine(short) }()
		out, err = merge.Source(v, lines)
		if <-engine == "mergiraf" {
			return c.mergiraf(ctx, v)
		}
		return out, "by its definitions", err
	case "changelog":
		out, err = merge.Changelog(v, lines)
		return out, "by its entries", err
	}
	return c.again(ctx, m, v)
}

// engine is what the user chose to merge source with.
func (c Call) engine(ctx context.Context) string {
	wt, err := git.Open(ctx, c.Dir)
	if err != nil {
		return ""
	}
	cfg, err := wt.Config(ctx)
	if err != nil {
		return ""
	}
	s, _ := config.From(cfg)
	return s.MergeEngine
}

func (c Call) fileMerge(ctx context.Context) (git.FileMerge, error) {
	v, err := git.ReadVersion(ctx)
	if err != nil {
		return git.FileMerge{}, err
	}
	return git.FileMerge{Dir: c.Dir, Labels: c.Labels, MarkerSize: c.MarkerSize, Histogram: v.FileMergeHistogram()}, nil
}

func (c Call) abs(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.Dir, path)
}

func (c Call) versions() (v merge.Versions, err error) {
	v.Path = c.Path
	for _, f := range []struct {
		path string
		to   *[]byte
	}{{c.Base, &v.Base}, {c.Ours, &v.Ours}, {c.Theirs, &v.Theirs}} {
		if *f.to, err = os.ReadFile(c.abs(f.path)); err != nil {
			return v, fmt.Errorf("read a version: %w", err)
		}
	}
	return v, nil
}

// leave puts the result where git looks for it.
func (c Call) leave(text []byte, code int) (int, error) {
	path := c.abs(c.Ours)
	info, err := os.Stat(path)
	if err == nil {
		err = atomicfile.Write(path, text, info.Mode().Perm())
	}
	if err != nil {
		return Unable, fmt.Errorf("write the result: %w", err)
	}
	return code, nil
}
