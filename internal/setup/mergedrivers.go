package setup

import (
	"context"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"gitlet/internal/git"
	"gitlet/internal/glob"
	"gitlet/internal/lang"
)

// driverPrefix begins the names of gitlet's merge drivers in git's settings.
const driverPrefix = "gitlet-"

// DriverKinds are gitlet's merge drivers, with what git shows for each.
var DriverKinds = []struct{ Name, Title string }{
	{"source", "gitlet: source by its definitions"},
	{"lockfile", "gitlet: lock files and derived files, made again"},
	{"changelog", "gitlet: changelogs by their entries"},
}

// driverCommand is what git runs. Where there is no gitlet, or it cannot answer, git's own
// merge has the file.
func driverCommand(kind string) string {
	return "command -v gitlet >/dev/null 2>&1 && { gitlet merge-driver " + kind + " %O %A %B %L %P %S %X %Y; r=$?; [ $r -le 1 ] && exit $r; }; " +
		"git merge-file -q --marker-size=%L -L ours -L base -L theirs %A %O %B"
}

// driverSettings are the settings of the drivers. The ancestors that git merges for itself,
// where branches met several times, are left to git.
func driverSettings() []Setting {
	var out []Setting
	for _, d := range DriverKinds {
		key := "merge." + driverPrefix + d.Name + "."
		out = append(out, Setting{Key: key + "name", To: d.Title}, Setting{Key: key + "driver", To: driverCommand(d.Name)},
			Setting{Key: key + "recursive", To: "text"})
	}
	return out
}

// driverPattern is one line of attributes.
type driverPattern struct{ pattern, driver string }

func (p driverPattern) line() string {
	pattern := p.pattern
	if strings.ContainsAny(pattern, " \t\"\\") {
		pattern = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(pattern) + `"`
	}
	return pattern + " merge=" + driverPrefix + p.driver
}

// driverPatterns says which files each driver is for; later ones count. generated are
// globs of derived files.
func driverPatterns(generated []string) []driverPattern {
	out := []driverPattern{{"CHANGELOG*", "changelog"}, {"CHANGES*", "changelog"}, {"HISTORY*", "changelog"}}
	for _, l := range lang.All() {
		for _, e := range l.Extensions {
			out = append(out, driverPattern{"*" + e, "source"})
		}
	}
	for _, name := range lang.Lockfiles() {
		if name != goSum {
			out = append(out, driverPattern{name, "lockfile"})
		}
	}
	for _, g := range generated {
		out = append(out, driverPattern{g, "lockfile"})
	}
	return out
}

// goSum is merged by keeping both sides' lines, which the committed attributes say.
const goSum = "go.sum"

const (
	blockBegin = "# gitlet:begin (made by gitlet init --merge-drivers; gitlet init --remove takes it out)"
	blockEnd   = "# gitlet:end"
)

// mergeDrivers plans gitlet's merge drivers: settings and attributes of the clone alone, and
// for go.sum a line in the committed ones. What somebody's attributes say stays.
func (p *Plan) mergeDrivers(ctx context.Context, d Disk, wt *git.Worktree, cfg *git.Config) {
	made := p.made(cfg)
	for _, s := range driverSettings() {
		had, there := cfg.Get(s.Key)
		switch {
		case there && had == s.To:
			continue
		case there && !contains(made, s.Key):
			p.Kept = append(p.Kept, Kept{s.Key, "it is " + had + ": kept"})
			continue
		case there:
			s.From = had // an earlier gitlet's
		}
		s.Undo = "git config --unset " + s.Key
		p.Settings = append(p.Settings, s)
		if !contains(made, s.Key) {
			made = append(made, s.Key)
		}
	}
	if len(p.Settings) > 0 {
		all := strings.Join(made, " ")
		p.record = &all
	}
	files := trackedFiles(ctx, wt)
	attributes := filepath.Join(wt.CommonDir, "info", "attributes")
	var lines []string
	had := blockLines(d.Read(attributes).Data)
	for _, x := range driverPatterns(generatedGlobs(cfg)) {
		if slices.Contains(had, x.line()) {
			lines = append(lines, x.line())
			continue
		}
		if by := otherDriver(ctx, wt, x, files); by != "" {
			p.Kept = append(p.Kept, Kept{x.pattern, by})
			continue
		}
		lines = append(lines, x.line())
	}
	p.plan(d, file{path: attributes, what: "which files gitlet's merge drivers are for, in this clone alone (undo: gitlet init --remove)", add: addBlock(lines, true), remove: removeBlock}, addBlock(lines, true), false)
	if sums := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return filepath.Base(f) != goSum }); len(sums) > 0 {
		if says, err := wt.Attribute(ctx, "merge", sums[:1]); err == nil && (says[sums[0]] == "unspecified" || blockLines(d.Read(".gitattributes").Data) != nil) {
			add := addBlock([]string{goSum + " merge=union"}, false)
			p.plan(d, file{path: ".gitattributes", what: "both sides' lines of go.sum are kept, for everybody once it is committed (undo: gitlet init --remove)", add: add, remove: removeBlock}, add, false)
		}
	}
}

// removeMergeDrivers plans taking them out.
func (p *Plan) removeMergeDrivers(d Disk, wt *git.Worktree, cfg *git.Config) {
	made := madeByInit(cfg)
	for _, s := range driverSettings() {
		had, there := cfg.Get(s.Key)
		switch {
		case !there || !contains(made, s.Key):
		case had != s.To && !strings.Contains(had, "gitlet"):
			p.Kept = append(p.Kept, Kept{s.Key, "it was changed to " + had + " since: kept"})
		default:
			p.Settings = append(p.Settings, Setting{Key: s.Key, From: had, Undo: "gitlet init --merge-drivers"})
		}
	}
	for _, path := range []string{filepath.Join(wt.CommonDir, "info", "attributes"), ".gitattributes"} {
		p.plan(d, file{path: path, what: "gitlet's merge drivers"}, removeBlock, true)
	}
}

// trackedFiles are the files of HEAD; none where there is no commit.
func trackedFiles(ctx context.Context, wt *git.Worktree) []string {
	list, err := wt.Tree(ctx, "HEAD")
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range list {
		if !e.Gitlink() {
			out = append(out, e.Path)
		}
	}
	sort.Strings(out)
	return out
}

// otherDriver says why a pattern is left out: a file it is for has a merge attribute of
// somebody's, which the clone's own attributes would go over. "" when none has.
func otherDriver(ctx context.Context, wt *git.Worktree, x driverPattern, files []string) string {
	var mine []string
	for _, f := range files {
		if ok, err := filepath.Match(x.pattern, filepath.Base(f)); err == nil && ok || strings.Contains(x.pattern, "/") && glob.Match(x.pattern, f) {
			mine = append(mine, f)
		}
	}
	says, err := wt.Attribute(ctx, "merge", mine)
	if err != nil {
		return ""
	}
	for _, f := range mine {
		if v := says[f]; v != "unspecified" && !strings.HasPrefix(v, driverPrefix) {
			return "the attributes of " + f + " say merge=" + v + ": kept"
		}
	}
	return ""
}

// generatedGlobs are the globs of derived files that the user's settings name.
func generatedGlobs(cfg *git.Config) []string {
	var out []string
	for _, v := range cfg.All("gitlet.generated") {
		f := strings.Fields(v)
		switch {
		case len(f) == 0:
			out = nil
		default:
			out = append(out, f[0])
		}
	}
	return out
}

// blockLines are the lines of gitlet's block in a file of attributes, nil where there is none.
func blockLines(data []byte) []string {
	_, block, _, ok := cutBlock(string(data))
	if !ok {
		return nil
	}
	return block
}

// cutBlock parts a text at gitlet's block.
func cutBlock(s string) (before string, lines []string, after string, ok bool) {
	before, rest, found := strings.Cut(s, blockBegin+"\n")
	body, after, ended := strings.Cut(rest, blockEnd+"\n")
	if !found || !ended {
		return s, nil, "", false
	}
	return before, splitLines(body), after, true
}

// addBlock puts lines between marks into a file of attributes: first, where what others
// wrote there is to count more, or last.
func addBlock(lines []string, first bool) edit {
	return func(t text) (text, string, error) {
		block := blockBegin + "\n" + strings.Join(lines, "\n") + "\n" + blockEnd + "\n"
		s := string(t.data)
		before, had, after, ok := cutBlock(s)
		switch {
		case ok && slices.Equal(had, lines):
			return t, "", nil
		case ok:
			return with([]byte(before + block + after)), "", nil
		case strings.Contains(s, "gitlet:begin"):
			return t, "", alone("take out what is left of the marks, then run gitlet init again", nil, "its marks gitlet:begin and gitlet:end do not make one pair")
		case first:
			return with([]byte(block + s)), "", nil
		case s != "" && !strings.HasSuffix(s, "\n"):
			return t, "", alone("end its last line, then run gitlet init again", lines, "its last line does not end")
		}
		return with([]byte(s + block)), "", nil
	}
}

// removeBlock takes the block out.
func removeBlock(t text) (text, string, error) {
	before, _, after, ok := cutBlock(string(t.data))
	switch {
	case !ok:
		return t, "", nil
	case before+after == "":
		return text{missing: true}, "", nil
	}
	return with([]byte(before + after)), "", nil
}

// UsedDriver is a merge driver that the attributes of a tracked file name.
type UsedDriver struct {
	Name    string
	Example string // one of those files
}

// DriversInUse lists the drivers that the attributes of tracked files name, by name;
// git's own are none of them.
func DriversInUse(ctx context.Context, wt *git.Worktree) ([]UsedDriver, error) {
	files := trackedFiles(ctx, wt)
	says, err := wt.Attribute(ctx, "merge", files)
	if err != nil {
		return nil, err
	}
	var out []UsedDriver
	seen := map[string]bool{"unspecified": true, "set": true, "unset": true, "text": true, "binary": true, "union": true}
	for _, f := range files {
		if name := says[f]; !seen[name] {
			seen[name] = true
			out = append(out, UsedDriver{name, f})
		}
	}
	slices.SortFunc(out, func(a, b UsedDriver) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// OwnDriver reports whether a driver is gitlet's.
func OwnDriver(name string) bool { return strings.HasPrefix(name, driverPrefix) }
