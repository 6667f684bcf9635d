package mergedriver

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"gitlet/internal/config"
	"gitlet/internal/glob"
	"gitlet/internal/pattern"
	"gitlet/internal/proc"
)

// recipe is how a file is made from others.
type recipe struct {
	name string
	argv []string
	// inputs are globs of the files it is made from, below the folder it stands in; names
	// those of which it is enough that they are there. One of code would be run by the
	// tool, or counts for what it makes: then the file is left.
	inputs, names, code []string
	env                 []string
	// older are arguments that the tool needs before a version.
	older *older
	// format reads the file: its version, and false where it is none.
	format func([]byte) (string, bool)
	// atTop is set where it runs at the top of the repository.
	atTop bool
}

// older are arguments for versions of a tool before the major one.
type older struct {
	major int
	args  []string
}

// recipes are those of the lock files whose tools can make them alone, without running
// scripts of the project or of what it depends on (but for poetry, which may build what has
// no wheel), and without moving what is locked and still fits.
var recipes = map[string]recipe{
	"package-lock.json": {argv: []string{"npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"},
		inputs: []string{"package.json", ".npmrc"}, format: jsonFormat("lockfileVersion")},
	"pnpm-lock.yaml": {argv: []string{"pnpm", "install", "--lockfile-only", "--ignore-scripts", "--ignore-pnpmfile", "--no-frozen-lockfile"},
		inputs: []string{"package.json", ".npmrc", "pnpm-workspace.yaml", "*.patch"}, code: []string{".pnpmfile.cjs", ".pnpmfile.mjs", "pnpmfile.js"},
		env: []string{"npm_config_manage_package_manager_versions=false"}, format: yamlFormat("lockfileVersion")},
	"Cargo.lock": {argv: []string{"cargo", "update", "-w", "--offline"}, inputs: []string{"Cargo.toml", "config.toml"}, names: []string{"*.rs"},
		format: tomlFormat("version")},
	"go.sum": {argv: []string{"go", "mod", "tidy"}, inputs: []string{"go.mod", "go.work", "*.go"}, env: []string{"GOFLAGS=-mod=mod"},
		format: sumFormat},
	"poetry.lock": {argv: []string{"poetry", "lock", "--no-interaction"}, inputs: []string{"pyproject.toml", "poetry.toml"},
		env: []string{"POETRY_VIRTUALENVS_CREATE=false", "PYTHON_KEYRING_BACKEND=keyring.backends.null.Keyring"},
		// Before 2, poetry moved everything unless it was told not to.
		older: &older{2, []string{"--no-update"}}, format: tomlFormat("metadata", "lock-version")},
	"uv.lock": {argv: []string{"uv", "lock", "--no-build"}, inputs: []string{"pyproject.toml", "uv.toml", ".python-version"},
		env: []string{"UV_PYTHON_DOWNLOADS=never"}, format: tomlFormat("version")},
	// Only --minimal-changes (2.7) both takes in what is new and keeps what is locked.
	"composer.lock": {argv: []string{"composer", "update", "--minimal-changes", "--no-install", "--no-scripts", "--no-plugins", "--no-audit", "--no-interaction"},
		inputs: []string{"composer.json"}, format: jsonFormat("content-hash", "")},
	// A Gemfile is a program, and so are gemspecs: to read them is to run them.
	"Gemfile.lock": {argv: []string{"bundle", "lock", "--local"}, inputs: []string{"Gemfile", "*.gemspec", ".ruby-version", "version.rb"},
		env: []string{"BUNDLE_FROZEN=false"}, format: gemFormat},
}

// The two kinds of yarn.lock: yarn's first version has no way to write it alone, so it
// unpacks what it locks into the scratch folder, and runs none of it.
var (
	yarnClassic = recipe{argv: []string{"yarn", "install", "--ignore-scripts", "--no-bin-links", "--non-interactive", "--no-progress"},
		inputs: []string{"package.json", ".npmrc", ".yarnrc"}, env: []string{"YARN_IGNORE_PATH=1"}, format: classicFormat}
	yarnBerry = recipe{argv: []string{"yarn", "install", "--mode=update-lockfile"},
		inputs: []string{"package.json", ".yarnrc.yml", "*.patch"},
		env:    []string{"YARN_IGNORE_PATH=1", "YARN_ENABLE_TELEMETRY=0", "YARN_ENABLE_SCRIPTS=0", "YARN_ENABLE_IMMUTABLE_INSTALLS=0"},
		format: berryFormat}
)

// recipeFor finds how the file at p, which holds text, is made: what the user said of
// derived files first.
func recipeFor(p string, s config.Settings, text []byte) (recipe, bool) {
	for _, v := range s.Generated {
		g, command, ok := strings.Cut(strings.TrimSpace(v), " ")
		if ok && glob.Match(g, p) {
			command = strings.TrimSpace(command)
			return recipe{name: command, argv: []string{"sh", "-c", command}, inputs: []string{"*"}, atTop: true}, true
		}
	}
	r, ok := recipes[path.Base(p)]
	if path.Base(p) == "yarn.lock" {
		r, ok = yarnClassic, true
		if bytes.Contains(text, []byte("__metadata:")) {
			r = yarnBerry
		}
	}
	r.name = strings.Join(r.argv, " ")
	return r, ok
}

// versionTime bounds asking a tool for its version.
const versionTime = 20 * time.Second

var versionNumber = pattern.New(`\b([0-9]+)\.[0-9]`)

// fit adds what the version of the tool that is there needs.
func (r *recipe) fit(ctx context.Context) error {
	if r.older == nil {
		return nil
	}
	res, err := proc.Run(ctx, proc.Cmd{Path: r.argv[0], Args: []string{"--version"}, Dir: os.TempDir(), Env: plainEnv(os.Environ()), Timeout: versionTime})
	m := versionNumber.FindSubmatch(res.Stdout)
	if err != nil || m == nil {
		return fmt.Errorf("%s does not say its version", r.argv[0])
	}
	if n, err := strconv.Atoi(string(m[1])); err == nil && n < r.older.major {
		r.argv = append(r.argv[:len(r.argv):len(r.argv)], r.older.args...)
		r.name = strings.Join(r.argv, " ")
	}
	return nil
}

// read reads a version of the file: what is in no known format is what it is.
func (r recipe) read(text []byte) (format string, ok bool) {
	if r.format == nil {
		return "", true
	}
	return r.format(text)
}
