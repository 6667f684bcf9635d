package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gitlet/internal/bus"
	"gitlet/internal/git"
	"gitlet/internal/pattern"
	"gitlet/internal/snapshot"
)

// An observer sees what others do and shares nothing: the remote does not let it write,
// or declines even its state. What it writes stands here, so that it goes out when the
// remote takes it.

// keyDenied is the ledger key of what the remote last denied: a denial as JSON.
const keyDenied = "denied"

// probeAgain is how long a remote that denied a write is not asked again.
const probeAgain = time.Hour

// denial is a remote's refusal of all writes.
type denial struct {
	At time.Time `json:"at"`
	// Place is what was refused to whom where: when any of it changes, the denial says
	// nothing any more.
	Place string `json:"place"`
	Why   string `json:"why"` // what the remote said, "" when it gives no permission
}

// placeOf says what decides whether a remote takes a write: the remote, where on it and
// in whose name.
func (e *Engine) placeOf(cfg *git.Config) string {
	email, _ := authorEmail(cfg)
	urls := append(cfg.All("remote."+e.remote.Name+".url"), cfg.All("remote."+e.remote.Name+".pushurl")...)
	return fmt.Sprintf("%q %q %q %q", e.remote.Name, urls, e.settings.Refs.Namespace(), email)
}

// knowWriter keeps what words about a denial need.
func (e *Engine) knowWriter(cfg *git.Config) {
	e.place = e.placeOf(cfg)
	if email, place := authorEmail(cfg); email != "" {
		e.email = fmt.Sprintf("%q (%s)", email, place)
	}
	pushed, _ := cfg.Get("remote.pushDefault")
	for _, name := range cfg.RemoteNames() {
		switch {
		case name == e.remote.Name:
		case name == pushed:
			e.others = append([]string{name}, e.others...)
		default:
			e.others = append(e.others, name)
		}
	}
}

// authorEmail is the e-mail that commits carry, and in words where it is set; both are ""
// when nobody set one.
func authorEmail(cfg *git.Config) (email, place string) {
	const first, last = "GIT_AUTHOR_EMAIL", "EMAIL"
	if v, ok := os.LookupEnv(first); ok {
		return v, "the variable " + first
	}
	for _, key := range []string{"author.email", "user.email"} {
		if v, ok := cfg.Get(key); ok && v != "" {
			at := cfg.Places(key)
			return v, key + " in " + at[len(at)-1]
		}
	}
	if v := os.Getenv(last); v != "" {
		return v, "the variable " + last
	}
	return "", ""
}

// recallDenied takes over what an earlier process of this worktree was denied. When it
// was in another name or elsewhere, what waits here is written anew before it is shared:
// its commits may carry the very thing that the remote minded.
func (e *Engine) recallDenied(ctx context.Context) {
	var d denial
	text, ok, err := e.ledger.Get(ctx, e.who.Agent, keyDenied)
	if err != nil || !ok || json.Unmarshal([]byte(text), &d) != nil {
		return
	}
	if d.Place == e.place {
		e.lastDenied = d
		return
	}
	e.writeAnew = true
	e.lastSnapshot = snapshot.Prev{}
	if err := e.ledger.Set(ctx, e.who.Agent, keyDenied, ""); err != nil {
		e.warnings.add("that the remote is to be asked again could not be noted: %v", err)
	}
}

// observing reports whether this agent may only look. Once the time is over, the next
// thing to share is the probe.
func (e *Engine) observing() bool {
	age := e.now().Sub(e.lastDenied.At)
	return !e.lastDenied.At.IsZero() && age >= 0 && age < probeAgain
}

// mayWrite is what the bus asks before it writes to the remote.
func (e *Engine) mayWrite() error {
	if e.local {
		return bus.ErrOffline // it waits for a call that may
	}
	if e.observing() {
		return bus.ErrDenied
	}
	return nil
}

// denied makes this agent an observer, unless it is one: the answer may be the bus's
// own then, which asked nobody. why is what the remote said, "" when it gives no
// permission.
func (e *Engine) denied(ctx context.Context, why string) {
	if !e.observing() {
		e.lastDenied = denial{At: e.now(), Place: e.place, Why: why}
		data, err := json.Marshal(e.lastDenied)
		if err == nil {
			err = e.ledger.Set(ctx, e.who.Agent, keyDenied, string(data))
		}
		if err != nil {
			e.warnings.add("that the remote denies writing could not be noted: %v", err)
		}
	}
	e.sayObserving()
}

// aboutEmail is how hosts that mind an e-mail address say so.
var aboutEmail = pattern.New(`(?i)\be-?mail\b`)

func (e *Engine) sayObserving() {
	reason := "gives no permission to write"
	if why := e.lastDenied.Why; why != "" {
		reason = fmt.Sprintf("declines what you share (%s)", why)
		if aboutEmail.MatchString(why) && e.email != "" {
			reason += fmt.Sprintf(", which carries your e-mail %s", e.email)
		}
	}
	other := ""
	if len(e.others) > 0 {
		other = fmt.Sprintf("; another remote is chosen with: git config gitlet.remote %s", e.others[0])
	}
	e.warnings.add("you are an observer: the remote %s, so nobody sees your work; what you do here is kept, and tried again after %s%s",
		reason, e.lastDenied.At.Add(probeAgain).Local().Format("15:04"), other)
}

// refClash is how git says that a ref has the name of another one's folder, or the other way
// round.
var refClash = pattern.New(`'(refs/[^'\s]+)' exists; cannot create '`)

// inTheWay is the ref on the remote that leaves no place for the one that was refused; "" when
// that is not why.
func inTheWay(r *bus.Refused) string {
	if m := refClash.FindStringSubmatch(r.Text); m != nil {
		return m[1]
	}
	return ""
}

// declinedState reports whether a refusal is of this agent's state, and what the remote
// said then, on one line. Where even that is declined, nothing else would be seen.
func declinedState(r *bus.Refused) (why string, ok bool) {
	n, ok := bus.ParseRef(r.Ref)
	if !ok || n.Kind != bus.StateDoc {
		return "", false
	}
	const most = 200
	why = strings.Join(strings.Fields(r.Text), " ")
	if len(why) > most {
		why = strings.ToValidUTF8(why[:most], "") + " …"
	}
	if why == "" {
		why = "without a word"
	}
	return fmt.Sprintf("%q", why), true
}

// noteDenied is for errors that a verb words itself.
func (e *Engine) noteDenied(ctx context.Context, err error) {
	if errors.Is(err, bus.ErrDenied) {
		e.denied(ctx, "")
	}
}
