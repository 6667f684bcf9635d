package config

import (
	"math"
	"path"
	"strconv"
	"strings"
	"time"
)

// Type names what a key takes.
type Type string

// The types of keys.
const (
	Text     Type = "text"
	Bool     Type = "yes/no"
	Duration Type = "duration"
	Size     Type = "size"
	Number   Type = "number"
	Choice   Type = "choice"
	Multi    Type = "list"
)

// Type returns what the key takes, read off its field.
func (k Key) Type() Type {
	switch k.field(new(Settings)).(type) {
	case *bool:
		return Bool
	case *int:
		return Number
	case *Bytes:
		return Size
	case *time.Duration:
		return Duration
	case *Untracked, *SharedRefs:
		return Choice
	case *[]string:
		return Multi
	}
	return Text
}

// maxInt bounds numbers well inside what an int holds on every platform.
const maxInt = 1 << 30

// ParseBool reads a truth value as git does: true, yes, on and any number but 0;
// false, no, off, 0 and nothing at all.
func ParseBool(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off", "":
		return false, true
	}
	// Git takes a sign here and nowhere else.
	n, ok := parseSize(strings.TrimLeft(s, "+-"))
	return n != 0, ok
}

// ParseDuration reads Go's notation, with days in front when wanted ("7d",
// "1d12h"). Negative durations and bare numbers are refused, except 0.
func ParseDuration(s string) (time.Duration, bool) {
	const day = 24 * time.Hour
	var days time.Duration
	if head, tail, found := strings.Cut(s, "d"); found {
		n, err := strconv.ParseUint(head, 10, 31)
		if err != nil || n > uint64(math.MaxInt64/int64(day)) {
			return 0, false
		}
		if days, s = time.Duration(n)*day, tail; s == "" {
			return days, true
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") || d > math.MaxInt64-days {
		return 0, false
	}
	return days + d, true
}

// sizeUnits are factors by lower-case suffix. A single letter means a power of
// 1024, as everywhere in git; kb, mb and gb are powers of 1000.
var sizeUnits = map[string]int64{
	"": 1, "b": 1,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	"kb": 1e3, "mb": 1e6, "gb": 1e9,
}

// parseSize reads a whole number with an optional unit.
func parseSize(s string) (int64, bool) {
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	n, err := strconv.ParseInt(s[:digits], 10, 64)
	unit, known := sizeUnits[strings.ToLower(strings.TrimSpace(s[digits:]))]
	if err != nil || !known || n > math.MaxInt64/unit {
		return 0, false
	}
	return n * unit, true
}

// setGlobs fills a list: an empty value drops what came before it.
func setGlobs(f *[]string, values []string) (want string) {
	var out []string
	for _, v := range values {
		if strings.TrimSpace(v) == "" {
			out = nil
			continue
		}
		if _, err := path.Match(v, ""); err != nil {
			return "globs such as docs/*.md"
		}
		out = append(out, v)
	}
	*f = out
	return ""
}

func wantRemoteName(s string) string {
	if s == "" || strings.HasPrefix(s, "-") {
		return "the name of a remote, or none"
	}
	return ""
}

func wantBranch(s string) string {
	if !branchName(strings.TrimPrefix(s, "refs/heads/")) {
		return "the name of a branch"
	}
	return ""
}

func wantEngine(s string) string {
	if s != "gitlet" && s != "mergiraf" {
		return "gitlet or mergiraf"
	}
	return ""
}

func wantPrefix(s string) string {
	if s != "" && !branchName(s+"x") {
		return "the beginning of a branch name, such as gitlet/"
	}
	return ""
}

// branchName follows git's rules for branch names (git check-ref-format --branch),
// without its shorthands for other branches.
func branchName(s string) bool {
	if s == "" || s == "HEAD" || s == "@" || s[0] == '-' || strings.HasSuffix(s, ".") ||
		strings.Contains(s, "..") || strings.Contains(s, "@{") || strings.ContainsAny(s, " ~^:?*[\\") {
		return false
	}
	for _, part := range strings.Split(s, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] == 0x7f {
			return false
		}
	}
	return true
}
