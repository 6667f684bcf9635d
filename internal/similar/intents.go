package similar

import (
	"math"
	"sort"
)

// An intent signal needs this cosine and this many terms in common.
const (
	MinScore  = 0.5
	MinShared = 2
)

// genericWeight is what a generic word counts of another one. It is none of MinShared.
const genericWeight = 0.25

// Score says how alike my intent and one of the others are.
type Score struct {
	// Index is the place of the other intent in the list given to Intents.
	Index int
	// Score is the cosine of the two TF-IDF vectors, from 0 to 1.
	Score float64
	// Shared are the terms both hold, as reduced by Terms, sorted.
	Shared []string
	// Telling is how many of them are no generic words.
	Telling int
	// Words are the first words of my intent behind Shared, in its order, lowered.
	Words []string
}

// Signal reports whether the likeness is strong enough to mention.
func (s Score) Signal() bool { return s.Score >= MinScore && s.Telling >= MinShared }

// Intents compares my intent with each of the others and returns those that have any
// term in common with it, the most alike first and equal ones by index. Term weights
// come from the whole set, mine included: a term in df of N intents weighs
// ln((1+N)/(1+df)) + 1, so that two intents alone can match too, and a generic word a
// quarter of that.
//
// Intents that were guessed (from a branch name) say nothing about the task; leave
// them out of others.
func Intents(mine string, others []string) []Score {
	docs := make([]map[string]int, 0, len(others)+1)
	docs = append(docs, count(Terms(mine)))
	for _, o := range others {
		docs = append(docs, count(Terms(o)))
	}
	df := map[string]int{}
	for _, d := range docs {
		for t := range d {
			df[t]++
		}
	}
	n := float64(len(docs))
	weight := func(d map[string]int, t string) float64 {
		w := float64(d[t]) * (math.Log((1+n)/(1+float64(df[t]))) + 1)
		if generic()[t] {
			w *= genericWeight
		}
		return w
	}
	norm := func(d map[string]int) float64 {
		sum := 0.0
		for _, t := range sortedTerms(d) { // sorted: float sums depend on the order
			w := weight(d, t)
			sum += w * w
		}
		return math.Sqrt(sum)
	}
	var out []Score
	me, myNorm := docs[0], norm(docs[0])
	for i, d := range docs[1:] {
		var shared []string
		dot, telling := 0.0, 0
		for _, t := range sortedTerms(me) {
			if d[t] > 0 {
				shared = append(shared, t)
				if !generic()[t] {
					telling++
				}
				dot += weight(me, t) * weight(d, t)
			}
		}
		if len(shared) == 0 {
			continue
		}
		out = append(out, Score{Index: i, Score: math.Min(1, dot/(myNorm*norm(d))), Shared: shared, Telling: telling, Words: wordsFor(mine, shared)})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}

// wordsFor finds the words of a text that stand behind its terms.
func wordsFor(text string, terms []string) []string {
	want := map[string]bool{}
	for _, t := range terms {
		want[t] = true
	}
	var out []string
	for _, w := range words(text) {
		if s := stem(w); want[s] && !ignored()[w] {
			delete(want, s)
			out = append(out, w)
		}
	}
	return out
}

func count(terms []string) map[string]int {
	m := map[string]int{}
	for _, t := range terms {
		m[t]++
	}
	return m
}

func sortedTerms(m map[string]int) []string {
	out := make([]string, 0, len(m))
	for t := range m {
		out = append(out, t)
	}
	sort.Strings(out)
	return out
}
