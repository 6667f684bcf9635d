package setup

import "strings"

// Client is a program that runs agents.
type Client struct {
	Name    string // as people write it after init
	Aliases []string
	Title   string

	// It is detected by one of these: in the repository, in the home folder, on PATH.
	inRepo, inHome, programs []string
	files                    func(built func(verb string) bool) []file
}

// file is one file of a client's that holds something of gitlet's.
type file struct {
	path        string // from the root of the worktree, with slashes
	what        string // what of gitlet's is in it
	add, remove edit
	whole       bool // text for agents, which is not shown line by line
}

// Clients are the clients that init knows, in the order they are set up.
func Clients() []Client { return []Client{claudeCode, codex, cursor} }

// FindClient is the client that people call by this name.
func FindClient(name string) (Client, bool) {
	for _, c := range Clients() {
		for _, n := range append([]string{c.Name}, c.Aliases...) {
			if strings.EqualFold(n, name) {
				return c, true
			}
		}
	}
	return Client{}, false
}

// Files is how many files of a client hold something of gitlet's.
func Files(c Client) int { return len(c.files(func(string) bool { return true })) }

// World is what detecting looks at.
type World struct {
	Exists func(path string) bool // absolute
	OnPath func(program string) bool
	Root   string
	Home   string // "" when there is none
}

// Detect says by what a client is known to be here, "" when it is not: a file in the
// repository, its folder in the home folder, or its program.
func (c Client) Detect(w World) string {
	for _, f := range c.inRepo {
		if w.Exists(w.Root + "/" + f) {
			return f
		}
	}
	if w.Home != "" {
		for _, f := range c.inHome {
			if w.Exists(w.Home + "/" + f) {
				return "~/" + f
			}
		}
	}
	for _, p := range c.programs {
		if w.OnPath(p) {
			return p + " on PATH"
		}
	}
	return ""
}
