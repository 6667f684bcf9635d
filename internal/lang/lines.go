package lang

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
)

// Lines is one version of a file line by line, without what the lines say.
type Lines struct {
	// Sum is the first 16 hex of the content's sha256.
	Sum string
	// Hashes are those of the lines, in this process; line endings and a byte order mark
	// do not count.
	Hashes []uint64
}

// LinesOf reads a version.
func LinesOf(src []byte) Lines {
	sum := sha256.Sum256(src)
	out := Lines{Sum: hex.EncodeToString(sum[:8])}
	for line := range bytes.Lines(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		out.Hashes = append(out.Hashes, maphash.Bytes(looseSeed, line))
	}
	return out
}
