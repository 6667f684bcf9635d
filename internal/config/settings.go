package config

import "time"

// Untracked says which untracked files a snapshot takes along.
type Untracked string

// The choices for untracked files.
const (
	UntrackedSource Untracked = "source" // files gitlet can read, and those snapshotInclude names
	UntrackedAll    Untracked = "all"
	UntrackedNone   Untracked = "none"
)

// None is the value of gitlet.remote that forces local mode.
const None = "none"

// Bytes is a size in bytes.
type Bytes int64

// Settings are the values of all keys, defaults filled in. What each means stands
// at its declaration in keys.go.
type Settings struct {
	Remote            string // "" means: choose, see ChooseRemote
	Main              string // "" means: choose, see ChooseMain
	BranchPrefix      string
	SnapshotInterval  time.Duration
	PollInterval      time.Duration
	Lease             time.Duration
	SnapshotUntracked Untracked
	SnapshotInclude   []string
	PublishSnapshots  bool
	MaxSnapshotFile   Bytes
	ThreadMessages    int
	ThreadTimeout     time.Duration
	AutoClaim         bool
	StaleItem         time.Duration
	PublishTimeout    time.Duration
	BroadFiles        int
	BroadSymbols      int
	OutsideWindow     time.Duration
	OutsideMax        int
	OutsideInterval   time.Duration
	ReapAfter         time.Duration
	Migrations        []string
}
