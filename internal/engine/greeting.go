package engine

import (
	"context"
	"fmt"

	"gitlet/internal/model"
	"gitlet/internal/notes"
)

// Greeting is where an agent stands as it begins, from what this clone knows.
type Greeting struct {
	Agent, Branch string
	Item          *model.Item // its active task, nil for none
	Others        []Other     // whose work is in flight
	Open, Act     int         // its open notes
}

// Other is one task of somebody else's.
type Other struct {
	Agent, Intent string
	Idle          bool
}

// Greet reads it.
func (c *Call) Greet(ctx context.Context) (*Greeting, error) {
	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	head, err := c.wt.Head(ctx)
	if err != nil {
		return nil, fmt.Errorf("read HEAD: %w", err)
	}
	g := &Greeting{Agent: v.Agent, Branch: head.Branch}
	for i := range v.Items {
		if v.Items[i].Status == model.ItemActive {
			g.Item = &v.Items[i]
		}
	}
	for _, p := range v.Peers {
		if !p.Mine {
			g.Others = append(g.Others, Other{p.Agent.ID, p.Item.Intent, p.Idle()})
		}
	}
	stored, err := c.ledger.Notes(ctx, c.who.Agent)
	if err != nil {
		return nil, err
	}
	g.Open, g.Act = notes.Count(stored)
	return g, nil
}
