package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// BaseStyle is the style of conflict markers that shows the common base with the least
// around it.
func (v Version) BaseStyle() string {
	if v.Less(Version{2, 35, 0}) {
		return "diff3"
	}
	return "zdiff3"
}

// ConflictStyles are the styles under which a conflict may have been recorded here, the
// user's own first: the same conflict is cut into hunks differently by each.
func (r *Repo) ConflictStyles(ctx context.Context) ([]string, error) {
	conf, err := r.KnownConfig(ctx)
	if err != nil {
		return nil, err
	}
	own, ok := conf.Get("merge.conflictStyle")
	if own = strings.ToLower(own); !ok || own != "diff3" && own != "zdiff3" || own == "zdiff3" && r.Version.BaseStyle() != own {
		own = "merge"
	}
	styles := []string{own}
	for _, s := range []string{r.Version.BaseStyle(), "merge"} {
		if s != own {
			styles = append(styles, s)
		}
	}
	return styles, nil
}

// Mark sets the style of conflict markers that are written from here on.
func (t *Trial) Mark(style string) { t.style = style }

// Remark writes the files of a stop again, with conflict markers in another style.
func (t *Trial) Remark(ctx context.Context, style string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	args := []string{"checkout", "--quiet", "--conflict=" + style, "--"}
	for _, p := range paths {
		args = append(args, ":(top,literal)"+p)
	}
	was := t.style
	t.style = style
	_, err := t.run(ctx, "", call{step: "write conflicts", class: treeChange, args: args})
	t.style = was
	return err
}

// Read returns a file of the trial.
func (t *Trial) Read(path string) ([]byte, error) {
	return os.ReadFile(filepath.Join(t.wt.Root, filepath.FromSlash(path)))
}

// Settle writes files and marks them as resolved.
func (t *Trial) Settle(ctx context.Context, files map[string][]byte) error {
	var list strings.Builder
	for path, data := range files {
		full := filepath.Join(t.wt.Root, filepath.FromSlash(path))
		fi, err := os.Lstat(full)
		if err != nil {
			return fmt.Errorf("write the resolved file: %w", err)
		}
		if !fi.Mode().IsRegular() {
			return errors.New("write the resolved file: it is no file")
		}
		if err := os.WriteFile(full, data, fi.Mode()); err != nil {
			return fmt.Errorf("write the resolved file: %w", err)
		}
		list.WriteString(path + "\x00")
	}
	_, err := t.run(ctx, "", call{step: "stage resolved files", class: localWrite, stdin: []byte(list.String()),
		env: []string{"GIT_INDEX_FILE=" + filepath.Join(t.wt.GitDir, "index")}, args: []string{"update-index", "--add", "-z", "--stdin"}})
	return err
}
