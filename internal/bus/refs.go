package bus

import (
	"strings"

	"gitlet/internal/id"
)

// Namespace holds every ref that agents share, under the names below. A host that
// declines it may be given another one; documents and results still use this.
const Namespace = "refs/gitlet/"

// StateRef is where agent's state document lives.
func StateRef(agent string) string { return Namespace + "agents/" + agent + "/state" }

// OutboxRef is where agent's outbox lives.
func OutboxRef(agent string) string { return Namespace + "agents/" + agent + "/outbox" }

// SnapshotRef is where the snapshot of agent's item lives.
func SnapshotRef(agent, item string) string { return Namespace + "wip/" + agent + "/" + item }

// ClaimRef is where the claim on a symbol or resource key lives.
func ClaimRef(key string) string { return Namespace + "claims/" + key }

// ResolutionRef is where the shared resolution of a conflict lives, by git's id of it.
func ResolutionRef(conflict string) string { return Namespace + "rerere/" + conflict }

// What a shared ref holds.
type RefKind int

// The kinds of shared refs. OtherRef is one that this gitlet does not know.
const (
	OtherRef RefKind = iota
	StateDoc
	OutboxDoc
	ClaimDoc
	Snapshot
	ResolutionDoc
)

// RefName is the name of a shared ref, taken apart.
type RefName struct {
	Kind        RefKind
	Agent, Item string // of a state, outbox or snapshot
	Key         string // of a claim
	Conflict    string // of a resolution
}

// ParseRef takes a shared ref's name apart. ok is false when an id in it is
// malformed; a ref of unknown purpose is OtherRef and ok.
func ParseRef(ref string) (n RefName, ok bool) {
	rest, found := strings.CutPrefix(ref, Namespace)
	if !found {
		return RefName{}, true
	}
	part := strings.Split(rest, "/")
	switch {
	case part[0] == "agents" && len(part) == 3 && part[2] == "state":
		n = RefName{Kind: StateDoc, Agent: part[1]}
	case part[0] == "agents" && len(part) == 3 && part[2] == "outbox":
		n = RefName{Kind: OutboxDoc, Agent: part[1]}
	case part[0] == "wip" && len(part) == 3:
		n = RefName{Kind: Snapshot, Agent: part[1], Item: part[2]}
		return n, id.ValidAgent(n.Agent) && id.ValidItem(n.Item)
	case part[0] == "claims" && len(part) == 2:
		n = RefName{Kind: ClaimDoc, Key: part[1]}
		return n, id.ValidKey(n.Key)
	case part[0] == "rerere" && len(part) == 2:
		n = RefName{Kind: ResolutionDoc, Conflict: part[1]}
		return n, id.ValidOID(n.Conflict)
	default:
		return RefName{}, true
	}
	return n, id.ValidAgent(n.Agent)
}

// FileName is the one file in the tree of a document's commit, "" for other kinds.
func (k RefKind) FileName() string {
	switch k {
	case StateDoc:
		return "state.json"
	case OutboxDoc:
		return "outbox.json"
	case ClaimDoc:
		return "claim.json"
	case ResolutionDoc:
		return "resolution.json"
	}
	return ""
}
