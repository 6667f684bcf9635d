package engine

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/id"
	"gitlet/internal/model"
)

func TestEndedThreads(t *testing.T) {
	t.Parallel()
	at := func(minute int) time.Time { return time.Date(2026, 10, 26, 0, minute, 0, 0, time.UTC) }
	docs := &bus.Docs{States: []bus.Doc[model.State]{{Value: model.State{Items: []model.Item{
		{ID: "open", Status: model.ItemActive}, {ID: "sent", Status: model.ItemSubmitted},
		{ID: "landed", Status: model.ItemLanded, UpdatedAt: at(30)}, {ID: "left", Status: model.ItemAbandoned, UpdatedAt: at(20)}}}}}}
	docs.Outboxes = []bus.Doc[model.Outbox]{
		{Value: model.Outbox{Agent: "other", Messages: []model.Message{{Thread: "over", Items: []string{"landed", "left"}, At: at(25)},
			{Thread: "theirs", Items: []string{"left", "open"}, At: at(5)}, {Thread: "answered", Items: []string{"left"}, At: at(50)}}}},
		{Value: model.Outbox{Agent: "me", Messages: []model.Message{{Thread: "old", Items: []string{"open"}}}}},
	}
	own := model.Outbox{Agent: "me", Messages: []model.Message{
		{Thread: "over", Item: "landed", Items: []string{"landed", "left"}, At: at(10)},
		{Thread: "answered", Items: []string{"left"}, At: at(1)},
		{Thread: "theirs", Items: []string{"left"}, At: at(10)},
		{Thread: "open", Items: []string{"landed", "sent"}, At: at(10)},
		{Thread: "unknown", Items: []string{"gone"}, At: at(10)},
		{Thread: "nobody's", At: at(10)},
	}}
	got := endedThreads(docs, own)
	if len(got) != 3 || !got["over"].Equal(at(30)) || !got["answered"].Equal(at(50)) || !got["unknown"].Equal(at(10)) {
		t.Errorf("%v", got)
	}
	docs.Problems = []bus.Problem{{Ref: bus.StateRef("hidden"), OID: "x"}}
	if got = endedThreads(docs, own); len(got) != 2 || !got["unknown"].IsZero() {
		t.Errorf("with a state that cannot be read: %v", got)
	}
}

// TestOutboxSheds: what was said about items that ended long ago leaves the outbox when
// it is next written, and nothing else does.
func TestOutboxSheds(t *testing.T) {
	t.Parallel()
	repos := machines(t, "claude", "codex")
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, repos)
		over, open := id.NewItem(), "t-0123456789ab"
		say := func(thread, item string) {
			p.run(p.owner, func(ctx context.Context, c *Call) error {
				return c.bus.UpdateOutbox(ctx, ownerID, func(o *model.Outbox) error {
					o.Messages = append(o.Messages, model.Message{ID: id.NewMessage(), Thread: thread, Kind: "note", Items: []string{item}, From: ownerID, Item: item, Text: "Hello", At: c.Now})
					o.Accepts = append(o.Accepts, model.Accept{Thread: thread, Proposal: id.NewProposal(), At: c.Now})
					return nil
				})
			})
		}
		count := func() int {
			o, err := p.owner.bus.Outbox(t.Context(), ownerID)
			if err != nil {
				t.Fatal(err)
			}
			return len(o.Messages) + len(o.Accepts)
		}
		say(open, taskID)
		say("t-ba9876543210", over) // an item that is in nobody's state any more
		time.Sleep(59 * time.Minute)
		say(open, taskID)
		if n := count(); n != 6 {
			t.Errorf("within the hour %d entries are left, want 6", n)
		}
		time.Sleep(2 * time.Minute)
		p.run(p.owner, nothing)
		if n := count(); n != 6 {
			t.Errorf("without a write %d entries are left, want 6", n)
		}
		say(open, taskID)
		if n := count(); n != 6 {
			t.Errorf("after it %d entries are left, want the 6 of the open thread", n)
		}
	})
}
