// Package doctor checks the setup and says what to do about what is wrong.
//
// It owns the checks, one file each, and their verdicts. It promises that a check
// which cannot run is reported and stops no other, and that every verdict but "ok"
// comes with the next step. It never leaves anything behind: the one ref it tries on the
// remote is gone again afterwards.
//
// Group: faces.
package doctor
