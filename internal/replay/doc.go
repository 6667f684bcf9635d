// Package replay solves conflicts that somebody solved before: it looks up what git's
// rerere recorded in this clone, and says what it used, who recorded it and how to forget
// it.
//
// It owns how a recorded resolution is found, told and forgotten, and how the merges of
// main's history are turned into recorded resolutions. It promises to use one only for
// the identical conflict, to leave every other conflict alone, and to write nothing into
// the cache that all worktrees share while it looks. It never decides whether a merge is
// right: that is proven elsewhere.
//
// Group: doing.
package replay
