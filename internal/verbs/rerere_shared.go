package verbs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"gitlet/internal/bus"
	"gitlet/internal/engine"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/replay"
	"gitlet/internal/verb"
)

// theShared finds a resolution that somebody shares; else it returns why not.
func theShared(ctx context.Context, c *engine.Call, conflict, agent string) (*model.Resolution, *verb.Result, error) {
	name := conflict + "@" + agent
	list := model.Option{Argv: []string{"gitlet", "rerere", "list"}, Why: "see those recorded here"}
	if !id.ValidOID(conflict) || !id.ValidAgent(agent) {
		r := verb.Refuse(fmt.Sprintf("%q is no name of a shared resolution", name), list)
		r.BadUsage = true
		return nil, r, nil
	}
	found, _, err := c.SharedResolution(ctx, conflict)
	if errors.Is(err, bus.ErrOffline) {
		return nil, verb.Refuse("the remote cannot be reached, so nothing is known of what others share", statusOption("see when it is back")), nil
	}
	if err != nil {
		return nil, nil, err
	}
	if found == nil || found.Agent != agent {
		return nil, verb.Refuse(fmt.Sprintf("%s shares no resolution of %s (any more)", agent, conflict), list), nil
	}
	return found, nil, nil
}

func sharedData(r model.Resolution) Resolution {
	return Resolution{ID: replay.SharedName(r), By: r.Agent, At: r.At, Conflicts: len(r.Hunks), Shared: true}
}

func showShared(ctx context.Context, c *engine.Call, conflict, agent string) (*verb.Result, error) {
	one, refusal, err := theShared(ctx, c, conflict, agent)
	if refusal != nil || err != nil {
		return refusal, err
	}
	d := sharedData(*one)
	var before, after bytes.Buffer
	var code []string
	add := func(sign string, text []byte) {
		for l := range strings.Lines(string(text)) {
			code = append(code, sign+strings.TrimRight(strings.ToValidUTF8(l, "?"), "\r\n"))
		}
	}
	for _, h := range one.Hunks {
		fmt.Fprintf(&before, "<<<<<<<\n%s=======\n%s>>>>>>>\n", h.One, h.Two)
		after.Write(h.To)
		code = append(code, "-<<<<<<<")
		add("-", h.One)
		code = append(code, "-=======")
		add("-", h.Two)
		code = append(code, "->>>>>>>")
		add("+", h.To)
	}
	d.Before, d.After = strings.ToValidUTF8(before.String(), "?"), strings.ToValidUTF8(after.String(), "?")
	return &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("resolution %s, shared by %s", conflict, agent), Data: d,
		Body:    []verb.Section{{Title: "what it makes of the conflict", Code: code}},
		Options: []model.Option{forgetOption(d.ID, "if it is wrong: do not use it in this clone")}}, nil
}

func forgetShared(ctx context.Context, c *engine.Call, conflict, agent string) (*verb.Result, error) {
	one, refusal, err := theShared(ctx, c, conflict, agent)
	if refusal != nil || err != nil {
		return refusal, err
	}
	if err := c.BlockResolution(*one); err != nil {
		return nil, err
	}
	return &verb.Result{Outcome: verb.OK, Summary: fmt.Sprintf("The resolution of %s that %s shares is not used in this clone any more.", conflict, agent),
		Details: []string{"others may still use it: only who shares it takes it back, with gitlet rerere forget " + conflict},
		Data:    sharedData(*one)}, nil
}
