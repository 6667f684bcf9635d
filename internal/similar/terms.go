package similar

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Terms reduces a text to what it is about: words split at punctuation and inside
// identifiers, lowered, without stop words and the verbs every task starts with, and
// without common endings. Order and repetitions stay.
func Terms(text string) []string {
	var out []string
	for _, w := range words(text) {
		if ignored()[w] || utf8.RuneCountInString(w) < 2 {
			continue
		}
		if s := stem(w); !ignoredStems()[s] {
			out = append(out, s)
		}
	}
	return out
}

// words splits text at everything that is neither letter nor digit, at case changes
// inside identifiers (parseConfig, HTTPServer), and lowers the parts. Scripts written
// without spaces give overlapping pairs of characters, the usual stand-in for words.
func words(text string) []string {
	var out []string
	rs := []rune(strings.ToValidUTF8(text, " "))
	for i := 0; i < len(rs); {
		switch {
		case unspaced(rs[i]):
			j := i
			for j < len(rs) && unspaced(rs[j]) {
				j++
			}
			for k := i; k+1 < j; k++ {
				out = append(out, string(rs[k:k+2]))
			}
			if j-i == 1 {
				out = append(out, string(rs[i]))
			}
			i = j
		case wordRune(rs[i]):
			j := i + 1
			for j < len(rs) && wordRune(rs[j]) && !unspaced(rs[j]) && !humpAt(rs, j) {
				j++
			}
			out = append(out, strings.ToLower(string(rs[i:j])))
			i = j
		default:
			i++
		}
	}
	return out
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// humpAt reports whether a new part of an identifier starts at rs[i], i > 0:
// "parse|Config", "HTTP|Server".
func humpAt(rs []rune, i int) bool {
	if !unicode.IsUpper(rs[i]) {
		return false
	}
	if !unicode.IsUpper(rs[i-1]) {
		return true
	}
	return i+1 < len(rs) && unicode.IsLower(rs[i+1])
}

// stem strips plural, past and -ing endings, and then what keeps "cache", "caches",
// "cached" and "caching" apart: a doubled consonant or a final e.
func stem(w string) string {
	w = singular(w)
	for {
		next := participle(w)
		if next == w {
			break
		}
		w = next
	}
	if len(w) > 3 && strings.HasSuffix(w, "e") {
		w = w[:len(w)-1]
	}
	return w
}

func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case hasAnySuffix(w, "sses", "xes", "zzes", "ches", "shes") && len(w) > 4:
		return w[:len(w)-2]
	case hasAnySuffix(w, "ss", "us", "is"):
		return w
	case len(w) > 3 && strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

func participle(w string) string {
	base := w
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ied"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "eed"):
		return w
	case strings.HasSuffix(w, "ing"):
		base = w[:len(w)-3]
	case strings.HasSuffix(w, "ed"):
		base = w[:len(w)-2]
	}
	// "string" and "red" are words of their own: what is left must look like one.
	if base == w || len(base) < 3 || !strings.ContainsAny(base, "aeiouy") {
		return w
	}
	n := len(base)
	last := base[n-1]
	if n > 3 && last < utf8.RuneSelf && last == base[n-2] && !strings.ContainsRune("lsz", rune(last)) {
		return base[:n-1]
	}
	return base
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, x := range suffixes {
		if strings.HasSuffix(s, x) {
			return true
		}
	}
	return false
}

// ignored holds words that say nothing about which task this is: function words, the
// verbs every task starts with, nouns that fit any of them, and what stands before the
// colon of a conventional commit or in every update of a dependency.
var ignored = lazySet(`
a about after all also an and any are as at be been before being both but by can could
did do does each etc every for from had has have how if in into is it its just let may
more must no nor not of off on once one only onto or other our out over own per please
same shall should so some such than that the their them then there these they this
those through to too under until up upon us use used using via was we were what when
where which while who why will with within without would you your

add create fix update implement support refactor make change improve allow enable
ensure handle provide introduce

code feature issue mode new task thing way work

chore feat perf ci bump upgrade dep dependency dev`)

// ignoredStems catches every form of an ignored word: "adding", "fixes", "supported".
var ignoredStems = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range ignored() {
		m[stem(w)] = true
	}
	return m
})

// lazySet is wordSet when it is first asked for: a hook must not pay for it.
func lazySet(s string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool { return wordSet(s) })
}

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// generic holds the stems of words that many tasks of one project share: what it is built
// of and with, and what every migration is about. They tell little about which task it is.
var generic = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range wordSet(`
app application api backend browser client component desktop frontend mobile package page project server service
site ui ux view web website widget

android angular css django docker electron flask go golang gradle html ios java javascript js json jsx kotlin kubernetes
linux macos maven next nextjs node nodejs npm php pip pnpm postgres postgresql py python rails react ruby rust scss spring
sql sqlite svelte swift tailwind toml ts tsx typescript vite vue webpack windows xml yaml yarn

build changelog ci cleanup comment doc docs documentation error example file format formatting function lint linter load
logging method module readme release section snapshot spec test tests testing text typo type types version
warning

column database db field foreign index key migration model row schema table
`) {
		m[stem(w)] = true
	}
	return m
})
