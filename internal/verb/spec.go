package verb

import "gitlet/internal/model"

// Effects say what a verb touches; the engine obeys them around every call, and
// MCP hints come from them.
type Effects struct {
	ReadOnly    bool // changes nothing of the user's and nothing agreed
	Idempotent  bool
	Destructive bool // changes the branch or drops work state
	OpenWorld   bool // talks to a forge
	Fresh       bool // refresh first, within the verb's budget
	Snapshot    bool // take a snapshot first
	WorkTree    bool // changes the work tree: runs detached from the caller's cancel
	TakesNote   bool // has a note argument: resolve that note on success
}

// Spec declares one verb. The list of them is the table every face is made from.
type Spec struct {
	Name string
	// Summary is one line for lists; When says when to use it, in one or two
	// sentences; Example is one CLI call with its arguments.
	Summary string
	When    string
	Example string
	Effects Effects
	// Args is a pointer to a zero argument struct; see Fields.
	Args any
	// CLIOnly verbs are not MCP tools. Hidden verbs work but are in no list.
	CLIOnly bool
	Hidden  bool
	// Built is false for verbs that are declared but not available yet: no face
	// lists them and no option names them.
	Built bool
}

// Outcome is how a verb ended.
type Outcome string

// The outcomes.
const (
	OK      Outcome = "ok"
	Refused Outcome = "refused"
	Nothing Outcome = "nothing_to_do"
	// Fault is printed when something broke; it is not a verb's own answer.
	Fault Outcome = "fault"
)

// Result is the envelope of every verb.
type Result struct {
	Outcome      Outcome        `json:"outcome"`
	Summary      string         `json:"summary"`
	Details      []string       `json:"details"`
	Options      []model.Option `json:"options"`
	Notes        []model.Note   `json:"notes"`
	MoreNotes    int            `json:"moreNotes"`
	Resolved     []string       `json:"resolved"`
	Open         int            `json:"open"`
	OpenAct      int            `json:"openAct"`
	StateAge     string         `json:"stateAge"`
	OfflineSince string         `json:"offlineSince,omitempty"`
	Warnings     []string       `json:"warnings"`
	Data         any            `json:"data,omitempty"`

	// Body is the text that stands for Data: sections of lines that render prints
	// after the details. BadUsage marks a refusal for bad arguments (exit 2).
	Body     []Section `json:"-"`
	BadUsage bool      `json:"-"`
	// AllNotes has every one of Notes printed in full, for the verb that lists them.
	AllNotes bool `json:"-"`
}

// Section is a titled block of lines in a result's text.
type Section struct {
	Title string
	Lines []string
	// Notes are printed in full under the title.
	Notes []model.Note
	// Message marks a block of another agent's words: From wrote Text.
	From, Text string
	// Code are lines of files: shown behind a bar, with their indentation.
	Code []string
}

// Refuse makes a refusal with its ways out.
func Refuse(summary string, options ...model.Option) *Result {
	return &Result{Outcome: Refused, Summary: summary, Options: options}
}
