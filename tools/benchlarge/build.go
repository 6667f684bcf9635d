package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// build makes dir/remote.git and dir/clone, unless they are there from an earlier run,
// and returns the clone.
func build(ctx context.Context, dir string, files, history int) (string, error) {
	remote, clone := filepath.Join(dir, "remote.git"), filepath.Join(dir, "clone")
	if _, err := os.Stat(filepath.Join(clone, ".git", "index")); err == nil {
		return clone, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	if err := gitRun(ctx, dir, "init", "-q", "--bare", "-b", "main", remote); err != nil {
		return "", err
	}
	if err := importInto(ctx, remote, func(w *bufio.Writer) { writeHistory(w, files, history) }); err != nil {
		return "", err
	}
	if err := gitRun(ctx, dir, "clone", "-q", "file://"+remote, clone); err != nil {
		return "", err
	}
	for k, v := range map[string]string{"gitlet.pollInterval": "0s", "gitlet.snapshotInterval": "0s"} {
		if err := gitRun(ctx, clone, "config", k, v); err != nil {
			return "", err
		}
	}
	return clone, gitRun(ctx, clone, "switch", "-q", "-c", "work")
}

// importInto runs git fast-import over what write writes.
func importInto(ctx context.Context, remote string, write func(*bufio.Writer)) error {
	cmd := exec.CommandContext(ctx, "git", "-C", remote, "-c", "core.compression=0", "fast-import", "--quiet", "--force")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	w := bufio.NewWriterSize(in, 1<<20)
	write(w)
	if err := w.Flush(); err != nil {
		return fmt.Errorf("fast-import: %w", err)
	}
	if err := in.Close(); err != nil {
		return err
	}
	return cmd.Wait()
}

// writeHistory writes the older versions of one asset, a MiB each and the same in
// nothing, and then the tree on top of them.
func writeHistory(w *bufio.Writer, files, history int) {
	noise := rand.NewChaCha8([32]byte{1})
	at := time.Now().Add(-1000 * time.Hour).Unix()
	commit := func(message string) {
		at += 60
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata %d\n%s\n", at, len(message), message)
	}
	for range history {
		commit("Another asset")
		fmt.Fprintf(w, "M 100644 inline asset.bin\ndata %d\n", 1<<20)
		_, _ = io.CopyN(w, noise, 1<<20) // a failure shows at Flush
		w.WriteByte('\n')
	}
	commit("The tree")
	if history > 0 {
		fmt.Fprintln(w, "D asset.bin")
	}
	for i := range files {
		text := source(i, 0)
		fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path(i), len(text), text)
	}
	ignored := "build/\n"
	fmt.Fprintf(w, "M 100644 inline .gitignore\ndata %d\n%s\n", len(ignored), ignored)
}

// path spreads the files over folders three deep, 40 files in each.
func path(i int) string {
	dir := i / 40
	return fmt.Sprintf("area%02d/pkg%03d/file%d.go", dir/50, dir%50, i)
}

// source is a small file that uses its neighbour.
func source(i, version int) string {
	return fmt.Sprintf("package pkg\n\n// Load%[1]d loads.\nfunc Load%[1]d(path string) (int, error) {\n\tn := %[2]d\n\tfor range path {\n\t\tn++\n\t}\n"+
		"\treturn n, nil\n}\n\ntype Config%[1]d struct {\n\tName string\n\tSize int\n}\n\nfunc (c *Config%[1]d) Run() error {\n\t_, err := Load%[3]d(c.Name)\n\treturn err\n}\n",
		i, version, i/40*40)
}

// writeBranches gives the remote branches, each with a commit of its own.
func writeBranches(w *bufio.Writer, n int, base string) {
	at := time.Now().Add(-2000 * time.Hour).Unix()
	for i := range n {
		fmt.Fprintf(w, "commit refs/heads/topic/%d\ncommitter Bench <bench@example.com> %d +0000\ndata 5\nTopic\nfrom %s\nM 100644 inline topic.txt\ndata %d\n%d\n",
			i, at+int64(i), base, len(fmt.Sprint(i))+1, i)
		w.WriteByte('\n')
	}
}

func gitRun(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
	}
	return nil
}
