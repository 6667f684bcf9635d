package model

import "time"

// ItemStatus is the state of a work item.
type ItemStatus string

// The states of a work item.
const (
	ItemActive    ItemStatus = "active"
	ItemSubmitted ItemStatus = "submitted"
	ItemLanded    ItemStatus = "landed"
	ItemAbandoned ItemStatus = "abandoned"
)

// Open reports whether the item is still in flight.
func (s ItemStatus) Open() bool { return s == ItemActive || s == ItemSubmitted }

// Agent describes who writes a state document.
type Agent struct {
	ID     string `json:"id"`
	Client string `json:"client"`
	Host   string `json:"host"`
	User   string `json:"user"`
}

// Item is one task on one branch in one worktree.
type Item struct {
	ID            string     `json:"id"`
	Intent        string     `json:"intent"`
	Provisional   bool       `json:"provisional"`
	Branch        string     `json:"branch"`
	Base          string     `json:"base"`
	Snapshot      string     `json:"snapshot"`
	Head          string     `json:"head"`
	Status        ItemStatus `json:"status"`
	PR            string     `json:"pr"`
	SnapshotError string     `json:"snapshotError"`
	OpenedAt      time.Time  `json:"openedAt"`
	UpdatedAt     time.Time  `json:"updatedAt"`
	Footprint     *Footprint `json:"footprint,omitempty"`
}

// Tip is the commit that stands for the item's work: its latest snapshot while it
// is active, its branch head once submitted.
func (i Item) Tip() string {
	if i.Status == ItemActive && i.Snapshot != "" {
		return i.Snapshot
	}
	return i.Head
}

// State is what one agent says about itself and its work.
type State struct {
	Agent        Agent     `json:"agent"`
	Heartbeat    time.Time `json:"heartbeat"`
	LeaseSeconds int       `json:"leaseSeconds"`
	Items        []Item    `json:"items"`
}

// Item returns the item with this id, or nil.
func (s *State) Item(id string) *Item {
	for i := range s.Items {
		if s.Items[i].ID == id {
			return &s.Items[i]
		}
	}
	return nil
}

// SubmittedOn is the submitted item whose branch this is, nil for none.
func (s *State) SubmittedOn(branch string) *Item {
	for i := range s.Items {
		if it := &s.Items[i]; branch != "" && it.Status == ItemSubmitted && it.Branch == branch {
			return it
		}
	}
	return nil
}

// Active returns the one active item, or nil.
func (s *State) Active() *Item {
	for i := range s.Items {
		if s.Items[i].Status == ItemActive {
			return &s.Items[i]
		}
	}
	return nil
}

// Need records that an item depends on a symbol someone else owns or changes.
type Need struct {
	ID            string    `json:"id"`
	Key           string    `json:"key"`
	Name          string    `json:"name"`
	Item          string    `json:"item"`
	Requirement   string    `json:"requirement"`
	PinnedSigHash string    `json:"pinnedSigHash"`
	PinnedStub    string    `json:"pinnedStub"`
	PinnedCommit  string    `json:"pinnedCommit"`
	CreatedAt     time.Time `json:"createdAt"`
}

// Proposal is an offer for who owns an interface and what its signature is.
type Proposal struct {
	ID        string `json:"id"`
	Owner     string `json:"owner"`
	Signature string `json:"signature"`
	Summary   string `json:"summary"`
}

// Message is one message in a thread.
type Message struct {
	ID          string    `json:"id"`
	Thread      string    `json:"thread"`
	Kind        string    `json:"kind"`
	Subject     string    `json:"subject"`
	SubjectName string    `json:"subjectName"`
	Items       []string  `json:"items"`
	From        string    `json:"from"`
	Item        string    `json:"item"`
	Text        string    `json:"text"`
	Proposal    *Proposal `json:"proposal,omitempty"`
	Seen        []string  `json:"seen"`
	At          time.Time `json:"at"`
}

// Accept records that an agent accepted a proposal.
type Accept struct {
	Thread   string    `json:"thread"`
	Proposal string    `json:"proposal"`
	At       time.Time `json:"at"`
}

// Outbox is what one agent tells the others.
type Outbox struct {
	Agent    string    `json:"agent"`
	Needs    []Need    `json:"needs"`
	Messages []Message `json:"messages"`
	Accepts  []Accept  `json:"accepts"`
	// Freed are the claims this agent let go of, the latest last: whoever claims one of
	// the keys next counts on from there.
	Freed []Freed `json:"freed,omitempty"`
}

// Freed is a claim that its owner released.
type Freed struct {
	Key   string    `json:"key"`
	Epoch int       `json:"epoch"`
	At    time.Time `json:"at"`
}

// Contract is a published signature that dependents build on.
type Contract struct {
	Signature   string    `json:"signature"`
	SigHash     string    `json:"sigHash"`
	StubCommit  string    `json:"stubCommit"`
	Breaking    bool      `json:"breaking"`
	PR          string    `json:"pr"`
	PublishedAt time.Time `json:"publishedAt"`
}

// Requirement is what a dependent asks of a claimed interface.
type Requirement struct {
	From string `json:"from"`
	Text string `json:"text"`
}

// Claim says who owns a contested symbol or resource.
type Claim struct {
	Key          string  `json:"key"`
	Symbol       *Symbol `json:"symbol,omitempty"`
	Resource     string  `json:"resource,omitempty"`
	Owner        string  `json:"owner"`
	Item         string  `json:"item"`
	LeaseSeconds int     `json:"leaseSeconds"`
	// Epoch counts the owners of the key; it only grows, also when nobody held the key
	// in between. FirstEpoch is the one the claim was created with, 0 for 1.
	Epoch      int `json:"epoch"`
	FirstEpoch int `json:"firstEpoch,omitempty"`
	// MovedFrom is the key of the symbol before its owner moved or renamed it.
	MovedFrom    string        `json:"movedFrom,omitempty"`
	Contract     *Contract     `json:"contract,omitempty"`
	Requirements []Requirement `json:"requirements,omitempty"`
	UpdatedAt    time.Time     `json:"updatedAt"`
}

// First is the epoch the claim was created with.
func (c Claim) First() int { return max(c.FirstEpoch, 1) }

// Name is how the claim is spelled to people.
func (c Claim) Name() string {
	if c.Symbol != nil {
		return c.Symbol.Canonical()
	}
	return c.Resource
}
