// Package verbs holds the verbs, one file each: the argument struct, the
// declaration and the function. verbs.go is the table in order.
//
// It owns what each verb does, in terms of the engine. It promises that every
// refusal carries a way out, and that a verb which cannot finish changes nothing.
// It never parses arguments, prints, starts a process or opens a door: faces,
// render and engine do.
//
// Group: the engine and its verbs.
package verbs
