package bus

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"time"

	"gitlet/internal/model"
)

// Held is a claim at exactly the value it was seen at. Whoever changes or removes the
// claim hands it back, and the change is made only where the claim is still at that
// value. It is never changed once made.
type Held struct {
	Claim model.Claim
	token string
}

// NewHeld is for implementations: token is their name for the value, and no two
// values of a claim ever share one. Token gives it back.
func NewHeld(c model.Claim, token string) *Held { return &Held{Claim: c, token: token} }

// Token is for implementations: the argument of NewHeld.
func Token(h *Held) string {
	if h == nil {
		return ""
	}
	return h.token
}

// Held returns the claim on key at the value it was loaded at; nil when nobody holds
// it, or when its document cannot be used.
func (d *Docs) Held(key string) *Held {
	for _, c := range d.Claims {
		if c.Value.Key == key {
			return NewHeld(c.Value, c.OID)
		}
	}
	return nil
}

// Held returns the claim whose document is the problem, by its key alone, so that it
// can be released; nil when the problem is not a claim's.
func (p Problem) Held() *Held {
	n, ok := ParseRef(p.Ref)
	if !ok || n.Kind != ClaimDoc {
		return nil
	}
	return NewHeld(model.Claim{Key: n.Key}, p.OID)
}

// Lost is a claim that somebody else has, or that is not at the value it was expected
// at. Holder is how it stands now; nil when nobody holds it any more, or when what is
// there cannot be read, which Problem then says.
type Lost struct {
	Key     string
	Holder  *Held
	Problem *Problem
}

func (l *Lost) Error() string {
	switch {
	case l.Holder != nil:
		return fmt.Sprintf("claim %q is held by %q", l.Key, l.Holder.Claim.Owner)
	case l.Problem != nil:
		return fmt.Sprintf("claim %q is there and cannot be read: %s", l.Key, l.Problem.Why)
	}
	return fmt.Sprintf("claim %q is not held any more", l.Key)
}

// Unique makes sure that no other value of any claim equals c, whoever writes it and
// how often: the digits of UpdatedAt beyond the millisecond become random. Without
// that, two writers of one value would both find it in place.
func Unique(c model.Claim) model.Claim {
	var b [4]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic("bus: the system has no randomness: " + err.Error())
	}
	noise := 1 + binary.BigEndian.Uint32(b[:])%(1e6-1)
	c.UpdatedAt = c.UpdatedAt.UTC().Truncate(time.Millisecond).Add(time.Duration(noise))
	return c
}

// Renewal replaces the claim seen by one with the same key: a new time, a contract,
// requirements, another owner.
type Renewal struct {
	Seen *Held
	To   model.Claim
}

// Batch is what one agent says at once, in one push. Parts that are nil stay as they
// are; the change functions are those of UpdateState and UpdateOutbox.
type Batch struct {
	Agent  string
	State  func(*model.State) error
	Outbox func(*model.Outbox) error
	Renew  []Renewal
}

// Shared is what became of each part of a Batch. State and Outbox are as UpdateState
// and UpdateOutbox would return them; Renewed has one entry per renewal, in order.
type Shared struct {
	State, Outbox error
	Renewed       []Renewed
}

// Renewed is one claim after its renewal, or why it was not renewed: what
// UpdateClaim would return.
type Renewed struct {
	Held *Held
	Err  error
}

// Remains is what is left of an agent that is gone, as it was judged: the values
// (Doc.OID or Problem.OID) of its state and outbox, "" for one that is not there.
type Remains struct{ Agent, State, Outbox string }
