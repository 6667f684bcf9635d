package gate

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/sources"
)

// markerSize is how long git's conflict markers are, unless the attribute
// conflict-marker-size says otherwise.
const markerSize = 7

// markersIn returns the line of the first whole conflict that is left in a text, 0 when
// there is none: an opening marker, a line of "=" and a closing marker, in that order and
// as git writes them.
func markersIn(text []byte, size int) int {
	open, split, line := 0, false, 0
	for l := range bytes.Lines(text) {
		line++
		l = bytes.TrimRight(l, "\r\n")
		switch {
		case marks(l, '<', size, true):
			open, split = line, false
		case open > 0 && marks(l, '=', size, false):
			split = true
		case open > 0 && split && marks(l, '>', size, true):
			return open
		}
	}
	return 0
}

// marks reports a line of exactly size of the character, with a label after a space where
// there may be one.
func marks(l []byte, c byte, size int, label bool) bool {
	if len(l) < size {
		return false
	}
	for _, x := range l[:size] {
		if x != c {
			return false
		}
	}
	return len(l) == size || label && l[size] == ' '
}

// Markers looks for conflicts left in the files that the commit changes. A file that
// had as many on main is about such markers, and a file may say with git's own attribute
// that its markers are of another size.
func Markers(ctx context.Context, in Input) ([]Finding, error) {
	base := in.Main
	if base != "" {
		b, err := in.WT.MergeBase(ctx, in.Main, in.Head)
		if err != nil && !cannotTell(err) {
			return nil, err
		}
		base = b
	}
	changes, err := in.WT.DiffTrees(ctx, base, in.Head)
	if err != nil {
		return nil, err
	}
	cat := in.WT.NewCatFile(ctx)
	defer cat.Close()
	var at []string
	texts := map[string][]byte{}
	olds := map[string]string{}
	for _, c := range changes {
		if c.Status == 'D' || c.Gitlink() || c.NewMode == git.ModeLink {
			continue
		}
		data, err := sources.Object(cat, c.NewOID)
		if err != nil {
			continue // not in this clone
		}
		if bytes.Contains(data, []byte("<<<<<<<")) {
			at = append(at, c.Path)
			texts[c.Path], olds[c.Path] = data, c.OldOID
		}
	}
	sizes, err := in.WT.Attribute(ctx, "conflict-marker-size", at)
	if err != nil {
		return nil, err
	}
	var left []string
	for _, p := range at {
		size := markerSize
		if n, err := strconv.Atoi(sizes[p]); err == nil && n > 0 {
			size = n
		}
		line := markersIn(texts[p], size)
		if line == 0 {
			continue
		}
		if strings.Trim(olds[p], "0") != "" {
			if old, err := sources.Object(cat, olds[p]); err == nil && markersIn(old, size) > 0 {
				continue
			}
		}
		left = append(left, fmt.Sprintf("%s:%d", p, line))
	}
	if len(left) == 0 {
		return nil, nil
	}
	first := left[0][:strings.LastIndexByte(left[0], ':')]
	return []Finding{{Check: "markers", Refuses: true,
		Summary: fmt.Sprintf("conflict markers are committed in %s", plural(len(left), "file")),
		Details: some(left),
		Options: []model.Option{
			{Argv: []string{"git", "grep", "-nE", "^(<{7}|={7}|>{7})( |$)", "--", first}, Why: "see them, solve them, commit, then submit again"},
			{Argv: []string{"git", "check-attr", "conflict-marker-size", "--", first}, Why: "they belong there: give the file another conflict-marker-size in .gitattributes"}}}}, nil
}
