package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gitlet/internal/proc"
)

// Object is one object as read by a CatFile.
type Object struct {
	OID, Type string
	Size      int64
	Data      []byte // nil when not found or over the limit
	Found     bool   // it is in this clone
}

// CatFile reads many objects through one git process, which starts with the first
// read. It is safe for concurrent use; reads are answered one after the other.
// Close it when the operation is over.
type CatFile struct {
	repo *Repo
	ctx  context.Context

	mu     sync.Mutex
	p      *proc.Process
	out    *bufio.Reader
	check  bool     // ask for types and sizes only
	ahead  []string // to be asked for when the process starts
	asked  []string // asked for ahead, in the order of the answers to come
	bulk   bool     // the process answers what was announced, and nothing else
	failed error
}

// NewCatFile prepares to read objects until Close or the end of ctx.
func (r *Repo) NewCatFile(ctx context.Context) *CatFile { return &CatFile{repo: r, ctx: ctx} }

// Read returns the object that name stands for: an object id, or "rev:path". An
// object of more than limit bytes comes without its data; limit 0 means none. What
// is not in this clone has Found false and no error.
func (c *CatFile) Read(name string, limit int64) (Object, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed != nil {
		return Object{}, c.failed
	}
	if name == "" || strings.ContainsRune(name, 0) {
		return Object{}, nil
	}
	if strings.Contains(name, "\n") {
		// The process reads a name a line; this one goes by way of its object id.
		oid, err := c.repo.revParse(c.ctx, name)
		if err != nil || oid == "" {
			return Object{}, err
		}
		name = oid
	}
	o, err := c.exchange(name, limit)
	if err != nil {
		c.failed = err
	}
	return o, err
}

// Ahead announces names that will be read next, in this order, before anything was
// read: git looks for the next while one is being worked on. Names that Read does not
// ask for in that order cost only the time.
func (c *CatFile) Ahead(names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range names {
		if n == "" || strings.ContainsAny(n, "\x00\n") {
			return
		}
	}
	if c.p == nil && c.failed == nil {
		c.ahead = names
	}
}

// askAhead writes what was announced, without waiting for answers, and that it is all.
func (c *CatFile) askAhead() {
	if len(c.ahead) == 0 {
		return
	}
	c.asked, c.ahead = c.ahead, nil
	stdin, text := c.p.Stdin, strings.Join(c.asked, "\n")+"\n"
	// The pipe is full long before all is written. Should git end meanwhile, the reading
	// side has the news.
	go func() {
		_, _ = io.WriteString(stdin, text)
		_ = stdin.Close()
	}()
}

// exchange asks for one object and reads the answer, within the read's own deadline.
func (c *CatFile) exchange(name string, limit int64) (Object, error) {
	if c.p != nil && c.bulk && !slices.Contains(c.asked, name) {
		c.p.Kill(errClosed) // nobody will read the rest
		_ = c.p.Close()
		c.p, c.asked = nil, nil
	}
	call := c.repo.fill(call{step: "read object", class: localRead, args: []string{"cat-file", c.mode()}})
	if c.p == nil {
		if c.bulk = len(c.ahead) > 0; c.bulk {
			// Written by the block, answers cost git and us far fewer turns.
			call.args = append(call.args, "--buffer")
		}
		p, err := converse(c.ctx, call)
		if err != nil {
			return Object{}, err
		}
		c.p, c.out = p, bufio.NewReaderSize(p.Stdout, 64<<10)
		c.askAhead()
	}
	p, after := c.p, call.deadline()
	watchdog := time.AfterFunc(after, func() { p.Kill(&proc.TimeoutError{After: after}) })
	defer watchdog.Stop()
	o, err := c.ask(name, limit)
	if err == nil {
		return o, nil
	}
	if end := p.Close(); end != nil {
		err = end // why the process went away says more than the broken pipe
	}
	c.p = nil
	c.ahead, c.asked = c.asked, nil // for the next process, should there be one
	err = call.failure(output{Exit: p.Exit(), Stderr: string(p.Stderr())}, fmt.Errorf("object %q: %w", name, err))
	if errors.Is(err, ErrPartial) {
		return Object{}, nil // git ended over an object it may not fetch: it is not here
	}
	return Object{}, err
}

func (c *CatFile) mode() string {
	if c.check {
		return "--batch-check"
	}
	return "--batch"
}

func (c *CatFile) ask(name string, limit int64) (Object, error) {
	for len(c.asked) > 0 && c.asked[0] != name {
		// Something else is wanted than was announced: its answers are passed over.
		skipped := c.asked[0]
		if _, err := c.answer(skipped, 1); err != nil {
			return Object{}, err
		}
	}
	if len(c.asked) == 0 {
		if _, err := io.WriteString(c.p.Stdin, name+"\n"); err != nil {
			return Object{}, err
		}
	}
	return c.answer(name, limit)
}

// answer reads the next answer, which is about name.
func (c *CatFile) answer(name string, limit int64) (Object, error) {
	if len(c.asked) > 0 && c.asked[0] == name {
		c.asked = c.asked[1:]
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		return Object{}, err
	}
	info, ok := parseObjectLine(strings.TrimSuffix(line, "\n"))
	if !ok {
		return Object{}, nil
	}
	o := Object{OID: info.OID, Type: info.Type, Size: info.Size, Found: true}
	switch {
	case c.check:
		return o, nil
	case limit > 0 && info.Size > limit:
		_, err = io.CopyN(io.Discard, c.out, info.Size)
	default:
		o.Data = make([]byte, info.Size)
		_, err = io.ReadFull(c.out, o.Data)
	}
	if err != nil {
		return Object{}, err
	}
	if b, err := c.out.ReadByte(); err != nil || b != '\n' {
		return Object{}, errors.Join(errors.New("object does not end where it should"), err)
	}
	return o, nil
}

// Close ends the process. The object reads that came before decided everything, so
// there is nothing to report.
func (c *CatFile) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.p != nil {
		if len(c.asked) > 0 {
			c.p.Kill(errClosed) // it would wait for somebody to read the rest
		}
		_ = c.p.Close() // an orderly end has no news
		c.p = nil
	}
	c.failed = errClosed
}

var errClosed = errors.New("read object: reader is closed")

// parseObjectLine reads "<oid> <type> <size>". Anything else ("<name> missing",
// "<name> ambiguous") is an object that is not to be had.
func parseObjectLine(l string) (ObjectInfo, bool) {
	f := strings.Split(l, " ")
	if len(f) != 3 || !isOID(f[0]) {
		return ObjectInfo{}, false
	}
	switch f[1] {
	case "blob", "tree", "commit", "tag":
	default:
		return ObjectInfo{}, false
	}
	size, err := strconv.ParseInt(f[2], 10, 64)
	if err != nil || size < 0 {
		return ObjectInfo{}, false
	}
	return ObjectInfo{OID: f[0], Type: f[1], Size: size}, true
}

// revParse resolves one name whatever characters it holds; "" when it is nothing.
func (r *Repo) revParse(ctx context.Context, name string) (string, error) {
	if strings.HasPrefix(name, "-") {
		return "", nil // no name begins like an option
	}
	out, err := r.run(ctx, call{step: "resolve", class: localRead, okExit: []int{1},
		args: []string{"rev-parse", "--verify", "--quiet", name}})
	if err != nil || out.Exit != 0 {
		return "", err
	}
	return trimLine(out.Stdout), nil
}
