package wire

import (
	"encoding/json"
	"fmt"
	"time"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

// maxItems is how many work items one agent may publish.
const maxItems = 256

// maxLease is the longest lease a document may claim, in seconds: 30 days.
const maxLease = 30 * 24 * 60 * 60

type stateDoc struct {
	Format int `json:"format"`
	model.State
}

// stateIn is the same shape for reading, with the lists that are decoded one by one.
type stateIn struct {
	Agent        model.Agent       `json:"agent"`
	Heartbeat    time.Time         `json:"heartbeat"`
	LeaseSeconds int               `json:"leaseSeconds"`
	Items        []json.RawMessage `json:"items"`
}

type itemIn struct {
	model.Item
	Footprint *footprintDoc `json:"footprint"`
}

// DecodeState reads state.json as the agent wrote it. agent is the id in the ref
// it came from, which the document must repeat. The result may hold parts of data, which
// must not be changed any more. The error is *NewerFormat or
// *Invalid; then the whole document is to be skipped. Problems name footprint
// entries that were left out.
func DecodeState(data []byte, agent string) (model.State, []Problem, error) {
	if doc, ok := quick[stateDoc](data); ok && doc.Format == Format {
		ps := &problems{fresh: true}
		if err := cleanState(&doc.State, agent, ps); err != nil {
			return model.State{}, nil, err
		}
		return doc.State, ps.all(), nil
	}
	return decodeState(data, agent)
}

// decodeState is DecodeState for any document.
func decodeState(data []byte, agent string) (model.State, []Problem, error) {
	var doc stateIn
	if err := open(data); err != nil {
		return model.State{}, nil, err
	}
	if err := unmarshal(data, &doc); err != nil {
		return model.State{}, nil, err
	}
	items, err := decodeAll[itemIn]("items", doc.Items, maxItems)
	if err != nil {
		return model.State{}, nil, err
	}
	ps := &problems{fresh: true}
	s := model.State{Agent: doc.Agent, Heartbeat: doc.Heartbeat, LeaseSeconds: doc.LeaseSeconds}
	for i, in := range items {
		it := in.Item
		if it.Footprint, err = in.Footprint.value(fmt.Sprintf("items[%d]", i), ps); err != nil {
			return model.State{}, nil, err
		}
		s.Items = append(s.Items, it)
	}
	if err := cleanState(&s, agent, ps); err != nil {
		return model.State{}, nil, err
	}
	return s, ps.all(), nil
}

// EncodeState writes s as state.json, at most MaxWrite bytes. Footprint entries
// that no reader would accept (a path git allows and documents do not) are left
// out and named in the problems. A document that is too large loses detail, see
// fit; when that is not enough the error is ErrTooLarge. s must otherwise be
// valid; *Invalid says what is not.
func EncodeState(s model.State) ([]byte, []Problem, error) {
	ps := &problems{}
	s.Items = append([]model.Item{}, s.Items...)
	limitItems(&s, ps)
	for i := range s.Items {
		if f := s.Items[i].Footprint; f != nil {
			g := *f
			limitCounts(&g)
			s.Items[i].Footprint = &g
		}
	}
	if err := cleanState(&s, s.Agent.ID, ps); err != nil {
		return nil, nil, err
	}
	data, err := fitState(&s, ps)
	if err != nil {
		return nil, nil, err
	}
	return data, ps.all(), nil
}

// cleanState is the gate: it checks every field, cleans text in place, drops bad
// footprint entries, and makes nil lists empty.
func cleanState(s *model.State, agent string, ps *problems) error {
	if !id.ValidAgent(s.Agent.ID) {
		return invalidf("bad agent id %q", cut(s.Agent.ID, 64))
	}
	if s.Agent.ID != agent {
		return invalidf("agent id %q does not match the ref's %q", s.Agent.ID, agent)
	}
	line(&s.Agent.Client, maxLine)
	line(&s.Agent.Host, maxLine)
	line(&s.Agent.User, maxLine)
	if err := cleanTime("heartbeat", &s.Heartbeat); err != nil {
		return err
	}
	if s.LeaseSeconds < 0 || s.LeaseSeconds > maxLease {
		return invalidf("leaseSeconds %d out of range", s.LeaseSeconds)
	}
	if err := atMost("items", len(s.Items), maxItems); err != nil {
		return err
	}
	s.Items = orEmpty(s.Items)
	seen := map[string]bool{}
	for i := range s.Items {
		if err := cleanItem(&s.Items[i], fmt.Sprintf("items[%d]", i), ps); err != nil {
			return err
		}
		if it := s.Items[i].ID; seen[it] {
			return invalidf("item %q appears twice", it)
		}
		seen[s.Items[i].ID] = true
	}
	return nil
}

func cleanItem(it *model.Item, where string, ps *problems) error {
	switch {
	case !id.ValidItem(it.ID):
		return invalidf("%s: bad item id %q", where, cut(it.ID, 64))
	case it.Branch != "" && !ValidBranch(it.Branch):
		return invalidf("%s: bad branch %q", where, cut(it.Branch, 64))
	case !oidOrNone(it.Base) || !oidOrNone(it.Snapshot) || !oidOrNone(it.Head):
		return invalidf("%s: bad object id", where)
	}
	switch it.Status {
	case model.ItemActive, model.ItemSubmitted, model.ItemLanded, model.ItemAbandoned:
	default:
		return invalidf("%s: unknown status %q", where, cut(string(it.Status), 64))
	}
	line(&it.Intent, maxLine)
	line(&it.PR, maxLine)
	line(&it.SnapshotError, maxMessage)
	if err := cleanTime(where+".openedAt", &it.OpenedAt); err != nil {
		return err
	}
	if err := cleanTime(where+".updatedAt", &it.UpdatedAt); err != nil {
		return err
	}
	if it.Footprint == nil {
		return nil
	}
	return cleanFootprint(it.Footprint, where, ps)
}
