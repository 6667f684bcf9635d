package gate

import (
	"context"
	"fmt"

	"gitlet/internal/land"
	"gitlet/internal/model"
)

// checkPins wants every published signature that the work builds on to be on main. A pin
// is judged by its own hash, so that it counts also when its owner let go of the claim;
// that the commit it was brought in with is on main says nothing once main has another
// signature.
func checkPins(ctx context.Context, in Input) ([]Finding, error) {
	var open []model.Need
	var pins []land.Pin
	for _, n := range in.Needs {
		if p, ok := land.PinOf(n); ok && n.Item == in.Item {
			open, pins = append(open, n), append(pins, p)
		}
	}
	if len(open) == 0 || in.Main == "" {
		return nil, nil
	}
	there, err := land.OnMain(ctx, in.WT.Repo, in.Main, pins, in.Cache)
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "pins", Refuses: true}
	missing := 0
	for i, n := range open {
		if there[pins[i]] {
			continue
		}
		missing++
		if missing > maxListed {
			continue
		}
		line := n.Name
		if c := claimOn(in.Claims, n.Key); c != nil {
			line += ": " + c.Owner + " owns it"
			if c.Contract != nil && c.Contract.PR != "" {
				line += "; its signature is offered in " + c.Contract.PR
			}
		} else {
			line += ": nobody owns it now"
		}
		f.Details = append(f.Details, line)
		f.Options = append(f.Options, about(in.Notes, n.Name)...)
		f.Options = append(f.Options, model.Option{Verb: "release", Args: map[string]any{"symbol": n.Name},
			Why: "your work does not need it any more"})
	}
	if missing == 0 {
		return nil, nil
	}
	is := "is"
	if missing > 1 {
		is = "are"
	}
	f.Summary = fmt.Sprintf("%s that you build on %s not on %s yet", plural(missing, "published signature"), is, in.MainName)
	f.Options = append(f.Options, model.Option{Verb: "status", Why: "see who you wait for, and submit when it has landed"})
	return []Finding{f}, nil
}

func claimOn(claims []model.Claim, key string) *model.Claim {
	for i := range claims {
		if claims[i].Key == key {
			return &claims[i]
		}
	}
	return nil
}

// about offers to talk about a symbol where a note about it stands: a conversation needs
// something it is about.
func about(notes []model.Note, name string) []model.Option {
	for _, n := range notes {
		if n.Subject == name && len(n.Others) > 0 {
			return []model.Option{{Verb: "discuss", Args: map[string]any{"about": n.ID, "message": "When does this land?"},
				Why: "ask the owner of " + name}}
		}
	}
	return nil
}
