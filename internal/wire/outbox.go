package wire

import (
	"encoding/json"
	"fmt"

	"gitlet/internal/id"
	"gitlet/internal/model"
)

// How much one agent's outbox may hold.
const (
	maxNeeds        = 1024
	maxMessages     = 4096
	maxAccepts      = 4096
	maxParticipants = 64
	maxFreed        = 256
)

type outboxDoc struct {
	Format int `json:"format"`
	model.Outbox
}

type outboxIn struct {
	Agent    string            `json:"agent"`
	Needs    []json.RawMessage `json:"needs"`
	Messages []json.RawMessage `json:"messages"`
	Accepts  []json.RawMessage `json:"accepts"`
	Freed    []json.RawMessage `json:"freed"`
}

// DecodeOutbox reads outbox.json of the agent named in the ref. The error is
// *NewerFormat or *Invalid. An outbox stands or falls as a whole: a conversation
// with holes would read as something nobody said.
func DecodeOutbox(data []byte, agent string) (model.Outbox, []Problem, error) {
	var doc outboxIn
	if err := open(data); err != nil {
		return model.Outbox{}, nil, err
	}
	if err := unmarshal(data, &doc); err != nil {
		return model.Outbox{}, nil, err
	}
	o := model.Outbox{Agent: doc.Agent}
	var err error
	if o.Needs, err = decodeAll[model.Need]("needs", doc.Needs, maxNeeds); err != nil {
		return model.Outbox{}, nil, err
	}
	if o.Messages, err = decodeAll[model.Message]("messages", doc.Messages, maxMessages); err != nil {
		return model.Outbox{}, nil, err
	}
	if o.Accepts, err = decodeAll[model.Accept]("accepts", doc.Accepts, maxAccepts); err != nil {
		return model.Outbox{}, nil, err
	}
	if o.Freed, err = decodeAll[model.Freed]("freed", doc.Freed, maxFreed); err != nil {
		return model.Outbox{}, nil, err
	}
	if err := cleanOutbox(&o, agent); err != nil {
		return model.Outbox{}, nil, err
	}
	return o, nil, nil
}

// EncodeOutbox writes o as outbox.json, at most MaxWrite bytes. Too large, it loses what
// readers miss least, see outboxTrims; when that is not enough the error is ErrTooLarge.
func EncodeOutbox(o model.Outbox) ([]byte, []Problem, error) {
	o.Needs = append([]model.Need{}, o.Needs...)
	o.Messages = append([]model.Message{}, o.Messages...)
	o.Accepts = append([]model.Accept{}, o.Accepts...)
	o.Freed = append([]model.Freed(nil), o.Freed[max(0, len(o.Freed)-maxFreed):]...)
	for len(o.Messages) > maxMessages && dropMessages(&o) {
	}
	for i := range o.Messages {
		m := &o.Messages[i]
		m.Items = append([]string{}, m.Items...)
		m.Seen = append([]string{}, m.Seen...)
		if m.Proposal != nil {
			p := *m.Proposal
			m.Proposal = &p
		}
	}
	if err := cleanOutbox(&o, o.Agent); err != nil {
		return nil, nil, err
	}
	ps := &problems{}
	data, err := fitOutbox(&o, ps)
	if err != nil {
		return nil, nil, err
	}
	return data, ps.all(), nil
}

func cleanOutbox(o *model.Outbox, agent string) error {
	if !id.ValidAgent(o.Agent) {
		return invalidf("bad agent id %q", cut(o.Agent, 64))
	}
	if o.Agent != agent {
		return invalidf("agent id %q does not match the ref's %q", o.Agent, agent)
	}
	for _, err := range []error{
		atMost("needs", len(o.Needs), maxNeeds),
		atMost("messages", len(o.Messages), maxMessages),
		atMost("accepts", len(o.Accepts), maxAccepts),
	} {
		if err != nil {
			return err
		}
	}
	o.Needs, o.Messages, o.Accepts = orEmpty(o.Needs), orEmpty(o.Messages), orEmpty(o.Accepts)
	for i := range o.Needs {
		if err := cleanNeed(&o.Needs[i], fmt.Sprintf("needs[%d]", i)); err != nil {
			return err
		}
	}
	for i := range o.Messages {
		if err := cleanMessage(&o.Messages[i], agent, fmt.Sprintf("messages[%d]", i)); err != nil {
			return err
		}
	}
	for i := range o.Accepts {
		a := &o.Accepts[i]
		if !id.ValidThread(a.Thread) || !id.ValidProposal(a.Proposal) {
			return invalidf("accepts[%d]: bad id", i)
		}
		if err := cleanTime(fmt.Sprintf("accepts[%d].at", i), &a.At); err != nil {
			return err
		}
	}
	for i := range o.Freed {
		f := &o.Freed[i]
		if !id.ValidKey(f.Key) || f.Epoch < 0 || f.Epoch > maxNumber {
			return invalidf("freed[%d]: bad key or epoch", i)
		}
		if err := cleanTime(fmt.Sprintf("freed[%d].at", i), &f.At); err != nil {
			return err
		}
	}
	if len(o.Freed) == 0 {
		o.Freed = nil
	}
	return nil
}

func cleanNeed(n *model.Need, where string) error {
	switch {
	case !id.ValidMessage(n.ID) || !id.ValidItem(n.Item):
		return invalidf("%s: bad id", where)
	case !id.ValidKey(n.Key):
		return invalidf("%s: bad key %q", where, cut(n.Key, 64))
	case !hash(n.PinnedSigHash):
		return invalidf("%s: bad hash", where)
	case !oidOrNone(n.PinnedStub) || !oidOrNone(n.PinnedCommit):
		return invalidf("%s: bad object id", where)
	}
	line(&n.Name, maxSig)
	note(&n.Requirement, maxMessage)
	return cleanTime(where+".createdAt", &n.CreatedAt)
}

func cleanMessage(m *model.Message, agent, where string) error {
	switch {
	case !id.ValidMessage(m.ID) || !id.ValidThread(m.Thread):
		return invalidf("%s: bad id", where)
	case m.Item != "" && !id.ValidItem(m.Item):
		return invalidf("%s: bad item id %q", where, cut(m.Item, 64))
	case !token(m.Kind):
		return invalidf("%s: bad kind %q", where, cut(m.Kind, 64))
	case m.Kind == "sig" && !id.ValidKey(m.Subject):
		return invalidf("%s: bad key %q", where, cut(m.Subject, 64))
	case m.From != agent:
		return invalidf("%s: from %q, in the outbox of %q", where, cut(m.From, 64), agent)
	case len(m.Items) > maxParticipants:
		return invalidf("%s: %d items, over the limit of %d", where, len(m.Items), maxParticipants)
	case len(m.Seen) > maxMessages:
		return invalidf("%s: %d seen ids, over the limit of %d", where, len(m.Seen), maxMessages)
	}
	m.Items, m.Seen = orEmpty(m.Items), orEmpty(m.Seen)
	for _, it := range m.Items {
		if !id.ValidItem(it) {
			return invalidf("%s: bad item id %q", where, cut(it, 64))
		}
	}
	for _, s := range m.Seen {
		if !id.ValidMessage(s) {
			return invalidf("%s: bad message id %q", where, cut(s, 64))
		}
	}
	line(&m.Subject, maxSig)
	line(&m.SubjectName, maxSig)
	note(&m.Text, maxMessage)
	if p := m.Proposal; p != nil {
		if !id.ValidProposal(p.ID) || !id.ValidAgent(p.Owner) {
			return invalidf("%s: bad proposal", where)
		}
		line(&p.Signature, maxSig)
		note(&p.Summary, maxMessage)
	}
	return cleanTime(where+".at", &m.At)
}
