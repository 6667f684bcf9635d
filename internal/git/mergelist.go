package git

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// MergePair names two commits, by full object ids: theirs is merged into ours.
type MergePair struct{ Ours, Theirs string }

// MergeAnswer is what became of one pair: a merge, or the error MergeTree would give.
type MergeAnswer struct {
	*Merge
	Err error
}

// MergeTrees merges every pair as MergeTree does. From git 2.39 on, which takes a list,
// all of them cost one process, and one more for each pair that git has no answer to;
// before, one each. The answers stand in the order of pairs. config are settings of git's
// ("merge.conflictStyle=diff3") that hold for them.
func (r *Repo) MergeTrees(ctx context.Context, pairs []MergePair, config ...string) []MergeAnswer {
	out := make([]MergeAnswer, 0, len(pairs))
	for rest := pairs; len(rest) > 0; rest = pairs[len(out):] {
		if len(rest) > 1 && !r.Version.Less(mergeListVersion) {
			out = append(out, r.mergeList(ctx, rest, config)...)
			if len(out) == len(pairs) {
				return out
			}
			rest = pairs[len(out):]
		}
		// git stopped at the first of these, or takes no list: asked alone, it says why.
		m, err := r.mergeTree(ctx, rest[0], config)
		out = append(out, MergeAnswer{m, err})
	}
	return out
}

// mergeList asks for all pairs in one process, and returns the answers up to the first
// pair that git gives up on.
func (r *Repo) mergeList(ctx context.Context, pairs []MergePair, config []string) []MergeAnswer {
	var in strings.Builder
	for _, p := range pairs {
		if !isOID(p.Ours) || !isOID(p.Theirs) {
			break
		}
		fmt.Fprintf(&in, "%s %s\n", p.Ours, p.Theirs)
	}
	if in.Len() == 0 {
		return nil
	}
	c := mergeTreeCall(config, "--stdin")
	c.stdin = []byte(in.String())
	c.timeout *= time.Duration(min(len(pairs), 10))
	res, err := r.run(ctx, c)
	out := readMergeList(fields(res.Stdout), len(pairs))
	if err == nil && len(out) < len(pairs) {
		return nil // git answers in a way of its own
	}
	return out // the pair it ended at is asked alone, and says why
}

// readMergeList reads answers, each "1" for clean or "0" for conflicts, the merge, and an
// empty field. It stops at the first that is cut short or makes no sense.
func readMergeList(f []string, most int) []MergeAnswer {
	var out []MergeAnswer
	for len(out) < most && len(f) > 1 && (f[0] == "0" || f[0] == "1") {
		m, rest, err := readMerge(f[1:], f[0] == "0")
		if err != nil || len(rest) == 0 || rest[0] != "" {
			return out
		}
		out, f = append(out, MergeAnswer{Merge: m}), rest[1:]
	}
	return out
}
