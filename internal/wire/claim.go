package wire

import (
	"encoding/json"
	"fmt"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

const maxRequirements = 256

type claimDoc struct {
	Format int `json:"format"`
	model.Claim
}

type claimIn struct {
	model.Claim
	Requirements []json.RawMessage `json:"requirements"`
}

// DecodeClaim reads claim.json; key is the one in its ref, which the document must
// repeat. The error is *NewerFormat or *Invalid. A claim stands or falls as a whole.
func DecodeClaim(data []byte, key string) (model.Claim, []Problem, error) {
	var doc claimIn
	if err := open(data); err != nil {
		return model.Claim{}, nil, err
	}
	if err := unmarshal(data, &doc); err != nil {
		return model.Claim{}, nil, err
	}
	c := doc.Claim
	var err error
	if c.Requirements, err = decodeAll[model.Requirement]("requirements", doc.Requirements, maxRequirements); err != nil {
		return model.Claim{}, nil, err
	}
	if err := cleanClaim(&c, key); err != nil {
		return model.Claim{}, nil, err
	}
	return c, nil, nil
}

// EncodeClaim writes c as claim.json, at most MaxWrite bytes. Too large, its
// requirements and the parts of its symbol are shortened; when that is not enough
// the error is ErrTooLarge.
func EncodeClaim(c model.Claim) ([]byte, []Problem, error) {
	if c.Symbol != nil {
		s := *c.Symbol
		c.Symbol = &s
	}
	if c.Contract != nil {
		k := *c.Contract
		c.Contract = &k
	}
	c.Requirements = append([]model.Requirement{}, c.Requirements...)
	if err := cleanClaim(&c, c.Key); err != nil {
		return nil, nil, err
	}
	data, err := marshal(claimDoc{Format: Format, Claim: c})
	if err != nil || len(data) <= MaxWrite {
		return data, nil, err
	}
	for i := range c.Requirements {
		note(&c.Requirements[i].Text, shortText)
	}
	if s := c.Symbol; s != nil {
		s.TypeParams, s.Params, s.Members, s.Overloads = nil, nil, nil, nil
	}
	if data, err = marshal(claimDoc{Format: Format, Claim: c}); err != nil {
		return nil, nil, err
	}
	if len(data) > MaxWrite {
		return nil, nil, ErrTooLarge
	}
	return data, []Problem{{Where: "requirements", Why: "long texts shortened, the document is too large"}}, nil
}

func cleanClaim(c *model.Claim, key string) error {
	switch {
	case !id.ValidKey(c.Key):
		return invalidf("bad key %q", cut(c.Key, 64))
	case c.Key != key:
		return invalidf("key %q does not match the ref's %q", c.Key, key)
	case !id.ValidAgent(c.Owner):
		return invalidf("bad owner %q", cut(c.Owner, 64))
	case !id.ValidItem(c.Item):
		return invalidf("bad item id %q", cut(c.Item, 64))
	case c.LeaseSeconds < 0 || c.LeaseSeconds > maxLease:
		return invalidf("leaseSeconds %d out of range", c.LeaseSeconds)
	case c.Epoch < 0 || c.Epoch > maxNumber:
		return invalidf("epoch %d out of range", c.Epoch)
	case c.FirstEpoch < 0 || c.FirstEpoch > c.Epoch:
		return invalidf("firstEpoch %d out of range", c.FirstEpoch)
	case c.MovedFrom != "" && (!id.ValidKey(c.MovedFrom) || c.MovedFrom == key):
		return invalidf("bad movedFrom %q", cut(c.MovedFrom, 64))
	case (c.Symbol == nil) == (c.Resource == ""):
		return invalidf("needs a symbol or a resource, and not both")
	case !plain(c.Resource, maxLine):
		return invalidf("bad resource")
	}
	if c.Symbol != nil {
		if err := cleanSymbol(c.Symbol); err != nil {
			return invalidf("symbol: %v", err)
		}
		if c.Symbol.Key != key {
			return invalidf("symbol key %q does not match the ref's %q", c.Symbol.Key, key)
		}
	}
	if k := c.Contract; k != nil {
		if !hash(k.SigHash) || !oidOrNone(k.StubCommit) {
			return invalidf("contract: bad hash or object id")
		}
		line(&k.Signature, maxSig)
		line(&k.PR, maxLine)
		if err := cleanTime("contract.publishedAt", &k.PublishedAt); err != nil {
			return err
		}
	}
	if err := atMost("requirements", len(c.Requirements), maxRequirements); err != nil {
		return err
	}
	c.Requirements = orEmpty(c.Requirements)
	for i := range c.Requirements {
		r := &c.Requirements[i]
		if !id.ValidAgent(r.From) {
			return invalidf("%s: bad agent id %q", fmt.Sprintf("requirements[%d]", i), cut(r.From, 64))
		}
		note(&r.Text, maxMessage)
	}
	return cleanTime("updatedAt", &c.UpdatedAt)
}
