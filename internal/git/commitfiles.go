package git

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gitlet/internal/pattern"
)

// FileCommit is a commit whose tree is one file.
type FileCommit struct {
	Name    string // a plain name
	Data    []byte
	Parents []string
	Message string
}

// CommitFile stores a commit whose tree is one file, and returns its object id.
func (r *Repo) CommitFile(ctx context.Context, name string, data []byte, parents []string, message string) (string, error) {
	oids, err := r.CommitFiles(ctx, FileCommit{Name: name, Data: data, Parents: parents, Message: message})
	if err != nil {
		return "", err
	}
	return oids[0], nil
}

// CommitFiles stores the commits and returns their object ids: unsigned, by the same
// people as those of CommitTree. They go to git in one process, as a small pack. Only
// where who commits is for git alone to say, it is three processes for each.
func (r *Repo) CommitFiles(ctx context.Context, files ...FileCommit) ([]string, error) {
	for _, f := range files {
		if f.Name == "" || strings.ContainsAny(f.Name, "/\x00") {
			return nil, &Error{Step: "commit", Exit: -1, Err: fmt.Errorf("%q is no plain name", f.Name)}
		}
		for _, p := range f.Parents {
			if !isOID(p) {
				return nil, &Error{Step: "commit", Exit: -1, Err: fmt.Errorf("%q is no commit", p)}
			}
		}
	}
	conf, err := r.KnownConfig(ctx)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	who, ok := signatures(conf, os.LookupEnv, time.Now())
	if !ok {
		return r.commitSlowly(ctx, files)
	}
	p := newPacker(r.ObjectFormat)
	oids := make([]string, len(files))
	for i, f := range files {
		blob := p.add("blob", f.Data)
		raw, err := hex.DecodeString(blob)
		if err != nil {
			return nil, err
		}
		tree := p.add("tree", append([]byte(ModeFile+" "+f.Name+"\x00"), raw...))
		text := "tree " + tree + "\n"
		for _, parent := range f.Parents {
			text += "parent " + parent + "\n"
		}
		oids[i] = p.add("commit", []byte(text+"author "+who[0]+"\ncommitter "+who[1]+"\n\n"+f.Message))
	}
	_, err = r.run(ctx, call{step: "write objects", class: localWrite, stdin: p.pack(), args: []string{"unpack-objects", "-q"}})
	if err != nil {
		return nil, err
	}
	return oids, nil
}

func (r *Repo) commitSlowly(ctx context.Context, files []FileCommit) ([]string, error) {
	oids := make([]string, len(files))
	for i, f := range files {
		blob, err := r.WriteBlob(ctx, f.Data)
		if err != nil {
			return nil, err
		}
		tree, err := r.WriteTree(ctx, []TreeEntry{{Mode: ModeFile, Type: "blob", OID: blob, Path: f.Name}})
		if err != nil {
			return nil, err
		}
		if oids[i], err = r.CommitTree(ctx, tree, f.Parents, f.Message); err != nil {
			return nil, err
		}
	}
	return oids, nil
}

// signatures returns the author and the committer as they stand in a commit, as git
// would choose them; ok is false where git would have to guess, clean up or refuse.
func signatures(conf *Config, env func(string) (string, bool), now time.Time) (who [2]string, ok bool) {
	var name, email [2]string
	missing := false
	for i, role := range []string{"author", "committer"} {
		var known bool
		if name[i], known = identityPart(conf, env, role, "name"); !known {
			missing = true
		}
		if email[i], known = identityPart(conf, env, role, "email"); !known {
			missing = true
		}
	}
	if _, guess := env("EMAIL"); missing && guess {
		return who, false
	}
	for i, role := range []string{"AUTHOR", "COMMITTER"} {
		if missing {
			// Nobody is named, or only half: then it is the fallback for both, aside
			// from what the environment says.
			if name[i], ok = env("GIT_" + role + "_NAME"); !ok {
				name[i] = fallbackName
			}
			if email[i], ok = env("GIT_" + role + "_EMAIL"); !ok {
				email[i] = fallbackEmail
			}
		}
		date, dated := env("GIT_" + role + "_DATE")
		if dated {
			date, ok = gitDate(date)
		} else {
			date, ok = dateStamp(now), true
		}
		if !ok || !plainIdent(name[i]) || !plainIdent(email[i]) {
			return who, false
		}
		who[i] = name[i] + " <" + email[i] + "> " + date
	}
	return who, true
}

func identityPart(conf *Config, env func(string) (string, bool), role, part string) (string, bool) {
	if v, ok := env("GIT_" + strings.ToUpper(role+"_"+part)); ok {
		return v, true
	}
	for _, key := range []string{role + "." + part, "user." + part} {
		if v, ok := conf.Get(key); ok {
			return v, true
		}
	}
	return "", false
}

// plainIdent reports that git would take the name or address as it is: it drops some
// characters within, and others at both ends.
func plainIdent(s string) bool {
	const ends = " .,:;<>\"\\'"
	if s == "" || !utf8.ValidString(s) || strings.ContainsAny(s, "<>") || strings.ContainsAny(s[:1]+s[len(s)-1:], ends) {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f }) < 0
}

func dateStamp(t time.Time) string { return fmt.Sprintf("%d %s", t.Unix(), t.Format("-0700")) }

var rawDate = pattern.New(`^@?([0-9]{9,10}) ([+-](?:0[0-9]|1[0-4])[0-5][0-9])$`)

// gitDate reads the two exact forms of a date; git knows many more.
func gitDate(s string) (string, bool) {
	if m := rawDate.FindStringSubmatch(s); m != nil {
		if _, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			return m[1] + " " + m[2], true
		}
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.Unix() < 1e8 {
		return "", false
	}
	return dateStamp(t), true
}

// packer collects objects and writes them as git's pack format, version 2.
type packer struct {
	hash func() hash.Hash
	body bytes.Buffer
	n    uint32
}

func newPacker(format string) *packer {
	p := &packer{hash: sha1.New}
	if format == "sha256" {
		p.hash = sha256.New
	}
	return p
}

var packTypes = map[string]byte{"commit": 1, "tree": 2, "blob": 3}

// add appends one object and returns its id.
func (p *packer) add(kind string, data []byte) string {
	h := p.hash()
	fmt.Fprintf(h, "%s %d\x00", kind, len(data))
	h.Write(data)
	p.n++
	// The header: three bits of type and four of the size, then seven bits a byte.
	size := uint64(len(data))
	b := packTypes[kind]<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		p.body.WriteByte(b | 0x80)
		b = byte(size & 0x7f)
	}
	p.body.WriteByte(b)
	z := zlib.NewWriter(&p.body) // into memory: nothing can fail
	_, _ = z.Write(data)
	_ = z.Close()
	return hex.EncodeToString(h.Sum(nil))
}

func (p *packer) pack() []byte {
	out := []byte{'P', 'A', 'C', 'K', 0, 0, 0, 2, byte(p.n >> 24), byte(p.n >> 16), byte(p.n >> 8), byte(p.n)}
	out = append(out, p.body.Bytes()...)
	h := p.hash()
	h.Write(out)
	return h.Sum(out)
}
