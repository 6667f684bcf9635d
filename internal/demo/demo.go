package demo

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gitlet/internal/proc"
)

//go:embed sample
var sample embed.FS

// Options say how to play it.
type Options struct {
	Binary string    // the gitlet to run
	Out    io.Writer // where the play is printed
	Keep   bool      // leave the scratch folder and print where it is
}

// stage is the scratch folder with its remote and machines.
type stage struct {
	ctx    context.Context
	root   string
	binary string
	out    io.Writer
	err    error
}

// Run plays the demo. The error names the step that did not go as it must.
func Run(ctx context.Context, o Options) error {
	root, err := os.MkdirTemp("", "gitlet-demo-")
	if err != nil {
		return fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() {
		if !o.Keep {
			os.RemoveAll(root)
		}
	}()
	s := &stage{ctx: ctx, root: root, binary: o.Binary, out: o.Out}
	s.play()
	if o.Keep {
		fmt.Fprintf(o.Out, "\nKept in %s: remote.git, laptop, ci\n", root)
	}
	return s.err
}

func (s *stage) play() {
	s.setUp()
	claude := s.machine("laptop", "claude-laptop-3fa9c1")
	codex := s.machine("ci", "codex-ci-1a2b3c")

	s.say("Two machines, one ordinary git remote. An agent on each states its task.")
	claude.gitlet("start", "Add strict mode to config loading")
	codex.gitlet("start", "Load plugins from the config file")

	s.say("On the laptop, Claude gives parseConfig a new parameter. Nothing is committed.")
	claude.edit("src/config.ts", "parseConfig(text: string)", "parseConfig(text: string, strict: boolean)")
	claude.gitlet("status")

	s.say("On the CI machine, Codex writes code that calls parseConfig, and looks at its status.")
	codex.write("src/plugins.ts", "import { parseConfig } from \"./config\";\n\n"+
		"export function pluginNames(text: string): string[] {\n  return parseConfig(text).plugins;\n}\n")
	codex.expect("callee_changed", "gitlet", "status")

	s.say("Claude makes the parameter optional: old callers keep working, so the note calms down.")
	claude.edit("src/config.ts", "strict: boolean", "strict?: boolean")
	claude.quiet("status")
	codex.gitlet("status")

	s.say("Claude takes the change back: the note goes away by itself, and Codex hears so once.")
	claude.edit("src/config.ts", ", strict?: boolean", "")
	claude.quiet("status")
	codex.gitlet("status")
}

// machine is one clone with its agent.
type machine struct {
	*stage
	name, agent, dir string
}

func (s *stage) setUp() {
	seed := filepath.Join(s.root, "seed")
	s.do(os.CopyFS(seed, sub(sample)))
	for _, line := range []string{
		"git init -q --bare -b main ../remote.git",
		"git init -q -b main", "git add -A", "git commit -q -m 'Sample project'",
		"git push -q ../remote.git main",
	} {
		s.shell(seed, "", line)
	}
	s.do(os.RemoveAll(seed))
}

func sub(f embed.FS) fs.FS {
	out, err := fs.Sub(f, "sample")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return out
}

func (s *stage) machine(name, agent string) *machine {
	m := &machine{stage: s, name: name, agent: agent, dir: filepath.Join(s.root, name)}
	s.shell(s.root, "", "git clone -q remote.git "+name)
	// Every verb asks the remote, so that nothing has to be waited for.
	s.shell(m.dir, "", "git config gitlet.pollInterval 0s && git config gitlet.snapshotInterval 0s")
	return m
}

func (s *stage) say(text string) {
	if s.err == nil {
		fmt.Fprintf(s.out, "\n# %s\n", text)
	}
}

func (s *stage) do(err error) {
	if s.err == nil && err != nil {
		s.err = err
	}
}

// gitlet runs a verb as the machine's agent and prints the command and its answer.
func (m *machine) gitlet(args ...string) { m.expect("", append([]string{"gitlet"}, args...)...) }

// quiet runs a verb without printing anything.
func (m *machine) quiet(args ...string) {
	if m.err == nil {
		_, err := m.run(m.dir, m.agent, m.binary, args...)
		m.do(err)
	}
}

// expect runs a verb and fails the demo when the answer does not hold the word.
func (m *machine) expect(word string, args ...string) {
	if m.err != nil {
		return
	}
	shown := make([]string, len(args))
	for i, a := range args {
		shown[i] = a
		if strings.ContainsAny(a, " \"'") {
			shown[i] = "\"" + a + "\""
		}
	}
	fmt.Fprintf(m.out, "\n%s$ %s\n", m.name, strings.Join(shown, " "))
	out, err := m.run(m.dir, m.agent, m.binary, args[1:]...)
	m.do(err)
	fmt.Fprint(m.out, string(out))
	if word != "" && err == nil {
		data, err := m.run(m.dir, m.agent, m.binary, "status", "--json")
		m.do(err)
		if !strings.Contains(string(data), word) {
			m.do(fmt.Errorf("%s should have been told of %q", m.agent, word))
		}
	}
}

func (m *machine) edit(path, old, new string) {
	if m.err != nil {
		return
	}
	full := filepath.Join(m.dir, path)
	data, err := os.ReadFile(full)
	m.do(err)
	if !strings.Contains(string(data), old) {
		m.do(fmt.Errorf("edit %q: %q is not there", path, old))
		return
	}
	m.do(os.WriteFile(full, []byte(strings.Replace(string(data), old, new, 1)), 0o644))
	fmt.Fprintf(m.out, "\n%s$ sed -i 's/%s/%s/' %s\n", m.name, old, new, path)
}

func (m *machine) write(path, text string) {
	if m.err != nil {
		return
	}
	m.do(os.WriteFile(filepath.Join(m.dir, path), []byte(text), 0o644))
	fmt.Fprintf(m.out, "\n%s$ cat > %s\n%s", m.name, path, indent(text))
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

func (s *stage) shell(dir, agent, line string) {
	if s.err == nil {
		_, err := s.run(dir, agent, "sh", "-c", line)
		s.do(err)
	}
}

// run starts one program with a sealed git configuration.
func (s *stage) run(dir, agent, program string, args ...string) ([]byte, error) {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.root, "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Demo", "GIT_AUTHOR_EMAIL=demo@example.com",
		"GIT_COMMITTER_NAME=Demo", "GIT_COMMITTER_EMAIL=demo@example.com",
	}
	if agent != "" {
		env = append(env, "GITLET_AGENT="+agent)
	}
	res, err := proc.Run(s.ctx, proc.Cmd{Path: program, Args: args, Dir: dir, Env: env, Timeout: time.Minute})
	var exit *proc.ExitError
	if err != nil && !(errors.As(err, &exit) && program == s.binary && res.Exit == 1) {
		return res.Stdout, fmt.Errorf("%s %s: %w\n%s", filepath.Base(program), strings.Join(args, " "), err, res.Stderr)
	}
	return res.Stdout, nil
}
