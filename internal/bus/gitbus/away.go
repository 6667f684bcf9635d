package gitbus

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"gitlet/internal/bus"
)

// That the remote could not be reached stands in a small file beside the locks, for
// every process of the clone. Losing it costs one attempt.

// awayMark is what the file holds.
type awayMark struct {
	At time.Time `json:"at"`
}

// away returns a bus.ErrOffline while the remote is known not to answer.
func (b *Bus) away() error {
	var m awayMark
	data, err := os.ReadFile(b.file("away-"))
	if err != nil || json.Unmarshal(data, &m) != nil {
		return nil
	}
	age := b.now().Sub(m.At)
	if age < 0 || age >= bus.AwayFor {
		return nil
	}
	return fmt.Errorf("remote did not answer %s ago: %w", age.Round(time.Second/10), bus.ErrOffline)
}

// writable returns why nothing may be written to the remote now: nobody may from here,
// or the remote does not answer.
func (b *Bus) writable() error {
	if err := b.permitted(); err != nil {
		return err
	}
	return b.away()
}

func (b *Bus) permitted() error {
	if b.mayWrite == nil {
		return nil
	}
	return b.mayWrite()
}

// noteAway remembers that the remote did not answer just now.
func (b *Bus) noteAway() {
	if data, err := json.Marshal(awayMark{At: b.now()}); err == nil {
		b.replace(b.file("away-"), data)
	}
}

// reached forgets it: the remote answered.
func (b *Bus) reached() {
	_ = os.Remove(b.file("away-")) // mostly there is none
}
