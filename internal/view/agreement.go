package view

import (
	"strings"
	"time"

	"gitlet/internal/model"
)

// Agreement is a thread that was settled, as this machine remembers it.
type Agreement struct {
	Thread string `json:"thread"`
	// Kind and Subject are the thread's; Name spells the subject for people.
	Kind    string   `json:"kind"`
	Subject string   `json:"subject"`
	Name    string   `json:"name"`
	Items   []string `json:"items"`
	Owner   string   `json:"owner"`
	// Proposal, Signature and Summary are those of the accepted proposal; all empty when
	// it was decided without agreement. SigHashes are what the signature's text can be
	// read as; none when it does not read as one.
	Proposal  string   `json:"proposal,omitempty"`
	Signature string   `json:"signature,omitempty"`
	SigHashes []string `json:"sigHashes,omitempty"`
	Summary   string   `json:"summary,omitempty"`
	// Main is set when main had the agreed signature at the time.
	Main bool      `json:"main,omitempty"`
	By   string    `json:"by,omitempty"`
	At   time.Time `json:"at"`
}

// Kept reports whether a symbol's signature is the agreed one. known is false when the
// agreement names none, or none that can be compared.
func (a Agreement) Kept(s model.Symbol) (kept, known bool) {
	plain := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if a.Signature == "" {
		return false, false
	}
	if plain(a.Signature) == plain(s.Signature) {
		return true, true
	}
	for _, h := range a.SigHashes {
		if h == s.SigHash {
			return true, true
		}
	}
	return false, len(a.SigHashes) > 0
}

// sigKind is the kind of the agreements that contests over a signature come to; every
// other kind is that of the note that was talked about.
const sigKind = "sig"

// Agreed is the latest agreement that binds the symbol's owner: how a contest over its
// signature was settled, or a signature that was agreed on in the talk about a note on
// it. nil when there is none.
func (v *View) Agreed(key string) *Agreement {
	return v.latest(key, func(a *Agreement) bool { return a.Kind == sigKind || a.Signature != "" })
}

// LatestOn is the latest agreement about the symbol, with a signature or without.
func (v *View) LatestOn(key string) *Agreement {
	return v.latest(key, func(*Agreement) bool { return true })
}

func (v *View) latest(key string, fits func(*Agreement) bool) *Agreement {
	for i := len(v.Agreements) - 1; i >= 0; i-- {
		if a := &v.Agreements[i]; a.On(v.Claims, key) && fits(a) {
			return a
		}
	}
	return nil
}

// On reports whether an agreement is about the symbol with this key. The talk about a note
// knows its symbol by name only, so it is the one that somebody claims by that name. Who
// does a task is no matter of a symbol.
func (a Agreement) On(claims []model.Claim, key string) bool {
	switch a.Kind {
	case sigKind:
		return a.Subject == key
	case "duplicate":
		return false
	}
	cl := ClaimNamed(claims, a.Subject)
	return cl != nil && cl.Key == key
}

// ClaimNamed is the claim on the symbol that is spelled like this, or nil.
func ClaimNamed(claims []model.Claim, name string) *model.Claim {
	for i := range claims {
		if cl := &claims[i]; cl.Symbol != nil && cl.Symbol.Canonical() == name {
			return cl
		}
	}
	return nil
}
