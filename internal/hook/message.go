package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"gitlet/internal/atomicfile"
	"gitlet/internal/engine"
	"gitlet/internal/trailer"
)

// prepareCommitMsg adds to the message which task and agent the commit is of. One that
// says so already keeps what it says: it is amended, or taken from elsewhere. A message
// nobody wrote yet stays empty, since git takes it back to mean "no commit after all".
func prepareCommitMsg(ctx context.Context, h Call, c *engine.Call, _ io.Writer) error {
	if len(h.Args) == 0 {
		return errors.New("git named no message file")
	}
	it, err := c.ItemHere(ctx)
	if err != nil || it == nil {
		return err
	}
	if copied, err := replaying(ctx, c, false); err != nil || copied {
		return err
	}
	file := h.path(h.Args[0])
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the commit message: %w", err)
	}
	message := string(data)
	o, err := reading(ctx, c, message)
	if err != nil {
		return err
	}
	if trailer.Has(message, o, trailer.Item) {
		return nil
	}
	now := trailer.Add(message, o, trailer.Line{Key: trailer.Item, Value: it.ID}, trailer.Line{Key: trailer.Agent, Value: c.Agent()})
	if now == message || ctx.Err() != nil {
		return ctx.Err()
	}
	return replace(file, []byte(now))
}

// reading says how git reads a message file: which lines are its remarks, and where the
// message ends.
func reading(ctx context.Context, c *engine.Call, message string) (trailer.Options, error) {
	cleanup, err := c.GitSetting(ctx, "commit.cleanup")
	if err != nil {
		return trailer.Options{}, err
	}
	// git sets this where it opens no editor; without one it writes no remarks, and takes
	// none out.
	if os.Getenv("GIT_EDITOR") == ":" && cleanup != "strip" && cleanup != "scissors" {
		return trailer.Options{}, nil
	}
	o := trailer.Options{Comment: "#", Scissors: true}
	for _, key := range []string{"core.commentChar", "core.commentString"} {
		v, err := c.GitSetting(ctx, key)
		if err != nil {
			return o, err
		}
		if v != "" {
			o.Comment = v
		}
	}
	if o.Comment == "auto" {
		o.Comment = chosen(message)
	}
	return o, nil
}

// chosen is the character that git picked for its remarks, which stand last.
func chosen(message string) string {
	const choices = "#;@!$%^&|:"
	last := message[strings.LastIndexByte(strings.TrimRight(message, "\n"), '\n')+1:]
	if last != "" && strings.ContainsRune(choices, rune(last[0])) {
		return last[:1]
	}
	return "#"
}

// replace writes a file as a whole: a hook that is ended leaves the message as it was.
func replace(file string, data []byte) error {
	fi, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("write the commit message: %w", err)
	}
	if err := atomicfile.Write(file, data, fi.Mode().Perm()); err != nil {
		return fmt.Errorf("write the commit message: %w", err)
	}
	return nil
}
