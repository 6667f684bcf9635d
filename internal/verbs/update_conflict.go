package verbs

import (
	"context"
	"fmt"
	"strings"

	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/land"
	"gitlet/internal/model"
	"gitlet/internal/verb"
)

// ConflictData is the data of an update that conflicts.
type ConflictData struct {
	Onto string `json:"onto"`
	// Commit is the branch's commit that conflicts; nil when it is uncommitted work.
	Commit      *UpdateCommit      `json:"commit"`
	Uncommitted bool               `json:"uncommitted"`
	Files       []ConflictFileData `json:"files"`
}

// ConflictFileData is one file that conflicts.
type ConflictFileData struct {
	Path  string          `json:"path"`
	How   string          `json:"how"`
	Hunks []ConflictHunk  `json:"hunks"`
	Other *ConflictAuthor `json:"other,omitempty"`
}

// ConflictHunk is one conflict: main's side, the base, the branch's side, with git's markers.
type ConflictHunk struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// ConflictAuthor is the last commit of main that changed the file, and whose it is.
type ConflictAuthor struct {
	Commit  string `json:"commit"`
	Subject string `json:"subject"`
	Author  string `json:"author"`
	Agent   string `json:"agent,omitempty"`
	Item    string `json:"item,omitempty"`
	Intent  string `json:"intent,omitempty"`
}

// How much of the conflicts the text shows; data has all.
const (
	maxHunks     = 20
	maxHunkLines = 200
)

func conflictRefusal(ctx context.Context, c *engine.Call, e *land.ConflictError, main string) *verb.Result {
	d := ConflictData{Onto: main, Uncommitted: e.Uncommitted, Files: []ConflictFileData{}}
	what := "your uncommitted work"
	if !e.Uncommitted {
		d.Commit = &UpdateCommit{Old: e.Commit.OID, Subject: e.Commit.Subject}
		what = fmt.Sprintf("commit %s %s", git.Short(e.Commit.OID), said(e.Commit.Subject))
	}
	r := verb.Refuse(fmt.Sprintf("%s conflicts with %s in %s; nothing was changed", what, c.MainName(), count(len(e.Files), "file")))
	hunks, lines, left := 0, 0, 0
	for _, f := range e.Files {
		fd := ConflictFileData{Path: f.Path, How: f.How, Hunks: []ConflictHunk{}}
		line := fmt.Sprintf("%s: %s", f.Path, f.How)
		if f.Other != nil {
			w := c.WhoDid(ctx, *f.Other)
			fd.Other = &ConflictAuthor{Commit: f.Other.OID, Subject: f.Other.Subject, Author: w.Author, Agent: w.Agent, Item: w.Item, Intent: w.Intent}
			line += fmt.Sprintf("; main's side is %s %s by %s", git.Short(f.Other.OID), said(f.Other.Subject), w)
		}
		r.Details = append(r.Details, line)
		for _, h := range f.Hunks {
			fd.Hunks = append(fd.Hunks, ConflictHunk{Line: h.Line, Text: h.Text})
			text := strings.Split(h.Text, "\n")
			if hunks == maxHunks || lines >= maxHunkLines {
				left++
				continue
			}
			if room := maxHunkLines - lines; len(text) > room {
				text = append(text[:room:room], "...")
			}
			hunks, lines = hunks+1, lines+len(text)
			r.Body = append(r.Body, verb.Section{Title: fmt.Sprintf("%s, line %d of the merge", f.Path, h.Line), Code: text})
		}
		d.Files = append(d.Files, fd)
	}
	if left > 0 {
		r.Details = append(r.Details, fmt.Sprintf("%s not shown; the structured result has all", count(left, "more conflict")))
	}
	if len(e.Untracked) > 0 {
		argv := []string{"git", "add", "--"}
		for _, p := range e.Untracked {
			argv = append(argv, ":(top,literal)"+p)
		}
		r.Options = append(r.Options, model.Option{Argv: argv, Why: "git does not track it yet: add it, commit it, then rebase by hand"})
	}
	if e.Dirty || len(e.Untracked) > 0 {
		r.Options = append(r.Options, model.Option{Argv: []string{"git", "commit", "-a", "-m", "Work so far"}, Why: "commit your work first; then rebase by hand"})
	}
	if c.SourceSolves(ctx, e.Files) {
		r.Options = append(r.Options, model.Option{Argv: []string{"gitlet", "init", "--merge-drivers"}, Why: "merges source by its definitions, which solves this; then update again"})
	}
	r.Options = append(r.Options,
		model.Option{Argv: []string{"git", "rebase", "--no-autostash", c.MainName()}, Why: "then edit the files, git add them, git rebase --continue"},
		model.Option{Argv: []string{"git", "rebase", "--abort"}, Why: "gives that up again"})
	r.Data = d
	return r
}
