package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gitlet/internal/model"
)

var update = flag.Bool("update", false, "rewrite the goldens; format 1 must never change once released")

const (
	agent = "claude-code-laptop-3fa9c1"
	item  = "8c1f0e2a9b3d"
	key   = "0123456789abcdef"
	oid   = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
)

func at(min int) time.Time { return time.Date(2026, 10, 26, 2, min, 0, 0, time.UTC) }

func symbol() model.Symbol {
	return model.Symbol{
		Key: key, Lang: "typescript", Path: "src/config.ts", Name: "parseConfig", Qualified: "parseConfig",
		Kind: model.KindFunction, Signature: "function parseConfig(string, boolean?): Config",
		SigHash: "9f86d081884c7d65", BodyHash: "60303ae22b998861",
		Params:  []model.Param{{Type: "string"}, {Type: "boolean", Optional: true}},
		Results: "Config", StartLine: 10, EndLine: 30, StartByte: 120, EndByte: 610, Exported: true,
	}
}

func sampleState() model.State {
	return model.State{
		Agent:     model.Agent{ID: agent, Client: "claude-code", Host: "laptop", User: "sam"},
		Heartbeat: at(0), LeaseSeconds: 600,
		Items: []model.Item{{
			ID: item, Intent: "Add strict mode to config loading", Branch: "gitlet/add-strict-mode-8c1f",
			Base: oid, Snapshot: oid, Head: oid, Status: model.ItemActive, OpenedAt: at(0), UpdatedAt: at(1),
			Footprint: &model.Footprint{
				Base: oid, Head: oid, Version: 5,
				Files: []model.FileChange{{Path: "src/config.ts", Status: "M", Lang: "typescript", Parsed: true}},
				Symbols: []model.SymbolChange{{
					Change: model.ChangeSignature, OldSignature: "function parseConfig(string): Config",
					OldSigHash: "5feceb66ffc86f38", Symbol: symbol(),
				}},
				Refs: []model.Ref{{
					Name: "loadFile", Kind: model.RefCall, Lang: "typescript", Path: "src/config.ts",
					Line: 12, Module: "src/fs", Resolved: true, In: "parseConfig",
				}},
				ComputedAt: "2026-10-26T02:01:00Z",
			},
		}},
	}
}

func sampleOutbox() model.Outbox {
	return model.Outbox{
		Agent: agent,
		Needs: []model.Need{{ID: "aaaaaaaaaaaa", Key: key, Name: "src/config.ts:parseConfig", Item: item, Requirement: "keep returning Config", CreatedAt: at(2)}},
		Messages: []model.Message{{
			ID: "bbbbbbbbbbbb", Thread: "t-cccccccccccc", Kind: "sig", Subject: key, SubjectName: "src/config.ts:parseConfig",
			Items: []string{item}, From: agent, Item: item, Text: "first line\nsecond line",
			Proposal: &model.Proposal{ID: "p-dddddddddddd", Owner: agent, Signature: "function parseConfig(string): Config", Summary: "leave it"},
			Seen:     []string{"eeeeeeeeeeee"}, At: at(3),
		}},
		Accepts: []model.Accept{{Thread: "t-cccccccccccc", Proposal: "p-dddddddddddd", At: at(4)}},
	}
}

func sampleClaim() model.Claim {
	s := symbol()
	return model.Claim{
		Key: key, Symbol: &s, Owner: agent, Item: item, LeaseSeconds: 600, Epoch: 1,
		Contract:     &model.Contract{Signature: s.Signature, SigHash: s.SigHash, StubCommit: oid, Breaking: true, PublishedAt: at(5)},
		Requirements: []model.Requirement{{From: "codex-ci-1a2b3c", Text: "needs a strict flag"}},
		UpdatedAt:    at(6),
	}
}

// TestGolden pins the bytes of format 1 and that they decode to what was encoded.
func TestGolden(t *testing.T) {
	s, o, c := sampleState(), sampleOutbox(), sampleClaim()
	check := func(name string, data []byte, err error, got any, want any, derr error) {
		t.Helper()
		if err != nil || derr != nil {
			t.Fatalf("%s: encode %v, decode %v", name, err, derr)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: decoded\n%+v\nwant\n%+v", name, got, want)
		}
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		golden, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(golden, data) {
			t.Errorf("%s: format 1 changed:\n%s\nwas\n%s", name, data, golden)
		}
	}
	data, _, err := EncodeState(s)
	gs, _, derr := DecodeState(data, agent)
	check("state.json", data, err, gs, s, derr)
	s = withHunks(s)
	data, _, err = EncodeState(s)
	gs, _, derr = DecodeState(data, agent)
	check("state-hunks.json", data, err, gs, s, derr)
	s = withPicked(s)
	data, _, err = EncodeState(s)
	gs, _, derr = DecodeState(data, agent)
	check("state-picked.json", data, err, gs, s, derr)
	data, _, err = EncodeOutbox(o)
	gotO, _, derr := DecodeOutbox(data, agent)
	check("outbox.json", data, err, gotO, o, derr)
	data, _, err = EncodeClaim(c)
	gotC, _, derr := DecodeClaim(data, key)
	check("claim.json", data, err, gotC, c, derr)
	c.Symbol, c.Resource = nil, "issue:278"
	data, _, err = EncodeClaim(c)
	gotC, _, derr = DecodeClaim(data, key)
	check("claim-resource.json", data, err, gotC, c, derr)
}

// withHunks says of the first file where it changed.
func withHunks(s model.State) model.State {
	f := &s.Items[0].Footprint.Files[0]
	f.Was, f.Hunks = "9f86d081884c7d65", []model.Hunk{{Start: 1, New: 2}, {Start: 10, Old: 3, New: 4, Outside: true}, {Start: 40, Old: 1}}
	return s
}

// TestBadHunks: hunks that one file cannot have are not believed; the file stays.
func TestBadHunks(t *testing.T) {
	t.Parallel()
	many := make([]model.Hunk, model.MaxHunks+1)
	for i := range many {
		many[i] = model.Hunk{Start: 1 + 3*i, Old: 1}
	}
	for name, f := range map[string]model.FileChange{
		"nothing changed": {Was: key, Hunks: []model.Hunk{{Start: 3}}},
		"line 0":          {Was: key, Hunks: []model.Hunk{{Start: 0, Old: 1}}},
		"negative":        {Was: key, Hunks: []model.Hunk{{Start: 3, Old: -1, New: 5}}},
		"huge":            {Was: key, Hunks: []model.Hunk{{Start: 1 << 40, Old: 1}}},
		"huge sum":        {Was: key, Hunks: []model.Hunk{{Start: 1 << 29, Old: 1 << 31}}},
		"out of order":    {Was: key, Hunks: []model.Hunk{{Start: 9, Old: 1}, {Start: 3, Old: 1}}},
		"touching":        {Was: key, Hunks: []model.Hunk{{Start: 3, Old: 2}, {Start: 5, New: 1}}},
		"many":            {Was: key, Hunks: many},
		"no content":      {Hunks: []model.Hunk{{Start: 3, Old: 1}}},
		"no hunks":        {Was: key, Hunks: []model.Hunk{}},
		"bad content":     {Was: "x\x1b[0m", Hunks: []model.Hunk{{Start: 3, Old: 1}}},
	} {
		s := sampleState()
		f.Path, f.Status = "a.yml", "M"
		s.Items[0].Footprint.Files[0] = f
		data, err := json.Marshal(stateDoc{Format: Format, State: s})
		if err != nil {
			t.Fatal(err)
		}
		got, ps, err := DecodeState(data, agent)
		if err != nil || len(ps) > 0 || len(got.Items[0].Footprint.Files) != 1 {
			t.Errorf("%s: %v %v", name, ps, err)
			continue
		}
		if f := got.Items[0].Footprint.Files[0]; f.Was != "" || f.Hunks != nil {
			t.Errorf("%s: %+v got through", name, f)
		}
	}
}

// TestGrease: fields that a later gitlet may add, at every level, change nothing.
func TestGrease(t *testing.T) {
	t.Parallel()
	grease := func(data []byte) []byte {
		return bytes.ReplaceAll(data, []byte(`{"`), []byte(`{"zGrease":[{"a":1},null],"`))
	}
	data, _, _ := EncodeState(sampleState())
	if got, ps, err := DecodeState(grease(data), agent); err != nil || len(ps) > 0 || !reflect.DeepEqual(got, sampleState()) {
		t.Errorf("state: %+v %v %v", got, ps, err)
	}
	data, _, _ = EncodeOutbox(sampleOutbox())
	if got, _, err := DecodeOutbox(grease(data), agent); err != nil || !reflect.DeepEqual(got, sampleOutbox()) {
		t.Errorf("outbox: %+v %v", got, err)
	}
	data, _, _ = EncodeClaim(sampleClaim())
	if got, _, err := DecodeClaim(grease(data), key); err != nil || !reflect.DeepEqual(got, sampleClaim()) {
		t.Errorf("claim: %+v %v", got, err)
	}
}

func TestNullListsAreEmpty(t *testing.T) {
	t.Parallel()
	s, _, err := DecodeState([]byte(`{"format":1,"agent":{"id":"a"},"items":null}`), "a")
	if err != nil || s.Items == nil {
		t.Errorf("items: %v %v", s.Items, err)
	}
	doc := `{"format":1,"agent":{"id":"a"},"items":[{"id":"` + item + `","status":"active","footprint":{"files":null}}]}`
	s, _, err = DecodeState([]byte(doc), "a")
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Items[0].Footprint; f.Files == nil || f.Symbols == nil || f.Refs == nil {
		t.Errorf("nil list in %+v", f)
	}
	o, _, err := DecodeOutbox([]byte(`{"format":1,"agent":"a","needs":null}`), "a")
	if err != nil || o.Needs == nil || o.Messages == nil || o.Accepts == nil {
		t.Errorf("%+v %v", o, err)
	}
	data, _, err := EncodeOutbox(model.Outbox{Agent: "a"})
	if want := `{"format":1,"agent":"a","needs":[],"messages":[],"accepts":[]}` + "\n"; err != nil || string(data) != want {
		t.Errorf("%s %v", data, err)
	}
}

// TestRefusedState: each of these costs the whole document, with a short reason.
func TestRefusedState(t *testing.T) {
	t.Parallel()
	good, _, err := EncodeState(sampleState())
	if err != nil {
		t.Fatal(err)
	}
	sub := func(old, new string) string {
		out := strings.Replace(string(good), old, new, 1)
		if out == string(good) {
			t.Fatalf("%q is not in the sample", old)
		}
		return out
	}
	cases := map[string]struct{ doc, want string }{
		"empty":          {"", "not JSON"},
		"null":           {"null", "no format"},
		"list":           {"[]", "wrong type"},
		"truncated":      {string(good[:len(good)-30]), "not JSON"},
		"trailing":       {string(good) + "{}", "not JSON"},
		"no format":      {sub(`"format":1,`, ``), "no format"},
		"format zero":    {sub(`"format":1`, `"format":0`), "format 0"},
		"format text":    {sub(`"format":1`, `"format":"1"`), "format"},
		"wrong type":     {sub(`"leaseSeconds":600`, `"leaseSeconds":"600"`), "leaseSeconds"},
		"items object":   {sub(`"items":[`, `"items":{"a":[`) + "}", "items"},
		"null item":      {sub(`"items":[`, `"items":[null,`), "bad item id"},
		"huge":           {string(good) + strings.Repeat(" ", MaxRead), "over the limit"},
		"deep":           {`{"format":1,"x":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, "nested"},
		"unclosed deep":  {strings.Repeat("[", 900_000), "nested"},
		"agent":          {sub(`"id":"`+agent, `"id":"other-host-aaaaaa`), "does not match"},
		"agent path":     {sub(`"id":"`+agent, `"id":"../../etc`), "bad agent id"},
		"agent dash":     {sub(`"id":"`+agent, `"id":"-x`), "bad agent id"},
		"item id":        {sub(item, "8C1F0E2A9B3D"), "bad item id"},
		"item path":      {sub(item, "../../../ab"), "bad item id"},
		"oid":            {sub(`"head":"`+oid, `"head":"--upload-pack=x`), "bad object id"},
		"abbreviated":    {sub(`"snapshot":"`+oid, `"snapshot":"4b825dc`), "bad object id"},
		"footprint base": {sub(`"footprint":{"base":"`+oid, `"footprint":{"base":"HEAD`), "bad object id"},
		"branch option":  {sub(`"branch":"gitlet/`, `"branch":"--`), "bad branch"},
		"branch dots":    {sub(`"branch":"gitlet/`, `"branch":"../`), "bad branch"},
		"status":         {sub(`"status":"active"`, `"status":"zombie"`), "unknown status"},
		"lease":          {sub(`"leaseSeconds":600`, `"leaseSeconds":99999999`), "out of range"},
		"negative lease": {sub(`"leaseSeconds":600`, `"leaseSeconds":-1`), "out of range"},
		"time":           {sub(`"heartbeat":"2026-10-26T02:00:00Z"`, `"heartbeat":"yesterday"`), "unreadable"},
		"year 10000":     {sub(`"heartbeat":"2026-10-26T02:00:00Z"`, `"heartbeat":"9999-12-31T23:59:59-01:00"`), "year"},
		"many items":     {`{"format":1,"agent":{"id":"` + agent + `"},"items":[{}` + strings.Repeat(`,{}`, 300_000) + `]}`, "over the limit"},
		"many files":     {sub(`"files":[`, `"files":[{}`+strings.Repeat(`,{}`, maxFiles)+`,`), "over the limit"},
		"version":        {sub(`"version":5`, `"version":-5`), "version"},
		"twice":          {string(bytes.Replace(good, []byte(`"items":[`), []byte(`"items":[{"id":"`+item+`","status":"active"},`), 1)), "twice"},
	}
	for name, c := range cases {
		_, _, err := DecodeState([]byte(c.doc), agent)
		var bad *Invalid
		if !errors.As(err, &bad) || !strings.Contains(bad.Why, c.want) || len(bad.Why) > 200 {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	var newer *NewerFormat
	if _, _, err := DecodeState([]byte(`{"format":2,"agent":"now text"}`), agent); !errors.As(err, &newer) || newer.Format != 2 {
		t.Errorf("newer: %v", err)
	}
}

// TestBadEntries: a bad footprint entry costs only itself.
func TestBadEntries(t *testing.T) {
	t.Parallel()
	good, _, _ := EncodeState(sampleState())
	file := func(path string) string { return `{"path":` + path + `,"status":"A","parsed":false},` }
	cases := map[string]struct{ list, entry string }{
		"absolute":     {"files", file(`"/etc/passwd"`)},
		"climbing":     {"files", file(`"../x"`)},
		"inner dots":   {"files", file(`"a/../b"`)},
		"not clean":    {"files", file(`"a//b"`)},
		"control":      {"files", file(`"Icon\r"`)},
		"newline":      {"files", file(`"a\nb"`)},
		"empty":        {"files", file(`""`)},
		"long":         {"files", file(`"` + strings.Repeat("a", 4097) + `"`)},
		"not UTF-8":    {"files", file("\"caf\xe9\"")},
		"number":       {"files", file(`5`)},
		"null":         {"files", `null,`},
		"text":         {"files", `"x",`},
		"status":       {"files", `{"path":"a","status":"Q"},`},
		"old path":     {"files", `{"path":"a","status":"R","oldPath":"../b"},`},
		"lang":         {"files", `{"path":"a","status":"A","lang":"Go Lang"},`},
		"symbol empty": {"symbols", `{},`},
		"symbol key":   {"symbols", `{"change":"added","symbol":{"key":"xyz","lang":"go","path":"a.go","name":"A","qualified":"A","kind":"function"}},`},
		"symbol path":  {"symbols", `{"change":"added","symbol":{"key":"` + key + `","lang":"go","path":"/a.go","name":"A","qualified":"A","kind":"function"}},`},
		"symbol kind":  {"symbols", `{"change":"added","symbol":{"key":"` + key + `","lang":"go","path":"a.go","name":"A","qualified":"A","kind":"monad"}},`},
		"symbol name":  {"symbols", `{"change":"added","symbol":{"key":"` + key + `","lang":"go","path":"a.go","name":"A\u0007","qualified":"A","kind":"function"}},`},
		"symbol lines": {"symbols", `{"change":"added","symbol":{"key":"` + key + `","lang":"go","path":"a.go","name":"A","qualified":"A","kind":"function","startLine":9,"endLine":-4}},`},
		"change":       {"symbols", `{"change":"exploded","symbol":{"key":"` + key + `","lang":"go","path":"a.go","name":"A","qualified":"A","kind":"function"}},`},
		"ref kind":     {"refs", `{"name":"x","kind":"wish","lang":"go","path":"a.go","line":1},`},
		"ref line":     {"refs", `{"name":"x","kind":"call","lang":"go","path":"a.go","line":-1},`},
		"ref huge":     {"refs", `{"name":"x","kind":"call","lang":"go","path":"a.go","line":1e300},`},
		"ref type":     {"refs", `{"name":["x"],"kind":"call","lang":"go","path":"a.go","line":1},`},
	}
	for name, c := range cases {
		doc := strings.Replace(string(good), `"`+c.list+`":[`, `"`+c.list+`":[`+c.entry, 1)
		got, ps, err := DecodeState([]byte(doc), agent)
		if err != nil {
			t.Errorf("%s: the document was lost: %v", name, err)
			continue
		}
		want := "items[0]." + c.list + "[0]"
		if len(ps) != 1 || ps[0].Where != want {
			t.Errorf("%s: problems %v, want one at %s", name, ps, want)
		}
		if !reflect.DeepEqual(got, sampleState()) {
			t.Errorf("%s: the rest differs: %+v", name, got)
		}
	}
	doc := strings.Replace(string(good), `"files":[`, `"files":[`+strings.Repeat(file(`"/x"`), 1000), 1)
	if _, ps, err := DecodeState([]byte(doc), agent); err != nil || len(ps) != maxProblems+1 {
		t.Errorf("a thousand bad entries: %d problems, %v", len(ps), err)
	}
}

func TestRefusedOutboxAndClaim(t *testing.T) {
	t.Parallel()
	o, _, _ := EncodeOutbox(sampleOutbox())
	c, _, _ := EncodeClaim(sampleClaim())
	cases := []struct{ doc, old, new, want string }{
		{"outbox", `"agent":"` + agent, `"agent":"codex-ci-1a2b3c`, "does not match"},
		{"outbox", `"from":"` + agent, `"from":"codex-ci-1a2b3c`, "from"},
		{"outbox", `t-cccccccccccc`, `t-../../../aa`, "bad id"},
		{"outbox", `"kind":"sig"`, `"kind":"SIG\n"`, "bad kind"},
		{"outbox", `"subject":"` + key, `"subject":"x`, "bad key"},
		{"outbox", `"key":"` + key, `"key":"`, "bad key"},
		{"outbox", `p-dddddddddddd`, `p-dddd`, "bad proposal"},
		{"outbox", `"seen":["eeeeeeeeeeee"]`, `"seen":["x"]`, "bad message id"},
		{"outbox", `"items":["` + item, `"items":["x`, "bad item id"},
		{"outbox", `"pinnedCommit":""`, `"pinnedCommit":"-x"`, "bad object id"},
		{"outbox", `"messages":[`, `"messages":[5,`, "wrong type"},
		{"outbox", `"accepts":[{"thread":"t-`, `"accepts":[{"thread":"n-`, "bad id"},
		{"claim", `"key":"` + key, `"key":"fedcba9876543210`, "does not match"},
		{"claim", `"owner":"` + agent, `"owner":"a/../b`, "bad owner"},
		{"claim", `"item":"` + item, `"item":"`, "bad item"},
		{"claim", `"epoch":1`, `"epoch":-1`, "epoch"},
		{"claim", `"stubCommit":"` + oid, `"stubCommit":"HEAD`, "object id"},
		{"claim", `"path":"src/config.ts"`, `"path":"/src"`, "bad path"},
		{"claim", `"symbol":{"key":"` + key, `"symbol":{"key":"fedcba9876543210`, "symbol key"},
		{"claim", `"owner":`, `"resource":"issue:1","owner":`, "not both"},
		{"claim", `"from":"codex-ci-1a2b3c"`, `"from":"X"`, "bad agent id"},
	}
	for _, x := range cases {
		src, decode := string(o), func(b []byte) error { _, _, err := DecodeOutbox(b, agent); return err }
		if x.doc == "claim" {
			src, decode = string(c), func(b []byte) error { _, _, err := DecodeClaim(b, key); return err }
		}
		doc := strings.Replace(src, x.old, x.new, 1)
		if doc == src {
			t.Fatalf("%q is not in the %s", x.old, x.doc)
		}
		var bad *Invalid
		if err := decode([]byte(doc)); !errors.As(err, &bad) || !strings.Contains(bad.Why, x.want) {
			t.Errorf("%s, %s: %v, want %q", x.doc, x.new, err, x.want)
		}
	}
}

// TestText: text is cleaned and cut, and cleaning twice changes nothing.
func TestText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\x1b[31mred\x00":      "a[31mred",
		"two\r\nlines\rthree":   "two lines three",
		"tab\there":             "tab here",
		"bad \xff byte":         "bad \uFFFD byte",
		"\u202Eevil\u2066":      "evil",
		"sep\u2028arated":       "sep arated",
		"naïve 👩‍💻 stays":       "naïve 👩‍💻 stays",
		"next\u0085line\u009b1": "nextline1",
	} {
		if got := oneLine(in); got != want || oneLine(got) != got {
			t.Errorf("oneLine(%q) = %q, want %q", in, got, want)
		}
	}
	if got := lines("a\r\nb\tc\x07"); got != "a\nb c" {
		t.Errorf("lines: %q", got)
	}
	if got := cut("aé", 2); got != "a" {
		t.Errorf("cut split a character: %q", got)
	}
	s := sampleState()
	s.Items[0].Intent = strings.Repeat("é", 2000) + "\n"
	data, _, err := EncodeState(s)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := DecodeState(data, agent)
	if err != nil || len(got.Items[0].Intent) > maxLine || strings.Contains(got.Items[0].Intent, "\n") {
		t.Errorf("%d %v", len(got.Items[0].Intent), err)
	}
}

func TestValidBranch(t *testing.T) {
	t.Parallel()
	for _, ok := range []string{"main", "gitlet/add-1", "a.b", "føø", "a@b", "user/@", "x.locked", "1"} {
		if !ValidBranch(ok) {
			t.Errorf("%q is refused", ok)
		}
	}
	for _, bad := range []string{"", "-x", "@", "HEAD", "a..b", ".a", "a/.b", "a.lock", "a.lock/b", "a b", "a~1", "a^", "a:b",
		"a?", "a*", "a[", `a\b`, "/a", "a/", "a//b", "a.", "a@{1}", "a\x7f", "a\nb", "\xff", strings.Repeat("a", 513)} {
		if ValidBranch(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	o := sampleOutbox()
	m := o.Messages[0]
	m.Text = strings.Repeat("long ", 1000)
	for len(o.Messages) < 100 {
		o.Messages = append(o.Messages, m)
	}
	data, ps, err := EncodeOutbox(o)
	if err != nil || len(data) > MaxWrite || len(ps) != 1 {
		t.Errorf("%d bytes, %v, %v", len(data), ps, err)
	}
	for len(o.Messages) < 2000 {
		o.Messages = append(o.Messages, m)
	}
	if _, _, err := EncodeOutbox(o); !errors.Is(err, ErrTooLarge) {
		t.Errorf("outbox: %v", err)
	}
	s := sampleState()
	s.Items[0].Footprint = nil
	s.Items[0].SnapshotError = strings.Repeat("x", maxMessage)
	for i := range 100 {
		it := s.Items[0]
		it.ID = fmt.Sprintf("%012x", i)
		s.Items = append(s.Items, it)
	}
	if _, _, err := EncodeState(s); !errors.Is(err, ErrTooLarge) {
		t.Errorf("state: %v", err)
	}
	c := sampleClaim()
	for range 200 {
		c.Requirements = append(c.Requirements, model.Requirement{From: agent, Text: strings.Repeat("want ", 1600)})
	}
	data, ps, err = EncodeClaim(c)
	if err != nil || len(data) > MaxWrite || len(ps) != 1 {
		t.Errorf("claim: %d bytes, %v, %v", len(data), ps, err)
	}
}

// TestEncodeLeavesOut: a path that git allows and documents do not is left out,
// with everything that names it, and the rest is published.
func TestEncodeLeavesOut(t *testing.T) {
	t.Parallel()
	s := sampleState()
	f := s.Items[0].Footprint
	bad := symbol()
	bad.Path = "Icon\r"
	f.Files = append([]model.FileChange{{Path: "Icon\r", Status: "A"}, {Path: "caf\xe9", Status: "A"}}, f.Files...)
	f.Symbols = append(f.Symbols, model.SymbolChange{Change: model.ChangeAdded, Symbol: bad})
	f.Refs = append(f.Refs, model.Ref{Name: "x", Kind: model.RefCall, Lang: "go", Path: "caf\xe9"})
	data, ps, err := EncodeState(s)
	if err != nil || len(ps) != 4 {
		t.Fatalf("%v %v", ps, err)
	}
	got, ps, err := DecodeState(data, agent)
	if err != nil || len(ps) > 0 || !reflect.DeepEqual(got, sampleState()) {
		t.Errorf("%+v %v %v", got, ps, err)
	}
	if len(f.Files) != 3 {
		t.Error("encoding changed its argument")
	}
	s.Items[0].Branch = "--force"
	if _, _, err := EncodeState(s); err == nil {
		t.Error("an invalid branch was published")
	}
}
