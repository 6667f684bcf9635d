package proc

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func sh(script string) Cmd {
	return Cmd{Path: "/bin/sh", Args: []string{"-c", script}, Env: []string{"PATH=" + os.Getenv("PATH"), "A=b"}}
}

func TestRun(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c := sh(`cat; echo "$A" >&2; pwd`)
	c.In, c.Dir = strings.NewReader("in\n"), "/"
	res, err := Run(ctx, c)
	if err != nil || string(res.Stdout) != "in\n/\n" || string(res.Stderr) != "b\n" || res.Exit != 0 {
		t.Errorf("%+v %v", res, err)
	}
	res, err = Run(ctx, sh("cat; exit 7"))
	var exit *ExitError
	if !errors.As(err, &exit) || exit.Code != 7 || res.Exit != 7 || len(res.Stdout) != 0 {
		t.Errorf("%+v %v", res, err)
	}
	_, err = Run(ctx, sh("kill -TERM $$"))
	if !errors.As(err, &exit) || exit.Code != -1 || exit.Signal != syscall.SIGTERM {
		t.Errorf("%v", err)
	}
	var start *StartError
	for _, c := range []Cmd{{Path: "/no/such/program"}, {Path: "/bin/sh", Dir: "/no/such/dir"}, {Path: "gitlet-no-such-program"}} {
		if _, err := Run(ctx, c); !errors.As(err, &start) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := Run(ctx, Cmd{Path: "/no/such/program"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	res, err = Run(ctx, Cmd{Path: "/usr/bin/env"})
	if err != nil || len(res.Stdout) != 0 {
		t.Errorf("no environment was given: %q %v", res.Stdout, err)
	}
}

func TestCutsAreToldApart(t *testing.T) {
	t.Parallel()
	slow := sh("sleep 30")
	slow.Timeout = 150 * time.Millisecond
	var timeout *TimeoutError
	if _, err := Run(context.Background(), slow); !errors.As(err, &timeout) || timeout.After != slow.Timeout {
		t.Errorf("timeout: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	slow.Timeout = 20 * time.Second
	if _, err := Run(ctx, slow); !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.After == slow.Timeout {
		t.Errorf("deadline: %v", err)
	}
	if _, err := Run(ctx, sh("echo never")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("context that ended before: %v", err)
	}
	c := sh("sleep 0.3; echo done")
	c.Detached = true
	if res, err := Run(ctx, c); err != nil || string(res.Stdout) != "done\n" {
		t.Errorf("detached: %+v %v", res, err)
	}
	c = sh("sleep 30")
	c.Detached, c.Timeout = true, 100*time.Millisecond
	if _, err := Run(ctx, c); !errors.As(err, &timeout) {
		t.Errorf("detached timeout: %v", err)
	}
}

func TestAskedBeforeKilled(t *testing.T) {
	t.Parallel()
	c := sh(`trap 'echo cleaned; exit 0' TERM; while :; do sleep 0.05; done`)
	c.Timeout, c.Grace = 200*time.Millisecond, 10*time.Second
	res, err := Run(context.Background(), c)
	if err != nil || string(res.Stdout) != "cleaned\n" {
		t.Errorf("a child that ends well after all: %q %v", res.Stdout, err)
	}
	c = sh(`trap '' TERM; while :; do sleep 0.05; done`)
	c.Timeout, c.Grace = 100*time.Millisecond, 200*time.Millisecond
	start := time.Now()
	var timeout *TimeoutError
	if _, err := Run(context.Background(), c); !errors.As(err, &timeout) {
		t.Errorf("a deaf child: %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("the deaf child lived for %s", d)
	}
}

func TestGrandchildrenEndToo(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	c := sh(`(sleep 1; touch ` + mark + `) & wait`)
	c.Timeout, c.Grace = 100*time.Millisecond, 100*time.Millisecond
	if _, err := Run(context.Background(), c); err == nil {
		t.Fatal("no timeout")
	}
	time.Sleep(1300 * time.Millisecond)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a grandchild went on")
	}
}

func TestADaemonDoesNotHoldUs(t *testing.T) {
	t.Parallel()
	start := time.Now()
	res, err := Run(context.Background(), sh("echo out; sleep 8 & exit 0"))
	if err != nil || string(res.Stdout) != "out\n" {
		t.Errorf("%q %v", res.Stdout, err)
	}
	if d := time.Since(start); d > 6*time.Second {
		t.Errorf("waited %s for a process that was left behind", d)
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	c := sh("yes")
	c.MaxStdout = 1000
	res, err := Run(context.Background(), c)
	if !errors.Is(err, ErrOutput) || len(res.Stdout) != 1000 {
		t.Errorf("%d bytes, %v", len(res.Stdout), err)
	}
	c = sh("printf 12345")
	c.MaxStdout = 5
	if res, err := Run(context.Background(), c); err != nil || string(res.Stdout) != "12345" {
		t.Errorf("exactly the limit: %q %v", res.Stdout, err)
	}
	c = sh("i=0; while [ $i -lt 500 ]; do echo line $i >&2; i=$((i+1)); done")
	c.MaxStderr = 200
	res, err = Run(context.Background(), c)
	if s := string(res.Stderr); err != nil || !strings.HasPrefix(s, "line 0\n") || !strings.HasSuffix(s, "line 499\n") || !strings.Contains(s, "left out") || len(s) > 300 {
		t.Errorf("%q %v", s, err)
	}
}

func TestConversation(t *testing.T) {
	t.Parallel()
	p, err := Start(context.Background(), sh(`while read x; do echo "got $x"; done; echo end >&2`))
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(p.Stdout)
	for _, w := range []string{"a", "b"} {
		if _, err := io.WriteString(p.Stdin, w+"\n"); err != nil {
			t.Fatal(err)
		}
		if l, err := in.ReadString('\n'); err != nil || l != "got "+w+"\n" {
			t.Errorf("%q %v", l, err)
		}
	}
	if err := p.Close(); err != nil || p.Exit() != 0 || string(p.Stderr()) != "end\n" {
		t.Errorf("%v %d %q", err, p.Exit(), p.Stderr())
	}
	if err := p.Close(); err != nil {
		t.Errorf("again: %v", err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	p, err = Start(ctx, sh("exec sleep 30"))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(p.Stdout); err != nil {
		t.Errorf("the end of the child is the end of its output: %v", err)
	}
	if err := p.Close(); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	p, err = Start(context.Background(), sh("exec sleep 30"))
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("enough")
	p.Kill(why)
	if err := p.Close(); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
}

// A shell lets the jobs it starts in the background ignore an interrupt.
func TestBackgroundJobsEndToo(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	c := sh(`(sleep 1; touch ` + mark + `) & (sleep 1; touch ` + mark + `) & wait`)
	c.Timeout, c.Grace = 100*time.Millisecond, 10*time.Second
	if _, err := Run(context.Background(), c); err == nil {
		t.Fatal("no timeout")
	}
	time.Sleep(1300 * time.Millisecond)
	if _, err := os.Stat(mark); err == nil {
		t.Error("a background job went on")
	}
}
