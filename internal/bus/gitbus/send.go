package gitbus

import (
	"context"
	"fmt"
	"strings"

	"gitlet/internal/bus"
	"gitlet/internal/git"
)

// target is one ref to be moved on the remote, by its shared name: from exactly lease
// to the value to, "" meaning absent in both.
type target struct{ ref, to, lease string }

// answerKind is what the remote said about one target.
type answerKind int

const (
	taken      answerKind = iota // it is there
	leaseUnmet                   // the ref is not where the lease has it, or somebody was faster
	refused                      // by a hook or by policy: a *bus.Refused
	unanswered                   // nothing is known
)

type answer struct {
	kind answerKind
	err  error // nil for taken; a *bus.Refused for leaseUnmet and refused
}

// send makes one push of the targets, and tells what became of each. The error is that
// of the push as a whole. Some hosts decline a whole push over one ref: then each is
// sent alone.
func (b *Bus) send(ctx context.Context, targets []target) ([]answer, error) {
	if len(targets) == 0 {
		return nil, nil
	}
	specs := make([]git.RefPush, len(targets))
	for i, t := range targets {
		specs[i] = git.RefPush{OID: t.to, Ref: b.onRemote(t.ref), Lease: git.MustNotExist}
		if t.lease != "" {
			specs[i].Lease = git.Expect(t.lease)
		}
	}
	res, err := b.remote.PushMeta(ctx, specs...)
	if err != nil {
		return nil, b.netError(ctx, err)
	}
	b.reached()
	answers := make([]answer, len(targets))
	declined := 0
	for i, t := range targets {
		r := res.Ref(specs[i].Ref)
		switch r.Status {
		case git.PushAccepted, git.PushUpToDate:
		case git.PushStale, git.PushRaced, git.PushNonFastForward:
			answers[i] = answer{leaseUnmet, &bus.Refused{Ref: t.ref, Text: remoteText(r, res.Remote)}}
		case git.PushRefused:
			answers[i] = answer{refused, &bus.Refused{Ref: t.ref, Text: remoteText(r, res.Remote)}}
			declined++
		case git.PushFailed, git.PushUnknown:
			answers[i] = answer{unanswered, b.pushFailure(r)}
		}
	}
	if declined < len(targets) || len(targets) == 1 {
		return answers, nil
	}
	for i, t := range targets {
		one, err := b.send(ctx, []target{t})
		if err == nil {
			answers[i] = one[0]
			continue
		}
		for ; i < len(targets); i++ { // each further one would only wait again
			answers[i] = answer{unanswered, err}
		}
		break
	}
	return answers, nil
}

// pushFailure types an outcome that is neither a yes nor a no. A remote that went
// away before it reported is an outage.
func (b *Bus) pushFailure(r git.RefResult) error {
	err := fmt.Errorf("push %q: %s", r.Ref, strings.TrimSpace(r.Summary+" "+r.Reason))
	if r.Status == git.PushUnknown || r.Summary == "[remote failure]" {
		b.noteAway()
		return &kindError{bus.ErrOffline, err}
	}
	return err
}

// The most of what a remote said that is kept: it may list every path it minds.
const saidLines, saidBytes = 64, 8 << 10

// remoteText is what a remote said when it declined: its own lines and git's reason.
func remoteText(r git.RefResult, said []string) string {
	if len(said) > saidLines {
		said = append(said[:saidLines:saidLines], fmt.Sprintf("(%d more lines)", len(said)-saidLines))
	}
	text := strings.Join(said, "\n")
	if len(text) > saidBytes {
		text = strings.ToValidUTF8(text[:saidBytes], "") + "…"
	}
	if r.Reason != "" {
		text = strings.TrimSpace(text + "\n(" + r.Reason + ")")
	}
	if text == "" {
		text = r.Summary
	}
	return text
}
