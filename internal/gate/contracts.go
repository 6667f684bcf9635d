package gate

import (
	"context"
	"fmt"

	"gitlet/internal/land"
	"gitlet/internal/model"
)

// checkContracts wants what I published to be what I hand in: others built on it.
func checkContracts(ctx context.Context, in Input) ([]Finding, error) {
	var mine []model.Claim
	var pins []land.Pin
	for _, c := range in.Claims {
		if c.Owner == in.Agent && c.Item == in.Item && c.Contract != nil && c.Symbol != nil {
			mine = append(mine, c)
			pins = append(pins, land.Pin{Key: c.Key, Path: c.Symbol.Path, SigHash: c.Contract.SigHash})
		}
	}
	if len(mine) == 0 {
		return nil, nil
	}
	here, err := land.At(ctx, in.WT.Repo, in.Head, pins, in.Cache)
	if err != nil {
		return nil, err
	}
	f := Finding{Check: "contracts", Refuses: true}
	broken := 0
	for i, c := range mine {
		now, there := here[pins[i]]
		if there && now.SigHash == c.Contract.SigHash {
			continue
		}
		if broken++; broken > maxListed {
			continue
		}
		has := "it is not there"
		if there {
			has = "it is " + now.Signature
		}
		f.Details = append(f.Details, c.Name(), "  published: "+c.Contract.Signature, "  in this commit: "+has)
		if there {
			f.Options = append(f.Options, model.Option{Verb: "publish", Args: map[string]any{"symbol": c.Name()},
				Why: "publish the signature as it is now; those who build on it are told"})
		}
		f.Options = append(f.Options, model.Option{Verb: "release", Args: map[string]any{"symbol": c.Name()},
			Why: "take the published signature back"})
	}
	if broken == 0 {
		return nil, nil
	}
	f.Summary = fmt.Sprintf("%s what you published: others build on that", differ(broken))
	return []Finding{f}, nil
}

func differ(n int) string {
	if n == 1 {
		return "1 signature differs from"
	}
	return fmt.Sprintf("%d signatures differ from", n)
}
