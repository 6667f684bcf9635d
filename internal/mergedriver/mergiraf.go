package mergedriver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gitlet/internal/merge"
	"gitlet/internal/proc"
)

// mergirafTime bounds the other program; it gives up by itself after half of that. A
// variable for tests.
var mergirafTime = 20 * time.Second

// mergiraf lets another program merge source, where the user chose it. What it gives has to
// pass the same checks.
func (c Call) mergiraf(ctx context.Context, v merge.Versions) ([]byte, string, error) {
	if _, err := proc.LookPath("mergiraf"); err != nil {
		return nil, "", c.left("gitlet.mergeEngine is mergiraf, which is not on PATH")
	}
	dir, err := os.MkdirTemp("", "gitlet-merge-")
	if err != nil {
		return nil, "", fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // it lies where such things are cleared away
	args := []string{"merge"}
	most := 1 << 10 // of what it may write
	for i, text := range [][]byte{v.Base, v.Ours, v.Theirs} {
		// It knows the language by the name.
		name := filepath.Join(dir, []string{"base", "ours", "theirs"}[i], filepath.Base(c.Path))
		if err := put(name, text, 0o600); err != nil {
			return nil, "", err
		}
		args = append(args, name)
		most += 2 * len(text)
	}
	res, err := proc.Run(ctx, proc.Cmd{Path: "mergiraf", Args: args, Dir: dir, Env: plainEnv(os.Environ()), Timeout: mergirafTime, MaxStdout: most})
	var exit *proc.ExitError
	switch {
	case errors.As(err, &exit) && exit.Code == 1:
		return nil, "", &merge.DoubtError{Why: "it conflicts for mergiraf too"}
	case err != nil:
		return nil, "", c.left("mergiraf: " + err.Error())
	}
	if err := merge.Checked(v, res.Stdout); err != nil {
		return nil, "", c.left("what mergiraf made of it is not to be believed: " + err.Error())
	}
	return res.Stdout, "with mergiraf", nil
}
