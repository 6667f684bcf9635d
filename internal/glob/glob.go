package glob

import (
	"path"
	"strings"
)

// Match reports whether a glob names the file or one of the folders it lies in. A glob
// without a slash matches at any depth; with one it starts at the top. "**" stands for
// any number of folders, "*", "?" and "[...]" for part of one name.
func Match(glob, file string) bool {
	anchored := strings.Contains(strings.TrimSuffix(glob, "/"), "/")
	glob = strings.Trim(glob, "/")
	if glob == "" {
		return false
	}
	pattern := strings.Split(glob, "/")
	if !anchored {
		pattern = append([]string{"**"}, pattern...)
	}
	segs := strings.Split(file, "/")
	for n := len(segs); n > 0; n-- {
		if matchSegments(pattern, segs[:n]) {
			return true
		}
	}
	return false
}

// matchSegments matches folder by folder, keeping for each part of the pattern which
// prefixes it can end at, so that many "**" cost no more than the product of lengths.
func matchSegments(pattern, segs []string) bool {
	at := make([]bool, len(segs)+1) // at[i]: the pattern so far can match segs[:i]
	at[0] = true
	for _, p := range pattern {
		next := make([]bool, len(segs)+1)
		if p == "**" {
			reached := false
			for i := range at {
				reached = reached || at[i]
				next[i] = reached
			}
		} else {
			for i, s := range segs {
				if at[i] {
					ok, err := path.Match(p, s)
					next[i+1] = ok && err == nil
				}
			}
		}
		at = next
	}
	return at[len(segs)]
}
