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

// SharedRefs says where on the remote gitlet keeps what agents share.
type SharedRefs string

// The choices for the place of shared refs.
const (
	RefsDefault SharedRefs = "default" // refs/gitlet/
	RefsHeads   SharedRefs = "heads"   // refs/heads/gitlet.state/, for hosts that take nothing but branches and tags
)

// Namespace is the folder of refs on the remote that the choice stands for, "" for
// the one gitlet uses anyway.
func (r SharedRefs) Namespace() string {
	if r == RefsHeads {
		return "refs/heads/gitlet.state/"
	}
	return ""
}

// None is the value of gitlet.remote that forces local mode.
const None = "none"

// Bytes is a size in bytes.
type Bytes int64

// Settings are the values of all keys, defaults filled in. What each means stands
// at its declaration in keys.go.
type Settings struct {
	Remote            string // "" means: choose, see ChooseRemote
	Main              string // "" means: choose, see ChooseMain
	Refs              SharedRefs
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
	StubCheck         string
	ShareResolutions  bool
	Gate              string
	GateTimeout       time.Duration
	MergeEngine       string
	Regenerate        bool
	Generated         []string // "GLOB COMMAND"
}
