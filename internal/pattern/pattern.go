package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. Its methods are those of regexp.Regexp.
type Pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// New takes the text of an expression; a test compiles every one there is.
func New(text string) *Pattern {
	return &Pattern{text: text}
}

func (p *Pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

// Match is regexp.Regexp's.
func (p *Pattern) Match(b []byte) bool { return p.get().Match(b) }

// MatchString is regexp.Regexp's.
func (p *Pattern) MatchString(s string) bool { return p.get().MatchString(s) }

// FindSubmatch is regexp.Regexp's.
func (p *Pattern) FindSubmatch(b []byte) [][]byte { return p.get().FindSubmatch(b) }

// FindSubmatchIndex is regexp.Regexp's.
func (p *Pattern) FindSubmatchIndex(b []byte) []int { return p.get().FindSubmatchIndex(b) }

// FindStringSubmatch is regexp.Regexp's.
func (p *Pattern) FindStringSubmatch(s string) []string { return p.get().FindStringSubmatch(s) }

// FindAllIndex is regexp.Regexp's.
func (p *Pattern) FindAllIndex(b []byte, n int) [][]int { return p.get().FindAllIndex(b, n) }

// FindAllSubmatch is regexp.Regexp's.
func (p *Pattern) FindAllSubmatch(b []byte, n int) [][][]byte { return p.get().FindAllSubmatch(b, n) }

// FindAllSubmatchIndex is regexp.Regexp's.
func (p *Pattern) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return p.get().FindAllSubmatchIndex(b, n)
}

// FindAllStringSubmatch is regexp.Regexp's.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.get().FindAllStringSubmatch(s, n)
}

// FindString is regexp.Regexp's.
func (p *Pattern) FindString(s string) string { return p.get().FindString(s) }

// ReplaceAllString is regexp.Regexp's.
func (p *Pattern) ReplaceAllString(s, with string) string { return p.get().ReplaceAllString(s, with) }

// ReplaceAllStringFunc is regexp.Regexp's.
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.get().ReplaceAllStringFunc(s, with)
}

// Split is regexp.Regexp's.
func (p *Pattern) Split(s string, n int) []string { return p.get().Split(s, n) }
