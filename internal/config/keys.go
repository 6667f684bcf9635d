package config

import "time"

// Section is the git config section all keys live in.
const Section = "gitlet"

// Key declares one setting.
type Key struct {
	// Name is how people write it after "gitlet."; git compares names in any case.
	Name string
	// Default is the value used when the key is not set, written as a person would
	// set it. It is "" where Unset says in words what happens then.
	Default string
	Unset   string
	// About is one or two sentences for people.
	About string

	// field points at the key's place in Settings; its type is the key's type.
	field func(*Settings) any
	// min is the least number, size or duration (in the field's unit) that makes sense.
	min int64
	// check refuses a text that the type alone would take; it returns what is right.
	check func(string) (want string)
}

// Keys lists every setting in the order of the documentation.
func Keys() []Key { return append([]Key(nil), keys...) }

var keys = []Key{
	{
		Name:  "remote",
		Unset: "`origin` if it exists, else the only remote, else none",
		About: "The remote through which agents on several machines share what they do. `none` keeps " +
			"everything in this clone, for agents in its worktrees. With several remotes and none called " +
			"`origin`, gitlet stays local until this is set.",
		field: func(s *Settings) any { return &s.Remote },
		check: wantRemoteName,
	},
	{
		Name:  "main",
		Unset: "the branch that `refs/remotes/<remote>/HEAD` names, else `main`, else `master`",
		About: "The branch that work is compared with and lands on. It is chosen from what the clone " +
			"already knows, never by asking the remote.",
		field: func(s *Settings) any { return &s.Main },
		check: wantBranch,
	},
	{
		Name:    "refs",
		Default: string(RefsDefault),
		About: "Where on the remote agents share what they do: `default` is `refs/gitlet/`, which no clone fetches " +
			"by itself; `heads` is branches under `gitlet.state/`, for hosts that accept nothing but branches and " +
			"tags. Those branches show up in everybody's fetches and may start builds. All agents must use the same.",
		field: func(s *Settings) any { return &s.Refs },
	},
	{
		Name:    "branchPrefix",
		Default: "gitlet/",
		About:   "What the names of branches made by `start` begin with. It may be empty.",
		field:   func(s *Settings) any { return &s.BranchPrefix },
		check:   wantPrefix,
	},
	{
		Name:    "snapshotInterval",
		Default: "45s",
		About:   "How often, at most, a changed work tree is recorded and shared while a session runs.",
		field:   func(s *Settings) any { return &s.SnapshotInterval },
	},
	{
		Name:    "pollInterval",
		Default: "20s",
		About:   "How often a running session asks the remote what others share.",
		field:   func(s *Settings) any { return &s.PollInterval },
	},
	{
		Name:    "lease",
		Default: "10m",
		About: "How long an agent may be silent before it counts as gone and its claims may be taken over. " +
			"It says so about itself, so others go by the lease of the agent they look at.",
		field: func(s *Settings) any { return &s.Lease },
		min:   int64(time.Second),
	},
	{
		Name:    "snapshotUntracked",
		Default: string(UntrackedSource),
		About: "Which untracked files a snapshot takes along: `source` for files in a language gitlet reads and " +
			"those that `snapshotInclude` names, `all`, or `none`. Ignored files and files that look like " +
			"secrets never go along.",
		field: func(s *Settings) any { return &s.SnapshotUntracked },
	},
	{
		Name:  "snapshotInclude",
		Unset: "nothing",
		About: "Globs for more untracked files that snapshots take along, beside those of `source`. One glob a " +
			"value; an empty value drops the ones set before it.",
		field: func(s *Settings) any { return &s.SnapshotInclude },
	},
	{
		Name:    "publishSnapshots",
		Default: "true",
		About: "Whether snapshots are pushed. When off, others still see which symbols change, but conflicts are " +
			"predicted only between agents in this clone.",
		field: func(s *Settings) any { return &s.PublishSnapshots },
	},
	{
		Name:    "maxSnapshotFile",
		Default: "5MiB",
		About:   "Files larger than this stay out of snapshots, tracked or not.",
		field:   func(s *Settings) any { return &s.MaxSnapshotFile },
		min:     1,
	},
	{
		Name:    "threadMessages",
		Default: "3",
		About:   "How many messages each side may send about a contested signature before it is decided without agreement.",
		field:   func(s *Settings) any { return &s.ThreadMessages },
		min:     1,
	},
	{
		Name:    "threadTimeout",
		Default: "10m",
		About:   "How long a contested signature may stay undecided.",
		field:   func(s *Settings) any { return &s.ThreadTimeout },
	},
	{
		Name:    "autoClaim",
		Default: "true",
		About: "Whether gitlet claims a symbol for you when your breaking change to its signature meets another " +
			"agent's references or its change of the same symbol.",
		field: func(s *Settings) any { return &s.AutoClaim },
	},
	{
		Name:    "staleItem",
		Default: "24h",
		About:   "Unsubmitted work of an agent that has been gone for longer than this no longer causes notes.",
		field:   func(s *Settings) any { return &s.StaleItem },
	},
	{
		Name:    "publishTimeout",
		Default: "15m",
		About:   "How long you may wait for a signature you need before a note says that nothing was published.",
		field:   func(s *Settings) any { return &s.PublishTimeout },
	},
	{
		Name:    "broadFiles",
		Default: "50",
		About:   "Work that changes more files than this counts as broad: others get one note about it instead of one per symbol.",
		field:   func(s *Settings) any { return &s.BroadFiles },
		min:     1,
	},
	{
		Name:    "broadSymbols",
		Default: "200",
		About:   "The same for the number of changed symbols.",
		field:   func(s *Settings) any { return &s.BroadSymbols },
		min:     1,
	},
	{
		Name:    "outsideWindow",
		Default: "168h",
		About:   "Branches made without gitlet are watched when their last commit is younger than this.",
		field:   func(s *Settings) any { return &s.OutsideWindow },
	},
	{
		Name:    "outsideMax",
		Default: "50",
		About:   "How many such branches are watched at most, newest first; 0 watches none.",
		field:   func(s *Settings) any { return &s.OutsideMax },
	},
	{
		Name:    "outsideInterval",
		Default: "5m",
		About:   "How often such branches are fetched.",
		field:   func(s *Settings) any { return &s.OutsideInterval },
	},
	{
		Name:    "reapAfter",
		Default: "168h",
		About:   "The shared state of an agent that has been gone for this long may be deleted by any other agent.",
		field:   func(s *Settings) any { return &s.ReapAfter },
	},
	{
		Name:  "migrations",
		Unset: "nothing",
		About: "Globs for more directories that hold numbered migrations, beside the usual ones. One glob a " +
			"value; an empty value drops the ones set before it.",
		field: func(s *Settings) any { return &s.Migrations },
	},
	{
		Name:  "stubCheck",
		Unset: "nothing is run",
		About: "A shell command that `publish` runs in a checkout of the stub alone, such as `go build ./...`, and whose " +
			"result it reports.",
		field: func(s *Settings) any { return &s.StubCheck },
	},
	{
		Name:    "shareResolutions",
		Default: "false",
		About: "Whether conflicts that were resolved in this clone are offered to other clones, and theirs are used by " +
			"`update` and `combine` for the identical conflict. Only the conflicts and what became of them leave this " +
			"machine, never the rest of the file.",
		field: func(s *Settings) any { return &s.ShareResolutions },
	},
	{
		Name:  "gate",
		Unset: "nothing is run",
		About: "A shell command that says whether the project is sound, such as `go test ./...`. `combine` runs it in a " +
			"checkout of the merged branches that holds nothing else, and leaves out the branch that breaks it.",
		field: func(s *Settings) any { return &s.Gate },
	},
	{
		Name:    "gateTimeout",
		Default: "30m",
		About:   "How long the gate may run; longer counts as broken.",
		field:   func(s *Settings) any { return &s.GateTimeout },
		min:     int64(time.Second),
	},
	{
		Name:    "mergeEngine",
		Default: "gitlet",
		About: "What the merge driver for source merges with where git's lines conflict: `gitlet`, or `mergiraf`, a program " +
			"that has to be installed. Either way the result has to pass gitlet's checks.",
		field: func(s *Settings) any { return &s.MergeEngine },
		check: wantEngine,
	},
	{
		Name:    "regenerate",
		Default: "false",
		About: "Whether the merge driver for lock files may run the tool they are made with, such as `npm install " +
			"--package-lock-only --ignore-scripts`, which may ask a package registry. The merged branches' own settings of the tool hold then (`.npmrc` and the like), so turn it on only where you trust them. When off, they conflict as always.",
		field: func(s *Settings) any { return &s.Regenerate },
	},
	{
		Name:  "generated",
		Unset: "nothing",
		About: "Derived files and how they are made, as a glob and a shell command: `docs/api.md make docs`. With `regenerate`, " +
			"one that conflicts is made again in a scratch folder that holds the merged files. `gitlet init --merge-drivers` " +
			"enters new ones. One a value; an empty value drops the ones set before it.",
		field: func(s *Settings) any { return &s.Generated },
	},
}
