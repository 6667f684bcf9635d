package git

import (
	"bytes"
	"strconv"
	"time"
)

// CommitterTime reads when a commit was committed from its raw object; ok is false when
// that cannot be read.
func CommitterTime(commit []byte) (at time.Time, ok bool) {
	header, _, _ := bytes.Cut(commit, []byte("\n\n"))
	for line := range bytes.SplitSeq(header, []byte("\n")) {
		who, found := bytes.CutPrefix(line, []byte("committer "))
		if !found {
			continue
		}
		// The name may hold anything but ">"; the time and the zone follow it.
		f := bytes.Fields(who[bytes.LastIndexByte(who, '>')+1:])
		if len(f) == 0 {
			return time.Time{}, false
		}
		sec, err := strconv.ParseInt(string(f[0]), 10, 64)
		return time.Unix(sec, 0), err == nil
	}
	return time.Time{}, false
}
