package mcpserver

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine is the longest message taken from a client, in bytes.
const maxLine = 16 << 20

// parseError is what JSON-RPC answers to a line that is no JSON.
const parseError = `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: every line is one JSON-RPC message"}}` + "\n"

// invalidRequest is what JSON-RPC answers to JSON that is no message. Lists of messages are
// none: the protocol has given them up.
const invalidRequest = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request: every line is one JSON-RPC message"}}` + "\n"

// guard puts a filter before the SDK's reader: a line that is no message gets its error
// answer and is dropped, where the SDK would end the server. The writer it returns
// keeps these answers apart from the SDK's own.
func guard(in io.ReadCloser, out io.WriteCloser) (io.ReadCloser, io.WriteCloser) {
	w := &lockedWriter{w: out}
	pr, pw := io.Pipe()
	go func() {
		pw.CloseWithError(filter(in, pw, w))
	}()
	return &guarded{PipeReader: pr, in: in}, w
}

// filter copies the lines that are messages until the input ends.
func filter(in io.Reader, out, answers io.Writer) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(lines)
		if len(line) > 0 {
			answer := ""
			if !json.Valid(line) {
				answer = parseError
			} else if _, derr := jsonrpc.DecodeMessage(line); derr != nil {
				answer = invalidRequest
			}
			if answer != "" {
				if _, werr := io.WriteString(answers, answer); werr != nil {
					return werr
				}
			} else if _, werr := out.Write(append(line, '\n')); werr != nil {
				return werr
			}
		}
		if err != nil {
			return err
		}
	}
}

// readLine returns the next line without its end, "" for an empty one, and what
// cannot be a message (a longer one) as a line that is no JSON.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case len(line) > maxLine:
			return []byte("too long"), err
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r' || line[len(line)-1] == ' ') {
			line = line[:len(line)-1]
		}
		return line, err
	}
}

type guarded struct {
	*io.PipeReader
	in io.Closer
}

// Close ends the filter too, which may be waiting for input.
func (g *guarded) Close() error { return errors.Join(g.PipeReader.Close(), g.in.Close()) }

// lockedWriter keeps two writers' messages whole.
type lockedWriter struct {
	mu sync.Mutex
	w  io.WriteCloser
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.w.Write(p)
	if err != nil {
		err = fmt.Errorf("write to the client: %w", err)
	}
	return n, err
}

func (l *lockedWriter) Close() error { return l.w.Close() }
