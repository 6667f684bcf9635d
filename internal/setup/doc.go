// Package setup plans and makes what gitlet needs in a repository: the entries in the
// clients' own files, the guidance they read, git's hooks and settings.
//
// It owns which file of which client holds what of gitlet's, one file per client, and
// how that is put in and taken out again. It promises that planning writes nothing, that
// applying writes what was planned and nothing else, each file as a whole; that a second
// time changes nothing; that taking out gives back what was there; and that what cannot
// be read, or was written by somebody else under gitlet's name, is left alone and named.
// It never runs a client, and never changes what it does not have to.
//
// Group: faces.
package setup
