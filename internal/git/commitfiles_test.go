package git

import (
	"context"
	"strings"
	"testing"
	"time"

	"gitlet/internal/git/gittest"
)

// TestCommitFiles: the pack gitlet writes itself holds exactly the objects that git
// makes of the same input, in both object formats.
func TestCommitFiles(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			repo := gittest.New(t, "--object-format="+format)
			parent := repo.Commit("parent")
			wt, err := Open(ctx, repo.Dir)
			if err != nil {
				t.Fatal(err)
			}
			files := []FileCommit{
				{Name: "state.json", Data: []byte("{}\n"), Message: "gitlet: state"},
				{Name: "empty", Message: "nothing in it\n"},
				{Name: "x", Data: []byte(strings.Repeat("long and dull ", 50_000)), Parents: []string{parent}, Message: "p"},
				{Name: "claim.json", Data: []byte{0, 0xff, 10}, Parents: []string{parent}},
			}
			quick, err := wt.CommitFiles(ctx, files...)
			if err != nil {
				t.Fatal(err)
			}
			slow, err := wt.commitSlowly(ctx, files)
			if err != nil {
				t.Fatal(err)
			}
			for i := range files {
				if quick[i] != slow[i] {
					t.Errorf("%q: %s, and by git %s:\n%s", files[i].Name, quick[i], slow[i], repo.Git("cat-file", "-p", quick[i]))
				}
			}
			if out, err := repo.TryGit("fsck", "--strict"); err != nil {
				t.Errorf("fsck: %s", out)
			}
			for _, bad := range []FileCommit{{Name: "a/b"}, {}, {Name: "x", Parents: []string{"main"}}} {
				if _, err := wt.CommitFiles(ctx, bad); err == nil {
					t.Errorf("%+v is accepted", bad)
				}
			}
		})
	}
}

// TestCatFileAhead: what is announced is read as it would be without, in that order or
// another, and a reader closed early waits for nothing.
func TestCatFileAhead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	repo := gittest.New(t)
	repo.Commit("one")
	wt, err := Open(ctx, repo.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []FileCommit
	for i := range 40 {
		files = append(files, FileCommit{Name: "f", Data: []byte(strings.Repeat(string(rune('a'+i%26)), 20_000+i)), Message: "m"})
	}
	oids, err := wt.CommitFiles(ctx, files...)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, oid := range oids {
		names = append(names, oid+":f")
	}
	read := func(c *CatFile, i int) {
		t.Helper()
		o, err := c.Read(names[i], 0)
		if err != nil || string(o.Data) != string(files[i].Data) {
			t.Fatalf("object %d: %d bytes, %v", i, len(o.Data), err)
		}
	}
	for _, order := range [][]int{{0, 1, 2, 39}, {5, 3, 6}, {}, {39, 0, 1}} {
		c := wt.NewCatFile(ctx)
		c.Ahead(append([]string{"HEAD:missing"}, names...)...)
		if len(order) == 0 {
			if o, err := c.Read("HEAD:missing", 0); o.Found || err != nil {
				t.Errorf("%+v %v", o, err)
			}
		}
		for _, i := range order {
			read(c, i)
		}
		began := time.Now()
		if c.Close(); time.Since(began) > 5*time.Second {
			t.Error("closing waited")
		}
	}
	c := wt.NewCatFile(ctx)
	defer c.Close()
	c.Ahead(names...)
	for i := range names {
		read(c, i)
	}
	read(c, 7)
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0).In(time.FixedZone("", -(3*3600 + 30*60)))
	config := "user.name\nMy Name\x00user.email\nme@example.com\x00"
	for name, c := range map[string]struct {
		config, env, author, committer string // env as NAME=value lines; author "" means: ask git
	}{
		"config":            {config, "", "My Name <me@example.com> 1800000000 -0330", "My Name <me@example.com> 1800000000 -0330"},
		"roles":             {config + "author.name\nA\x00committer.email\nc@x\x00", "", "A <me@example.com> 1800000000 -0330", "My Name <c@x> 1800000000 -0330"},
		"environment":       {config, "GIT_AUTHOR_NAME=Env\nGIT_COMMITTER_DATE=@1700000000 +0100", "Env <me@example.com> 1800000000 -0330", "My Name <me@example.com> 1700000000 +0100"},
		"nobody":            {"", "", "gitlet <gitlet@localhost> 1800000000 -0330", "gitlet <gitlet@localhost> 1800000000 -0330"},
		"half":              {"user.name\nMy Name\x00", "GIT_AUTHOR_NAME=Env", "Env <gitlet@localhost> 1800000000 -0330", "gitlet <gitlet@localhost> 1800000000 -0330"},
		"ISO date":          {config, "GIT_AUTHOR_DATE=2026-01-05T10:00:00+02:00", "My Name <me@example.com> 1767600000 +0200", "My Name <me@example.com> 1800000000 -0330"},
		"EMAIL":             {"user.name\nMy Name\x00", "EMAIL=me@example.com", "", ""},
		"EMAIL not needed":  {config, "EMAIL=other@example.com", "My Name <me@example.com> 1800000000 -0330", "My Name <me@example.com> 1800000000 -0330"},
		"to be cleaned":     {"user.name\nDr. X.\x00user.email\nme@example.com\x00", "", "", ""},
		"brackets":          {"user.name\na <b\x00user.email\nme@example.com\x00", "", "", ""},
		"empty":             {config, "GIT_AUTHOR_NAME=", "", ""},
		"not UTF-8":         {"user.name\nM\xe9\x00user.email\nme@example.com\x00", "", "", ""},
		"line end":          {"user.name\na\nb\x00user.email\nme@example.com\x00", "", "", ""},
		"words for a date":  {config, "GIT_AUTHOR_DATE=yesterday", "", ""},
		"not a real zone":   {config, "GIT_AUTHOR_DATE=1700000000 +9900", "", ""},
		"letters of others": {"user.name\nÅsa Ö\x00user.email\nme@example.com\x00", "", "Åsa Ö <me@example.com> 1800000000 -0330", "Åsa Ö <me@example.com> 1800000000 -0330"},
	} {
		env := map[string]string{}
		for l := range strings.SplitSeq(c.env, "\n") {
			if k, v, ok := strings.Cut(l, "="); ok {
				env[k] = v
			}
		}
		conf, err := parseConfig([]byte(placed(c.config)))
		if err != nil {
			t.Fatal(err)
		}
		who, ok := signatures(conf, func(k string) (string, bool) { v, ok := env[k]; return v, ok }, now)
		if ok != (c.author != "") || ok && (who[0] != c.author || who[1] != c.committer) {
			t.Errorf("%s: %q %v, want %q and %q", name, who, ok, c.author, c.committer)
		}
	}
}

// placed gives each setting of a list of them the place that git says with it.
func placed(settings string) string {
	var b strings.Builder
	for s := range strings.SplitSeq(strings.TrimSuffix(settings, "\x00"), "\x00") {
		if s != "" {
			b.WriteString("global\x00file:x\x00" + s + "\x00")
		}
	}
	return b.String()
}
