package model

import "time"

// Resolution is how somebody solved a conflict, as it is shared. It says nothing of the
// file but its conflicts and what became of them.
type Resolution struct {
	Conflict string           `json:"conflict"` // git's id of the conflict
	Agent    string           `json:"agent"`
	User     string           `json:"user"`
	At       time.Time        `json:"at"` // when it was recorded
	Hunks    []ResolutionHunk `json:"hunks"`
}

// ResolutionHunk is one conflict: the sides, the lesser first, and what became of them.
// They are bytes as they stand in the file.
type ResolutionHunk struct {
	One []byte `json:"one"`
	Two []byte `json:"two"`
	To  []byte `json:"to"`
}
