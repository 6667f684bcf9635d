package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Limits used where a Cmd leaves them zero.
const (
	DefaultGrace     = 3 * time.Second
	DefaultMaxStdout = 256 << 20 // bytes
	DefaultMaxStderr = 64 << 10  // bytes
)

// pipeDelay is how long to wait for the output pipes after the child itself ended:
// a daemon it left behind may hold them open for good.
const pipeDelay = 2 * time.Second

// ErrOutput: the child wrote more to standard output than was allowed; it was ended.
var ErrOutput = errors.New("more output than allowed")

// StartError is a program that could not be started: not found, or no such directory.
type StartError struct {
	Path string
	Err  error
}

func (e *StartError) Error() string { return fmt.Sprintf("start %q: %v", e.Path, e.Err) }

// Unwrap returns the system's reason.
func (e *StartError) Unwrap() error { return e.Err }

// ExitError is a child that ended with another status than 0. Code is -1 and Signal
// set when a signal ended it.
type ExitError struct {
	Code   int
	Signal syscall.Signal
}

func (e *ExitError) Error() string {
	if e.Code < 0 {
		return fmt.Sprintf("ended by signal %q", e.Signal)
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

// TimeoutError is a child that was ended because the command's own timeout passed.
// A caller's context that ended first comes back as the context's error instead.
type TimeoutError struct{ After time.Duration }

func (e *TimeoutError) Error() string { return fmt.Sprintf("no end after %s", e.After) }

// Cmd says what to run and within which bounds.
type Cmd struct {
	Path string   // program, looked up on PATH when it holds no slash
	Args []string // without the program's name
	Dir  string
	Env  []string  // the whole environment; nil means an empty one
	In   io.Reader // nil is the null device

	Timeout  time.Duration // 0 for none
	Grace    time.Duration // between interrupt and kill; 0 for DefaultGrace
	Detached bool          // the caller's context does not end it; the timeout still does

	MaxStdout int // bytes; 0 for DefaultMaxStdout
	MaxStderr int // bytes kept of standard error; 0 for DefaultMaxStderr
}

// Result is what a child left behind. Stderr keeps the beginning and the end when
// it was longer than allowed.
type Result struct {
	Stdout []byte
	Stderr []byte
	Exit   int // -1 when a signal ended it
}

// Run starts c, waits for its end and returns its output. The error is nil only for
// exit status 0; it is a *StartError, *ExitError, *TimeoutError, ErrOutput, or wraps
// the context's error. The Result is filled as far as the child came.
func Run(ctx context.Context, c Cmd) (Result, error) {
	p, err := start(ctx, c, false)
	if err != nil {
		return Result{Exit: -1}, err
	}
	err = p.Wait()
	return Result{Stdout: p.out.bytes(), Stderr: p.Stderr(), Exit: p.exit}, err
}

// Process is a running child that is talked to over pipes.
type Process struct {
	Stdin  io.WriteCloser
	Stdout io.ReadCloser

	cmd   *exec.Cmd
	out   *head
	err   *ends
	done  chan struct{} // closed when the child has ended and cut is final
	once  sync.Once
	grace time.Duration

	mu  sync.Mutex
	cut error // why it was ended from here

	exit    int
	waitErr error
}

// Start starts c for a conversation over Stdin and Stdout. The caller must call
// Close. c.In and c.MaxStdout do not apply.
func Start(ctx context.Context, c Cmd) (*Process, error) { return start(ctx, c, true) }

func start(ctx context.Context, c Cmd, piped bool) (*Process, error) {
	if err := ctx.Err(); err != nil && !c.Detached {
		return nil, fmt.Errorf("start %q: %w", c.Path, err)
	}
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.Dir, c.Env, pipeDelay
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	// Its own group, so that the programs it starts end with it and a terminal's
	// interrupt reaches only us.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p := &Process{cmd: cmd, done: make(chan struct{}), grace: or(c.Grace, DefaultGrace)}
	p.err = &ends{max: or(c.MaxStderr, DefaultMaxStderr)}
	cmd.Stderr = p.err
	if piped {
		if err := p.pipes(); err != nil {
			return nil, &StartError{Path: c.Path, Err: err}
		}
	} else {
		cmd.Stdin = c.In
		p.out = &head{max: or(c.MaxStdout, DefaultMaxStdout), full: func() { p.end(ErrOutput) }}
		cmd.Stdout = p.out
	}
	if err := cmd.Start(); err != nil {
		return nil, &StartError{Path: c.Path, Err: err}
	}
	if !piped {
		go p.wait()
	}
	go p.watch(ctx, c.Timeout, c.Detached)
	return p, nil
}

func (p *Process) pipes() (err error) {
	if p.Stdin, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	p.Stdout, err = p.cmd.StdoutPipe()
	return err
}

// wait reaps the child. With pipes it runs only once the reading side is finished
// with, because exec closes the pipe when it sees the end.
func (p *Process) wait() {
	p.once.Do(func() {
		err := p.cmd.Wait()
		if errors.Is(err, exec.ErrWaitDelay) {
			err = nil // the child ended well; something it left behind held the pipe
		}
		p.exit = p.cmd.ProcessState.ExitCode()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			e := &ExitError{Code: p.exit}
			if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
				e.Signal = ws.Signal()
			}
			err = e
		}
		p.waitErr = err
		close(p.done)
	})
}

// watch ends the child when its time or its caller's patience is over.
func (p *Process) watch(ctx context.Context, timeout time.Duration, detached bool) {
	var fire <-chan time.Time
	if timeout > 0 {
		t := time.NewTimer(timeout)
		defer t.Stop()
		fire = t.C
	}
	cancelled := ctx.Done()
	if detached {
		cancelled = nil
	}
	select {
	case <-p.done:
	case <-cancelled:
		p.end(ctx.Err())
	case <-fire:
		p.end(&TimeoutError{After: timeout})
	}
}

// end asks the child's group to end and kills it after the grace period. The first
// reason given stands.
func (p *Process) end(why error) {
	p.mu.Lock()
	first := p.cut == nil
	if first {
		p.cut = why
	}
	p.mu.Unlock()
	if !first {
		return
	}
	p.signal(syscall.SIGTERM) // a shell lets its background jobs ignore an interrupt
	go func() {
		t := time.NewTimer(p.grace)
		defer t.Stop()
		select {
		case <-p.done:
		case <-t.C:
			p.signal(syscall.SIGKILL)
		}
	}()
}

// signal reaches the whole group. A group that is already gone is what was wanted.
func (p *Process) signal(s syscall.Signal) {
	select {
	case <-p.done: // reaped: the number may belong to somebody else by now
	default:
		_ = syscall.Kill(-p.cmd.Process.Pid, s)
	}
}

// Wait waits for the end and says how it ended, as Run does.
func (p *Process) Wait() error {
	if p.out == nil {
		p.wait()
	}
	<-p.done
	p.mu.Lock()
	cut := p.cut
	p.mu.Unlock()
	switch {
	case cut != nil && (p.waitErr != nil || errors.Is(cut, ErrOutput)):
		return cut
	case p.waitErr != nil:
		return p.waitErr
	}
	return nil
}

// Kill ends the child at once because of why, which Wait then returns.
func (p *Process) Kill(why error) {
	p.mu.Lock()
	if p.cut == nil {
		p.cut = why
	}
	p.mu.Unlock()
	p.signal(syscall.SIGKILL)
}

// Close ends a conversation: it closes the child's input, which ends a well-behaved
// child, and waits. Calling it again returns the same.
func (p *Process) Close() error {
	if p.Stdin != nil {
		_ = p.Stdin.Close() // the child may have closed it first
	}
	return p.Wait()
}

// Stderr returns what was kept of standard error so far.
func (p *Process) Stderr() []byte { return p.err.bytes() }

// Exit returns the exit status once Wait has returned, -1 for a signal.
func (p *Process) Exit() int { return p.exit }

func or[T int | time.Duration](v, fallback T) T {
	if v == 0 {
		return fallback
	}
	return v
}

// LookPath finds a program on PATH, as Run and Start do. The error says where it
// looked in the words of the system.
func LookPath(program string) (string, error) { return exec.LookPath(program) }
