package id

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"sort"
	"strings"
	"unicode/utf8"

	"gitlet/internal/pattern"
)

// MaxAgent is the longest agent id in bytes.
const MaxAgent = 48

// MaxPath is the longest path accepted from a document, in bytes.
const MaxPath = 4096

// MinPrefix is the shortest unique prefix accepted for an id, after its "n-", "t-" or "p-".
const MinPrefix = 4

var agentRE = pattern.New(`^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$`)

// NewItem returns a fresh work item id: 12 random hex characters.
func NewItem() string { return randomHex(6) }

// NewMessage returns a fresh message or need id: 12 random hex characters.
func NewMessage() string { return randomHex(6) }

// NewProposal returns a fresh proposal id.
func NewProposal() string { return "p-" + randomHex(6) }

// NewAgent returns <client>-<host>-<6 random hex>. Client and host are lowered and
// reduced to [a-z0-9-]; both are shortened so that the id fits MaxAgent.
func NewAgent(client, host string) string {
	suffix := randomHex(3)
	c, h := slugPart(client, "agent"), slugPart(host, "host")
	room := MaxAgent - len(suffix) - 2
	if len(c) > room/2 {
		c = strings.TrimRight(c[:room/2], "-")
	}
	if rest := room - len(c); len(h) > rest {
		h = strings.TrimRight(h[:rest], "-")
	}
	return c + "-" + h + "-" + suffix
}

func slugPart(s, fallback string) string {
	if s = Slug(s, MaxAgent); s == "" {
		return fallback
	}
	return s
}

// Slug lowers s and turns every run of other characters than [a-z0-9] into one
// dash, cut to max bytes at a word when it can. It may be empty.
func Slug(s string, max int) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
			continue
		}
		dash = true
	}
	out := b.String()
	if len(out) <= max {
		return out
	}
	cut := out[:max]
	if out[max] != '-' {
		if i := strings.LastIndexByte(cut, '-'); i > max/2 {
			cut = cut[:i]
		}
	}
	return strings.Trim(cut, "-")
}

// SymbolKey names one symbol: 16 hex characters over language, path and qualified name.
func SymbolKey(lang, path, qualified string) string {
	return hashHex(16, lang, path, qualified)
}

// ResourceKey names what is claimed and is no symbol, such as "issue:278".
func ResourceKey(resource string) string { return hashHex(16, "", resource) }

// Note returns the id of the note that covers one problem: its kind and subject, for my item.
func Note(kind, subject, myItem string) string {
	return "n-" + hashHex(12, kind, subject, myItem)
}

// SigThread returns the thread id that every server derives for a contested symbol.
func SigThread(key, epoch string) string {
	sum := sha256.Sum256([]byte("sig" + key + epoch))
	return "t-" + hex.EncodeToString(sum[:])[:12]
}

// NoteThread returns the thread id for a conversation about a note between items.
func NoteThread(kind, subject string, items []string) string {
	s := append([]string(nil), items...)
	sort.Strings(s)
	sum := sha256.Sum256([]byte("note" + kind + subject + strings.Join(s, "")))
	return "t-" + hex.EncodeToString(sum[:])[:12]
}

// Version hashes the material facts of a note; order matters, so callers sort sets.
func Version(facts ...string) string { return hashHex(12, facts...) }

// ValidAgent reports whether s is a well-formed agent id.
func ValidAgent(s string) bool {
	return len(s) > 0 && len(s) <= MaxAgent && agentRE.MatchString(s)
}

// ValidItem reports whether s is a well-formed work item id.
func ValidItem(s string) bool { return len(s) == 12 && isHex(s) }

// isHex is asked of every id in every document that is read.
func isHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// ValidMessage reports whether s is a well-formed message or need id.
func ValidMessage(s string) bool { return ValidItem(s) }

// ValidKey reports whether s is a well-formed symbol or resource key.
func ValidKey(s string) bool { return len(s) == 16 && isHex(s) }

// ValidNote reports whether s is a well-formed note id.
func ValidNote(s string) bool { return prefixed(s, "n-") }

// ValidThread reports whether s is a well-formed thread id.
func ValidThread(s string) bool { return prefixed(s, "t-") }

// ValidProposal reports whether s is a well-formed proposal id.
func ValidProposal(s string) bool { return prefixed(s, "p-") }

func prefixed(s, p string) bool {
	return strings.HasPrefix(s, p) && ValidItem(s[len(p):])
}

// ValidOID reports whether s is a full object id, SHA-1 or SHA-256.
func ValidOID(s string) bool { return (len(s) == 40 || len(s) == 64) && isHex(s) }

// ValidPath reports whether p may be read from a peer's document: relative, clean,
// UTF-8, at most MaxPath bytes, and free of control characters and of the marks that
// reorder text, which would show another path than is meant.
func ValidPath(p string) bool {
	if p == "" || len(p) > MaxPath || !utf8.ValidString(p) || strings.HasPrefix(p, "/") {
		return false
	}
	if path.Clean(p) != p || p == "." || p == ".." || strings.HasPrefix(p, "../") {
		return false
	}
	for _, r := range p {
		if r < 0x20 || r == 0x7f || (r >= 0x80 && r < 0xa0) || (r >= 0x2028 && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
			return false
		}
	}
	return true
}

// Match finds the one id in all that equals s or starts with it. s needs at least
// MinPrefix characters after a "n-", "t-" or "p-" (or in all, when ids have none).
// It returns every candidate when the prefix is not unique, and none when it is
// too short or matches nothing.
func Match(s string, all []string) []string {
	bare := s
	if len(s) > 2 && s[1] == '-' {
		bare = s[2:]
	}
	var out []string
	for _, x := range all {
		if x == s {
			return []string{x}
		}
		if len(bare) >= MinPrefix && strings.HasPrefix(x, s) {
			out = append(out, x)
		}
	}
	sort.Strings(out)
	return out
}

func hashHex(n int, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])[:n]
}

func randomHex(n int) string {
	b := make([]byte, n)
	if _, err := rand.Read(b); err != nil {
		panic("id: the system has no randomness: " + err.Error())
	}
	return hex.EncodeToString(b)
}
