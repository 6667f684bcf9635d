package gitbus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/bus/bustest"
	"gitlet/internal/config"
	"gitlet/internal/git/gittest"
)

// soak is set for the long counts, which are run by hand.
var soak = os.Getenv("GITLET_SOAK") != ""

// host connects the clones of a world with its remote.
type host func(w *world)

// overFile is a remote on a file system, as a URL.
func overFile(w *world) {
	for _, m := range w.machines {
		m.Git("config", "remote.origin.receivepack", w.script("receive-pack", receivePack))
	}
}

// overPath is the same as a plain path, which git treats a little differently.
func overPath(w *world) {
	overFile(w)
	for _, m := range w.machines {
		m.Git("remote", "set-url", "origin", w.remote.Dir)
	}
}

func overDaemon(version string) host {
	return func(w *world) {
		hook := w.script("access", "test \"$1\" = receive-pack || exit 0\nexec \"$control/gate\" \"$2\"\n")
		root := filepath.Dir(w.remote.Dir)
		port := freePort(w.t)
		start(w.t, port, "git", "daemon", "--reuseaddr", "--listen=127.0.0.1", "--port="+port, "--base-path="+root, "--export-all",
			"--enable=receive-pack", "--access-hook="+hook, root)
		w.behind(net.JoinHostPort("127.0.0.1", port))
		w.setURL("git://%s/" + filepath.Base(w.remote.Dir))
		for _, m := range w.machines {
			m.Git("config", "protocol.version", version)
		}
	}
}

func overHTTP(w *world) {
	w.remote.Git("config", "http.receivepack", "true")
	server := httptest.NewServer(w.backend())
	w.t.Cleanup(server.Close)
	w.behind(server.Listener.Addr().String())
	w.setURL("http://%s/" + filepath.Base(w.remote.Dir))
}

// backend is git's own server side of HTTP.
func (w *world) backend() http.Handler {
	program, err := exec.LookPath("git")
	if err != nil {
		w.t.Fatal(err)
	}
	env := append(gittest.Env(w.t.TempDir()), "GIT_PROJECT_ROOT="+filepath.Dir(w.remote.Dir), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=peer")
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.requests.Add(1)
		if r.URL.Query().Get("service") == "git-receive-pack" {
			// A web server would ask who this is here.
			if err := exec.Command(filepath.Join(w.control, "gate"), w.remote.Dir).Run(); err != nil {
				http.Error(rw, "not yours", http.StatusForbidden)
				return
			}
		}
		h := cgi.Handler{Path: program, Args: []string{"http-backend"}, Dir: w.remote.Dir, Stderr: io.Discard,
			Env: append(env[:len(env):len(env)], "GIT_PROTOCOL="+r.Header.Get("Git-Protocol"))}
		h.ServeHTTP(rw, r)
	})
}

// sshd returns the path of an ssh server, or why there is none to be used.
func sshd() (path, why string) {
	for _, p := range []string{"sshd", "/usr/sbin/sshd", "/usr/local/sbin/sshd"} {
		if found, err := exec.LookPath(p); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return "", "no sshd here (Debian: apt-get install openssh-server)"
	}
	if path, err := filepath.Abs(path); err != nil || !filepath.IsAbs(path) {
		return "", "sshd has no absolute path"
	}
	if _, err := os.Stat("/run/sshd"); os.Getuid() == 0 && err != nil {
		return "", "sshd as root needs the folder /run/sshd"
	}
	return path, ""
}

func overSSH(w *world) {
	program, why := sshd()
	if why != "" {
		w.t.Fatal(why)
	}
	dir, port := w.t.TempDir(), freePort(w.t)
	for _, key := range []string{"host", "user"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key)).CombinedOutput(); err != nil {
			w.t.Fatalf("ssh-keygen: %v %s", err, out)
		}
	}
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			w.t.Fatal(err)
		}
		return path
	}
	// The account's own configuration must not reach the server's git.
	shell := "#!/bin/sh\n"
	for _, kv := range gittest.Env(dir) {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_") || name == "HOME" || name == "PATH" {
			shell += fmt.Sprintf("export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
		}
	}
	shell = write("shell", shell+"eval \"$SSH_ORIGINAL_COMMAND\"\n", 0o755)
	config := write("sshd_config", fmt.Sprintf("Port %s\nListenAddress 127.0.0.1\nHostKey %s/host\nPidFile none\nAuthorizedKeysFile %s/user.pub\n"+
		"StrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\nPrintMotd no\n"+
		"AcceptEnv GIT_PROTOCOL\nMaxStartups 100\nForceCommand %s\n", port, dir, dir, shell), 0o600)
	start(w.t, port, program, "-D", "-e", "-f", config)
	me, err := user.Current()
	if err != nil {
		w.t.Fatal(err)
	}
	client := write("ssh_config", fmt.Sprintf("IdentityFile %s/user\nIdentitiesOnly yes\nIdentityAgent none\nUserKnownHostsFile /dev/null\n"+
		"StrictHostKeyChecking no\nBatchMode yes\nLogLevel ERROR\nSendEnv GIT_PROTOCOL\n", dir), 0o600)
	overFile(w)
	w.behind(net.JoinHostPort("127.0.0.1", port))
	w.setURL("ssh://" + me.Username + "@%s" + w.remote.Dir)
	for _, m := range w.machines {
		m.Git("config", "core.sshCommand", "ssh -F '"+client+"'")
	}
}

// setURL gives both clones the remote's URL; format has a place for host and port.
func (w *world) setURL(format string) {
	for _, m := range w.machines {
		m.Git("remote", "set-url", "origin", fmt.Sprintf(format, w.front.addr))
	}
}

// freePort finds a port that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// start runs a server until the test ends, and waits until it listens.
func start(t *testing.T, port, program string, args ...string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = gittest.Env(t.TempDir()), &said, &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a server may run others
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }() // it is ended by a signal
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); <-ended })
	for range 200 {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", port))
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("%s ended: %s", program, said.String())
		case <-time.After(25 * time.Millisecond):
		}
	}
	t.Fatalf("%s does not listen: %s", program, said.String())
}

// front stands before a server: it counts what passes, and can be away.
type front struct {
	addr     string
	sent     atomic.Int64 // bytes from clones to the server
	received atomic.Int64
	conns    atomic.Int64
}

// behind puts a front before the server at addr.
func (w *world) behind(addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = l.Close() })
	w.front = &front{addr: l.Addr().String()}
	w.toggle("front", true, "")
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.pass(c, addr)
		}
	}()
}

func (w *world) pass(c net.Conn, addr string) {
	defer c.Close()
	if _, err := os.Stat(filepath.Join(w.control, "offline")); !errors.Is(err, os.ErrNotExist) {
		return
	}
	s, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer s.Close()
	w.front.conns.Add(1)
	copied := make(chan struct{}, 2)
	relay := func(to, from net.Conn, n *atomic.Int64) {
		_, _ = io.Copy(to, io.TeeReader(from, counter{n})) // either side may go away at any time
		if half, ok := to.(*net.TCPConn); ok {
			_ = half.CloseWrite()
		}
		copied <- struct{}{}
	}
	go relay(s, c, &w.front.sent)
	go relay(c, s, &w.front.received)
	<-copied
	<-copied
}

type counter struct{ n *atomic.Int64 }

func (c counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// TestRemote runs the suite over every kind of remote. Beside the first, a part of it
// does unless the long counts are asked for.
func TestRemote(t *testing.T) {
	claims := []string{"PeersSee", "Claims", "ClaimFaults", "Vanished"}
	more := append([]string{"ShareFaults", "DeclinedClaims", "Denied", "Collision", "RefusedSnapshot"}, claims...)
	for _, h := range []struct {
		name      string
		connect   host
		namespace string
		part      []string
	}{
		{"file", overFile, "", nil}, {"heads", overFile, config.RefsHeads.Namespace(), append(claims[:2:2], "RefusedSnapshot")}, {"path", overPath, "", claims[:2]},
		{"git v2", overDaemon("2"), "", claims}, {"git v0", overDaemon("0"), "", claims[:3]}, {"http", overHTTP, "", more},
		{"ssh", overSSH, "", claims[3:]},
	} {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			if h.name == "ssh" {
				if _, why := sshd(); why != "" {
					t.Logf("not run: %s", why)
					return
				}
			}
			if soak {
				h.part = nil
			}
			bustest.Run(t, bus.Remote, func(t *testing.T) bustest.World {
				w := newHostWorld(t, h.connect)
				w.options.Namespace = h.namespace
				return w
			}, h.part...)
		})
	}
}

// TestReadOnly: remotes that let everybody read and nobody write, as their servers
// really say it. Reading goes on.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		connect host
		close   func(*world)
	}{
		"git":  {overDaemon("2"), func(w *world) { w.remote.Git("config", "daemon.receivepack", "false") }},
		"http": {overHTTP, func(w *world) { w.remote.Git("config", "http.receivepack", "false") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newHostWorld(t, c.connect)
			a, b := w.Open(0), w.Open(1)
			if err := b.UpdateState(t.Context(), agents[1], withItem("theirs")); err != nil {
				t.Fatal(err)
			}
			c.close(w)
			if err := a.UpdateState(t.Context(), agents[0], withItem("mine")); !errors.Is(err, bus.ErrDenied) || errors.Is(err, bus.ErrOffline) {
				t.Errorf("update: %v", err)
			}
			if h, err := a.Claim(t.Context(), claimOn("00000000000000aa", agents[0])); !errors.Is(err, bus.ErrDenied) || h != nil {
				t.Errorf("claim: %+v %v", h, err)
			}
			if d := w.see(a); len(d.States) != 2 {
				t.Errorf("%+v", d)
			}
		})
	}
}
