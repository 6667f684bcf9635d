package replay

import (
	"fmt"
	"sort"
	"strings"

	"gitlet/internal/git"
	"gitlet/internal/rerere"
)

// Recorded is a resolution of this clone, and where it comes from.
type Recorded struct {
	git.Resolution
	Origin Origin
	Hunks  []rerere.Hunk
}

// List reads every resolution recorded in the clone, the newest first.
func List(repo *git.Repo) ([]Recorded, error) {
	ids, err := repo.ResolutionIDs()
	if err != nil {
		return nil, err
	}
	var out []Recorded
	for _, id := range ids {
		all, err := repo.Resolutions(id)
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			c := Recorded{Resolution: r, Origin: originOf(repo, r)}
			if read, ok := rerere.Read(labelled(r.Before), repo.ObjectFormat); ok {
				c.Hunks = read.Hunks
			}
			out = append(out, c)
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].Origin.At.After(out[b].Origin.At) })
	return out, nil
}

// labelled gives the markers of git's own copy the labels that a work tree's have.
func labelled(before []byte) []byte {
	s := strings.ReplaceAll("\n"+string(before), "\n<<<<<<<\n", "\n<<<<<<< one\n")
	return []byte(strings.ReplaceAll(s, "\n>>>>>>>\n", "\n>>>>>>> two\n"))[1:]
}

// Find returns the resolutions whose name begins with a text.
func Find(repo *git.Repo, name string) ([]Recorded, error) {
	all, err := List(repo)
	if err != nil {
		return nil, err
	}
	var out []Recorded
	for _, r := range all {
		if r.Name() == name {
			return []Recorded{r}, nil
		}
		if strings.HasPrefix(r.Name(), name) {
			out = append(out, r)
		}
	}
	return out, nil
}

// Forget removes a resolution and makes sure that it is gone.
// Learning from history does not bring it back.
func Forget(repo *git.Repo, r git.Resolution) error {
	if err := markForgotten(repo, r); err != nil {
		return err
	}
	if err := repo.Forget(r); err != nil {
		return err
	}
	if err := dropOrigin(repo, r); err != nil {
		return err
	}
	left, err := repo.Resolutions(r.ID)
	if err != nil {
		return err
	}
	for _, l := range left {
		if l.Variant == r.Variant {
			return fmt.Errorf("forget %s: it is still there", r.Name())
		}
	}
	return nil
}

// Diff shows what the resolution makes of the file with the conflicts, line by line, with a
// little of what surrounds it.
func (r Recorded) Diff() []string {
	const around = 3
	before, after := strings.Split(string(r.Before), "\n"), strings.Split(string(r.After), "\n")
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	var out []string
	add := func(sign string, lines []string) {
		for _, l := range lines {
			out = append(out, sign+strings.TrimSuffix(l, "\r"))
		}
	}
	add(" ", before[max(0, start-around):start])
	add("-", before[start:len(before)-end])
	add("+", after[start:len(after)-end])
	add(" ", after[len(after)-end:min(len(after), len(after)-end+around)])
	return out
}
