package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// FileMerge is a merge of three versions of one file by lines.
type FileMerge struct {
	// Dir is where git is run: the settings of a repository there hold. "" is the present
	// directory.
	Dir string
	// Labels name ours, base and theirs in the markers; "" for those that git chooses.
	Labels     [3]string
	MarkerSize int // 0 for git's own
	// Histogram finds the differences as git's own merges of branches do, where git
	// merges single files that way too (2.44).
	Histogram bool
}

// asGiven are the variables of whoever started this process that hold for such a merge:
// it is part of what they do, in their repository and with their settings.
var asGiven = []string{"GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT"}

// Run merges the files at these paths as git does where they are merged line by line. The
// files stay as they are. conflicts counts the conflicts, at most 127, which stand in the
// merged text with markers.
func (m FileMerge) Run(ctx context.Context, ours, base, theirs string) (merged []byte, conflicts int, err error) {
	c := call{step: "merge file", class: localWrite, dir: m.Dir, args: []string{"merge-file", "-p", "-q"}}
	for i := 1; i <= 127; i++ {
		c.okExit = append(c.okExit, i)
	}
	for _, name := range asGiven {
		if v, ok := os.LookupEnv(name); ok {
			c.env = append(c.env, name+"="+v)
		}
	}
	if m.MarkerSize > 0 {
		c.args = append(c.args, "--marker-size="+strconv.Itoa(m.MarkerSize))
	}
	if m.Histogram {
		c.args = append(c.args, "--diff-algorithm=histogram")
	}
	if m.Labels != [3]string{} {
		for _, l := range m.Labels {
			c.args = append(c.args, "-L", l)
		}
	}
	c.args = append(c.args, "--", ours, base, theirs)
	out, err := run(ctx, c)
	return out.Stdout, out.Exit, err
}

// Texts merges texts, in a scratch folder of their own.
func (m FileMerge) Texts(ctx context.Context, ours, base, theirs []byte) (merged []byte, conflicts int, err error) {
	dir, err := os.MkdirTemp("", "gitlet-merge-")
	if err != nil {
		return nil, 0, fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it lies where such things are cleared away
	var paths [3]string
	for i, text := range [][]byte{ours, base, theirs} {
		paths[i] = filepath.Join(dir, []string{"ours", "base", "theirs"}[i])
		if err := os.WriteFile(paths[i], text, 0o600); err != nil {
			return nil, 0, fmt.Errorf("write a version: %w", err)
		}
	}
	return m.Run(ctx, paths[0], paths[1], paths[2])
}

// FileMergeHistogram says whether git can merge single files by histogram.
func (v Version) FileMergeHistogram() bool { return !v.Less(Version{Major: 2, Minor: 44}) }
