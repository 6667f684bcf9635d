package wire

import (
	"bytes"
	"encoding/json"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

// maxConflicts is how many conflicts of one file a shared resolution may have.
const maxConflicts = 256

type resolutionDoc struct {
	Format int `json:"format"`
	model.Resolution
}

type resolutionIn struct {
	model.Resolution
	Hunks []json.RawMessage `json:"hunks"`
}

// DecodeResolution reads resolution.json; conflict is the id in its ref, which the document
// must repeat. The error is *NewerFormat or *Invalid. It stands or falls as a whole. That
// the hunks are those of the conflict is for whoever has the conflict to check.
func DecodeResolution(data []byte, conflict string) (model.Resolution, []Problem, error) {
	var doc resolutionIn
	if err := open(data); err != nil {
		return model.Resolution{}, nil, err
	}
	if err := unmarshal(data, &doc); err != nil {
		return model.Resolution{}, nil, err
	}
	r := doc.Resolution
	var err error
	if r.Hunks, err = decodeAll[model.ResolutionHunk]("hunks", doc.Hunks, maxConflicts); err != nil {
		return model.Resolution{}, nil, err
	}
	if err := cleanResolution(&r, conflict); err != nil {
		return model.Resolution{}, nil, err
	}
	return r, nil, nil
}

// EncodeResolution writes r as resolution.json. Nothing of it can be left out: over
// MaxWrite bytes the error is ErrTooLarge.
func EncodeResolution(r model.Resolution) ([]byte, []Problem, error) {
	r.Hunks = append([]model.ResolutionHunk{}, r.Hunks...)
	if err := cleanResolution(&r, r.Conflict); err != nil {
		return nil, nil, err
	}
	data, err := marshal(resolutionDoc{Format: Format, Resolution: r})
	if err != nil {
		return nil, nil, err
	}
	if len(data) > MaxWrite {
		return nil, nil, ErrTooLarge
	}
	return data, nil, nil
}

func cleanResolution(r *model.Resolution, conflict string) error {
	switch {
	case !id.ValidOID(r.Conflict):
		return invalidf("bad conflict id %q", cut(r.Conflict, 64))
	case r.Conflict != conflict:
		return invalidf("conflict %q does not match the ref's %q", r.Conflict, conflict)
	case !id.ValidAgent(r.Agent):
		return invalidf("bad agent %q", cut(r.Agent, 64))
	case len(r.Hunks) == 0:
		return invalidf("no hunks")
	}
	line(&r.User, maxLine)
	if err := atMost("hunks", len(r.Hunks), maxConflicts); err != nil {
		return err
	}
	for i := range r.Hunks {
		h := &r.Hunks[i]
		for _, side := range []*[]byte{&h.One, &h.Two, &h.To} {
			if bytes.IndexByte(*side, 0) >= 0 {
				return invalidf("hunks[%d] is not text", i)
			}
			if *side == nil {
				*side = []byte{}
			}
		}
		if bytes.Compare(h.One, h.Two) > 0 {
			return invalidf("hunks[%d]: the sides are the wrong way round", i)
		}
	}
	return cleanTime("at", &r.At)
}
