package similar

import (
	"strings"

	"gitlet/internal/pattern"
)

// bumpTitle is how people and bots name the change of a version: "build(deps): bump x from
// 1.2 to 1.3 in /web", "Update dependency x to v2 [security]", "Upgraded x to 3".
var bumpTitle = pattern.New(`(?i)^(?:bump(?:s|ed)?|(?:upgrade|update|downgrade)[sd]?|pin(?:s|ned)?)\s+(.{1,200}?)` +
	`\s+(?:from\s+\S+\s+)?to\s+[=^~<>]*v?\d[\w.+-]*(?:\s+(?:in|on|for)\s.*|\s*[\[(].*)?$`)

// bumpBare is a bump that names packages and no version: "Bump x and y in /web".
var bumpBare = pattern.New(`(?i)^bump(?:s|ed)?\s+(\S+(?:(?:,\s*|\s+and\s+)\S+)*)(?:\s+in\s+\S+)?$`)

// bumpGroup is what a bot calls the update of a group: "Bump the web group with 3 updates".
var bumpGroup = pattern.New(`(?i)^bump(?:s|ed)?\s+the\s+(\S+)\s+group\b`)

// bumpPrefix is what may stand before: "chore(deps-dev): ", "[web] ".
var bumpPrefix = pattern.New(`^(?:\[[^\]]*\]\s*|[\w-]+(?:\([^)]*\))?!?:\s*)+`)

// between stands between the names of several packages.
var between = pattern.New(`(?i)\s*,\s*(?:and\s+)?|\s+and\s+`)

// beside are words that stand beside a package's name and are not it.
var beside = lazySet("action actions crate dependency digest docker gem github helm image lib library minimum module monorepo npm package plugin requirement rust tag the version")

// Bumped lists the packages whose version a task changes; none when it is another task.
func Bumped(intent string) []string {
	s := strings.TrimSpace(bumpPrefix.ReplaceAllString(strings.TrimSpace(intent), ""))
	if m := bumpGroup.FindStringSubmatch(s); m != nil {
		return []string{"group " + strings.ToLower(m[1])}
	}
	m := bumpTitle.FindStringSubmatch(s)
	if m == nil {
		if m = bumpBare.FindStringSubmatch(s); m == nil {
			return nil
		}
	}
	var out []string
	for _, part := range between.Split(m[1], -1) {
		var name []string
		for _, w := range strings.Fields(part) {
			if w = strings.ToLower(strings.Trim(w, "`'\"")); w != "" && !beside()[w] {
				name = append(name, w)
			}
		}
		if len(name) != 1 {
			return nil // a sentence
		}
		out = append(out, name[0])
	}
	return out
}

// OtherBumps reports whether both tasks change versions, and of no package in common.
func OtherBumps(a, b string) bool {
	mine := Bumped(a)
	if len(mine) == 0 {
		return false
	}
	theirs := Bumped(b)
	for _, m := range mine {
		for _, t := range theirs {
			if m == t {
				return false
			}
		}
	}
	return len(theirs) > 0
}
