package model

import "time"

// StoredNote is a note with what has become of it on this machine. Package notes
// moves it through its life; package ledger keeps it. It is never shared.
//
// After a round trip through the ledger an option's arguments have JSON's types
// (lists are []any, numbers float64).
type StoredNote struct {
	Note

	// SinceAt is when the problem began, for this stretch of it.
	SinceAt time.Time `json:"sinceAt"`
	// InResult is the version a verb's result last showed, Seen the version that any
	// channel (a result or a hook) last showed; "" when none did in this stretch.
	InResult string `json:"inResult,omitempty"`
	Seen     string `json:"seen,omitempty"`
	// Told are the ids of the messages that results have shown with the note, the latest
	// last; they outlive the versions that carried them.
	Told []string `json:"told,omitempty"`
	// Closed is the version that was dismissed or acted on, while the note is closed
	// that way; ClosedAs and Reason are how and why.
	Closed   string `json:"closed,omitempty"`
	ClosedAs string `json:"closedAs,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Announce is set from when a note that had been shown resolves until a result
	// has said so.
	Announce bool `json:"announce,omitempty"`
	// GoneAt is when the rules stopped producing the note; zero while they do.
	GoneAt time.Time `json:"goneAt,omitzero"`
}
