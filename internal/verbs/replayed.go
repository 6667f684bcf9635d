package verbs

import (
	"fmt"
	"slices"
	"time"

	"gitlet/internal/git"
	"gitlet/internal/model"
	"gitlet/internal/replay"
	"gitlet/internal/verb"
)

// Replayed is a conflict in one file that a recorded resolution solved.
type Replayed struct {
	Path       string         `json:"path"`
	Resolution string         `json:"resolution"`
	Hunks      []ReplayedHunk `json:"hunks"`
	By         string         `json:"by,omitempty"` // who recorded it, where that is known
	At         time.Time      `json:"at"`           // and when
	Merge      string         `json:"merge,omitempty"`
	Forget     string         `json:"forget"` // the call that forgets it
}

// ReplayedHunk is one of its conflicts, the two sides in no order.
type ReplayedHunk struct {
	Line int    `json:"line"`
	One  string `json:"one"`
	Two  string `json:"two"`
}

func replayed(used []replay.Used) []Replayed {
	out := []Replayed{}
	for _, u := range used {
		r := Replayed{Path: u.Path, Resolution: u.Name, By: u.Origin.By, At: u.Origin.At.UTC(), Merge: u.Origin.Commit, Hunks: []ReplayedHunk{},
			Forget: "gitlet rerere forget " + u.Name}
		for _, h := range u.Hunks {
			r.Hunks = append(r.Hunks, ReplayedHunk{Line: h.Line, One: h.One, Two: h.Two})
		}
		out = append(out, r)
	}
	return out
}

func forgetOption(name, why string) model.Option {
	return model.Option{Argv: []string{"gitlet", "rerere", "forget", name}, Why: why}
}

// tellReplayed says in a result which recorded resolutions were used, and how to look at
// each and to forget it.
func tellReplayed(r *verb.Result, used []replay.Used) {
	var told []string
	for _, u := range used {
		r.Details = append(r.Details, fmt.Sprintf("solved from a recorded resolution: %q, %s at %s; %s", u.Path, count(len(u.Hunks), "conflict"), lines(u), u.Origin))
		if !slices.Contains(told, u.Name) && len(told) < 5 {
			told = append(told, u.Name)
			r.Options = append(r.Options, model.Option{Argv: []string{"gitlet", "rerere", "show", u.Name}, Why: fmt.Sprintf("see what was done in %q", u.Path)},
				forgetOption(u.Name, "if it is wrong: forget it"))
		}
	}
}

// tellMerged says which files gitlet's merge drivers merged.
func tellMerged(r *verb.Result, list []git.DriverMerge) {
	for _, m := range list {
		r.Details = append(r.Details, fmt.Sprintf("where git's lines conflict, gitlet merged %q %s", m.Path, m.How))
	}
}

func lines(u replay.Used) string {
	out := "line"
	for i, h := range u.Hunks {
		switch {
		case i == 5:
			return out + ", ..."
		case i > 0:
			out += ","
		}
		out += fmt.Sprintf(" %d", h.Line)
	}
	return out
}
