// Package rerere reads files with conflict markers the way git's rerere does: it gives a
// conflict the id under which git keeps its resolution, and the text that git compares.
//
// It owns that reading, and telling the conflicts of a file apart from what stands around
// them: what became of each, and putting that into another file. It promises the id and the
// text git itself would write, whichever side was merged into which and whatever the style
// of the markers shows of the base. It never reads or writes files, and never decides what
// a conflict should become.
//
// Group: deciding.
package rerere
