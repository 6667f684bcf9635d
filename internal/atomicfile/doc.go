// Package atomicfile writes files whole: whoever reads one, at any moment and after any
// kill, finds either what was there before or all of what was written.
//
// It owns the temporary file beside the target and its way into place. It promises that a
// failed write leaves the target as it was and no temporary file behind; one that a kill
// leaves is named after its target, and Sweep removes it. It never follows a link at the target: that is
// replaced. It never makes folders.
//
// Group: doors.
package atomicfile
