// Package thread derives conversations from a view: who takes part in the contest over
// a signature or in the talk about a note, what was said in which order, what was
// proposed and accepted, whether it is decided and for whom, and what each agent's
// server has to do about it.
//
// It owns the rules by which a contest starts, is decided and ends. It promises that everyone who sees the same documents derives the same threads with
// the same ids, that a contested signature is always decided in the end (by agreement,
// by the number of messages, or by time), and that a decided one stays derived until it
// is carried out: the owner's claim is there and every other side recorded its need.
// Order is causal, by what each message says its author had seen; clocks only order what
// nobody saw of each other. It never keeps state, reads a door or the clock.
//
// Group: deciding.
package thread
