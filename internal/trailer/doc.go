// Package trailer adds "Key: value" lines to the end of a message as git does: to a commit
// message that an editor is about to show or has just left, and to the text of a pull
// request.
//
// It promises that a block of such lines that is there stays one block, that comments, the
// scissors line and the diff below it stay below, that a line that is there already is not
// added again, and that a message without a word of its own is left as it is, so that git
// still refuses to commit it. It owns nothing but that text: it never runs git or opens a
// file.
//
// Group: words.
package trailer
