package verbs

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"gitlet/internal/engine"
	"gitlet/internal/git"
	"gitlet/internal/id"
	"gitlet/internal/model"
	"gitlet/internal/similar"
	"gitlet/internal/verb"
	"gitlet/internal/view"
)

// StartArgs are the arguments of start.
type StartArgs struct {
	Common
	Intent string   `arg:"intent" required:"true" help:"your task in one sentence"`
	Branch string   `arg:"branch" help:"the name of the branch to make; default: made from the task"`
	Issue  string   `arg:"issue" help:"the issue you build, such as 278; nobody else is then to build it"`
	Paths  []string `arg:"paths" chars:"path" value:"PATH" help:"files you plan to touch; tells at once who else is at them"`
}

var start = define(verb.Spec{
	Name:    "start",
	Summary: "State your task before you edit code",
	When: "Before you edit code for a new task: puts you on a work branch and shows who already does similar or " +
		"overlapping work.",
	Example: "gitlet start 'Add strict mode to config loading' --paths src/config.ts",
	Effects: verb.Effects{Fresh: true, Snapshot: true},
}, runStart)

// StartData is the data of start.
type StartData struct {
	Item    string       `json:"item"`
	Branch  string       `json:"branch"`
	Issue   string       `json:"issue,omitempty"`
	Created bool         `json:"createdBranch"`
	Adopted bool         `json:"adopted"`
	Similar []Person     `json:"similar"`
	Paths   []WhoFile    `json:"paths"`
	Recent  []RecentWork `json:"recent"`
}

// RecentWork is a commit on main that reads like the task.
type RecentWork struct {
	Commit  string `json:"commit"`
	Subject string `json:"subject"`
	When    string `json:"when"`
}

// recentDays is how far back start looks for work that is done already.
const recentDays = 7

func runStart(ctx context.Context, c *engine.Call, a *StartArgs) (*verb.Result, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	if it := st.Active(); it != nil && !it.Provisional {
		return verb.Refuse(fmt.Sprintf("you are already on a task: %q", it.Intent),
			model.Option{Verb: "submit", Why: "it is finished"},
			model.Option{Verb: "abandon", Why: "stop it; its branch is kept"},
			statusOption("see where it stands")), nil
	}
	paths, refusal := planned(c, a)
	if refusal != nil {
		return refusal, nil
	}
	issue, refusal := theIssue(c, a)
	if refusal != nil {
		return refusal, nil
	}
	item := model.Item{ID: id.NewItem(), Status: model.ItemActive, OpenedAt: c.Now}
	data := StartData{Similar: []Person{}, Paths: []WhoFile{}, Recent: []RecentWork{}}
	if p := st.Active(); p != nil {
		item, data.Adopted = *p, true
	}
	branch, refusal, err := startBranch(ctx, c, a, st, item.ID)
	if refusal != nil || err != nil {
		return refusal, err
	}
	item.Intent, item.Provisional, item.UpdatedAt = a.Intent, false, c.Now
	// The task is won before the branch is made: of several calls at once only one
	// moves the work tree, and none when the state cannot be written.
	undo, err := c.Open(ctx, item)
	if errors.Is(err, engine.ErrTaken) {
		return verb.Refuse("another call just started a task here", statusOption("see which")), nil
	}
	if err != nil {
		return nil, err
	}
	if issue != "" {
		if refusal, err := takeIssue(ctx, c, issue); refusal != nil || err != nil {
			return refusal, errors.Join(err, undo(context.WithoutCancel(ctx)))
		}
	}
	if branch.name != "" {
		if refusal, err := switchTo(ctx, c, a, branch); refusal != nil || err != nil {
			if issue != "" {
				_, _, rerr := c.Release(context.WithoutCancel(ctx), id.ResourceKey(issue))
				err = errors.Join(err, rerr)
			}
			return refusal, errors.Join(err, undo(context.WithoutCancel(ctx)))
		}
		data.Created = true
	}
	c.Changed(ctx)

	v, err := c.View(ctx)
	if err != nil {
		return nil, err
	}
	for _, it := range v.Items {
		if it.Status == model.ItemActive {
			item.ID = it.ID // what was found meanwhile kept its id
		}
	}
	data.Issue = issue
	data.Item, data.Branch = item.ID, c.Head().Branch
	data.Similar = similarWork(v, item.ID, a.Intent)
	if len(paths) > 0 {
		data.Paths = touching(v, item.ID, paths)
	}
	if data.Recent, err = recent(ctx, c, a.Intent); err != nil {
		c.Warn("recent commits on main could not be read: %v", err)
	}
	return startResult(a.Intent, data, touchingClaims(v, paths)), nil
}

// theIssue is the claim that the issue argument asks for, "" for none. One that somebody
// has is refused before anything is begun.
func theIssue(c *engine.Call, a *StartArgs) (string, *verb.Result) {
	if a.Issue == "" {
		return "", nil
	}
	without := map[string]any{"intent": a.Intent}
	r, _, err := engine.ParseResource("issue:" + strings.TrimPrefix(a.Issue, "issue:"))
	if err != nil {
		refusal := verb.Refuse(fmt.Sprintf("%q is no issue: write its number, such as 278", a.Issue),
			model.Option{Verb: "start", Args: without, Why: "start without it"})
		refusal.BadUsage = true
		return "", refusal
	}
	if cl := c.ResourceClaim(r); cl != nil && cl.Owner != c.Agent() && !c.Lapsed(*cl) {
		return "", issueTaken(*cl)
	}
	return r.String(), nil
}

func issueTaken(cl model.Claim) *verb.Result {
	return verb.Refuse(fmt.Sprintf("%s is building %s", cl.Owner, cl.Name()),
		model.Option{Verb: "who", Args: map[string]any{"target": cl.Name()}, Why: "see their task"},
		statusOption("see what else is in flight"))
}

// takeIssue claims the issue for the task that was just opened.
func takeIssue(ctx context.Context, c *engine.Call, issue string) (*verb.Result, error) {
	st, err := c.State(ctx)
	if err != nil {
		return nil, err
	}
	it := st.Active()
	if it == nil {
		return nil, errors.New("the task that was opened is gone")
	}
	got, err := c.ClaimResource(ctx, issue, it.ID)
	if r := claimRefusal(err, issue); r != nil {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	if got.Holder != nil {
		return issueTaken(*got.Holder), nil
	}
	return nil, nil
}

// planned turns the paths argument into paths from the root.
func planned(c *engine.Call, a *StartArgs) ([]string, *verb.Result) {
	var out, inside []string
	var wrong error
	for _, p := range a.Paths {
		rel, err := c.RelPath(p)
		if err != nil {
			wrong = err
			continue
		}
		out, inside = append(out, rel), append(inside, p)
	}
	if wrong == nil {
		return out, nil
	}
	args := map[string]any{"intent": a.Intent}
	if len(inside) > 0 {
		args["paths"] = inside
	}
	return nil, verb.Refuse(wrong.Error(), model.Option{Verb: "start", Args: args, Why: "start without it"})
}

// newBranch is the branch start is about to make; name "" is none.
type newBranch struct{ name, from string }

// startBranch decides where the task is worked on: a new branch from main or a
// detached HEAD, from main when the branch here belongs to a task of mine that
// ended, and otherwise the branch it is on.
func startBranch(ctx context.Context, c *engine.Call, a *StartArgs, st *model.State, item string) (newBranch, *verb.Result, error) {
	head := c.Head()
	if a.Branch != "" && a.Branch != head.Branch {
		free, refusal, err := givenBranch(ctx, c, a)
		if refusal != nil || err != nil {
			return newBranch{}, refusal, err
		}
		a.Branch = free
	}
	finished, err := c.FinishedBranch(ctx, st, head)
	if err != nil {
		return newBranch{}, nil, err
	}
	move := head.Detached() || head.Branch == c.Main() || finished != nil || a.Branch != "" && a.Branch != head.Branch
	if !move {
		return newBranch{}, nil, nil
	}
	op, err := c.Operation(ctx)
	if err != nil {
		return newBranch{}, nil, err
	}
	if op != "" {
		return newBranch{}, verb.Refuse(fmt.Sprintf("a %s is in progress here; finish it or take it back first", op),
			model.Option{Argv: []string{"git", "status"}, Why: "see how to finish it or take it back"}), nil
	}
	b := newBranch{name: a.Branch}
	if finished != nil {
		if st.Active() == nil {
			// Called again, it names the same branch.
			item = fmt.Sprintf("%x", sha256.Sum256([]byte(finished.Item+"\x00"+a.Intent)))
		}
		if b.from = c.MainOID(ctx); b.from == "" {
			b.from = head.OID
		}
	}
	if b.name == "" {
		slug := id.Slug(a.Intent, 40)
		if slug == "" {
			slug = "task"
		}
		if b.name, err = freeBranch(ctx, c, c.Settings().BranchPrefix+slug+"-"+item[:4]); err != nil {
			return b, nil, err
		}
	}
	if finished != nil && len(finished.Later) > 0 {
		return b, leftBehind(c, b, finished.Later), nil
	}
	return b, nil, nil
}

// leftBehind refuses to leave commits behind that were made on the branch of a task that
// ended: they are new work, and whose they are is for their author to say.
func leftBehind(c *engine.Call, b newBranch, later []git.Commit) *verb.Result {
	from := c.MainName()
	pick := []string{"git", "cherry-pick"}
	r := verb.Refuse(fmt.Sprintf("%s on this branch came after its task ended, and a new branch from %s would leave them behind", count(len(later), "commit"), from),
		model.Option{Argv: []string{"git", "switch", "--no-track", "-c", b.name, b.from}, Why: fmt.Sprintf("go to a new branch from %s,", from)})
	for _, l := range later {
		pick = append(pick, l.OID)
		if len(r.Details) < maxLater {
			r.Details = append(r.Details, git.Short(l.OID)+" "+said(l.Subject))
		}
	}
	r.Options = append(r.Options,
		model.Option{Argv: pick, Why: "then bring them there, and start again"},
		model.Option{Argv: []string{"git", "switch", "-c", b.name}, Why: "or keep them on top of the ended task's commits, on a branch of their own, and start again"})
	if len(r.Details) < len(later) {
		r.Details = append(r.Details, fmt.Sprintf("and %d more", len(later)-len(r.Details)))
	}
	return r
}

// maxLater bounds how many commits a refusal lists; its option names them all.
const maxLater = 10

// givenBranch checks a branch name the caller chose.
func givenBranch(ctx context.Context, c *engine.Call, a *StartArgs) (string, *verb.Result, error) {
	ok, err := c.ValidBranch(ctx, a.Branch)
	if err != nil {
		return "", nil, err
	}
	if !ok {
		r := verb.Refuse(fmt.Sprintf("%q is not a name git allows for a branch", a.Branch),
			model.Option{Verb: "start", Args: map[string]any{"intent": a.Intent}, Why: "let gitlet name the branch"})
		r.BadUsage = true
		return "", r, nil
	}
	free, err := freeBranch(ctx, c, a.Branch)
	if err != nil {
		return "", nil, err
	}
	if free != a.Branch {
		there, err := c.BranchExists(ctx, a.Branch)
		if err != nil {
			return "", nil, err
		}
		if !there {
			return "", verb.Refuse(fmt.Sprintf("there are branches below %q, so git can make none of that name", a.Branch+"/"),
				model.Option{Verb: "start", Args: map[string]any{"intent": a.Intent, "branch": free}, Why: "take the next free name"}), nil
		}
		return "", verb.Refuse(fmt.Sprintf("there is a branch %q already", a.Branch),
			model.Option{Verb: "start", Args: map[string]any{"intent": a.Intent, "branch": free}, Why: "take the next free name"},
			model.Option{Argv: []string{"git", "switch", a.Branch}, Why: "go to that branch, then start without naming one"}), nil
	}
	return free, nil, nil
}

// freeBranch returns name, or the first of name-2, name-3, ... that no branch has and
// below which there is none.
func freeBranch(ctx context.Context, c *engine.Call, name string) (string, error) {
	for n, try := 1, name; ; try = fmt.Sprintf("%s-%d", name, n) {
		taken, err := c.BranchTaken(ctx, try)
		if err != nil || !taken {
			return try, err
		}
		n++
	}
}

func switchTo(ctx context.Context, c *engine.Call, a *StartArgs, b newBranch) (*verb.Result, error) {
	err := c.SwitchNew(ctx, b.name, b.from)
	if err != nil {
		// A hook that fails afterwards makes git report an error for a switch it made.
		if head, herr := c.HeadNow(ctx); herr == nil && head.Branch == b.name {
			c.Warn("git switched to %s and then reported: %v", b.name, err)
			return nil, nil
		}
	}
	var over *git.OverwriteError
	var locked *git.LockedError
	switch {
	case errors.As(err, &over):
		r := verb.Refuse(fmt.Sprintf("uncommitted changes stand in the way of a new branch from %s", c.Main()),
			model.Option{Argv: []string{"git", "switch", "-c", b.name}, Why: "make the branch here instead, on top of the finished task's commits, then call start again"},
			model.Option{Argv: []string{"git", "commit", "-a"}, Why: "commit them first"})
		r.Details = over.Files
		return r, nil
	case errors.Is(err, git.ErrExists), errors.Is(err, git.ErrRefName):
		flat, err := freeBranch(ctx, c, strings.ReplaceAll(b.name, "/", "-"))
		if err != nil {
			return nil, err
		}
		return verb.Refuse(fmt.Sprintf("the branch %q cannot be made beside those that exist", b.name),
			model.Option{Verb: "start", Args: map[string]any{"intent": a.Intent, "branch": flat}, Why: "take a name without a folder"},
			model.Option{Argv: []string{"git", "branch", "--list"}, Why: "see which branch stands in the way"}), nil
	case errors.As(err, &locked):
		return verb.Refuse(fmt.Sprintf("another git process holds %q", locked.Path),
			model.Option{Argv: []string{"git", "status"}, Why: "see whether it is still at work, then call start again"}), nil
	}
	return nil, err
}

func similarWork(v *view.View, mine, intent string) []Person {
	var hs []holder
	var intents []string
	for _, h := range holders(v) {
		if h.item.ID != mine && !h.item.Provisional {
			hs = append(hs, h)
			intents = append(intents, h.item.Intent)
		}
	}
	out := []Person{}
	for _, s := range similar.Intents(intent, intents) {
		if s.Signal() {
			out = append(out, hs[s.Index].person())
		}
	}
	return out
}

// touching lists what others do at the planned paths, folders included.
func touching(v *view.View, mine string, paths []string) []WhoFile {
	files := filesOf(v, func(p string) bool { return under(p, paths) })
	out := []WhoFile{}
	for _, f := range files {
		others := f.Changing[:0:0]
		for _, p := range f.Changing {
			if p.Item != mine {
				others = append(others, p)
			}
		}
		if len(others) > 0 {
			out = append(out, WhoFile{Path: f.Path, Changing: others})
		}
	}
	return out
}

func touchingClaims(v *view.View, paths []string) []string {
	var out []string
	for _, cl := range v.Claims {
		if cl.Symbol != nil && cl.Owner != v.Agent && under(cl.Symbol.Path, paths) {
			out = append(out, fmt.Sprintf("%s owns %s", cl.Owner, cl.Name()))
		}
	}
	return out
}

func under(p string, paths []string) bool {
	for _, want := range paths {
		if p == want || want == "." || strings.HasPrefix(p, want+"/") {
			return true
		}
	}
	return false
}

// recent finds commits on main of the last days that read like the task.
func recent(ctx context.Context, c *engine.Call, intent string) ([]RecentWork, error) {
	out := []RecentWork{}
	main := c.MainOID(ctx)
	if main == "" {
		return out, nil
	}
	commits, err := c.Log(ctx, git.LogOptions{From: []string{main}, Since: c.Now.AddDate(0, 0, -recentDays), Max: 300})
	if err != nil {
		return out, err
	}
	subjects := make([]string, len(commits))
	for i, m := range commits {
		subjects[i] = m.Subject
	}
	for _, s := range similar.Intents(intent, subjects) {
		if s.Signal() && len(out) < 5 {
			m := commits[s.Index]
			out = append(out, RecentWork{Commit: m.OID, Subject: m.Subject, When: m.Time.UTC().Format(time.RFC3339)})
		}
	}
	return out, nil
}

func startResult(intent string, d StartData, claims []string) *verb.Result {
	r := &verb.Result{Outcome: verb.OK, Data: d}
	where := "a detached HEAD"
	if d.Branch != "" {
		where = "branch " + d.Branch
	}
	r.Summary = fmt.Sprintf("Started %q on %s.", intent, where)
	if d.Adopted {
		r.Details = append(r.Details, "the work you had already begun belongs to it")
	}
	if d.Issue != "" {
		r.Details = append(r.Details, d.Issue+" is yours: whoever starts on it is told that you build it")
	}
	for _, p := range d.Similar {
		r.Details = append(r.Details, fmt.Sprintf("similar work: %s is doing %s", p.Agent, said(p.Intent)))
	}
	for _, f := range d.Paths {
		for _, p := range f.Changing {
			r.Details = append(r.Details, fmt.Sprintf("%s: %s (task: %s) %s", f.Path, p.Agent, said(p.Intent), p.Change))
		}
	}
	r.Details = append(r.Details, claims...)
	for _, m := range d.Recent {
		r.Details = append(r.Details, fmt.Sprintf("already done? %s on main: %s", m.Commit[:min(len(m.Commit), 10)], said(m.Subject)))
	}
	return r
}
