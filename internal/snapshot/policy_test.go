package snapshot

import (
	"slices"
	"testing"

	"gitlet/internal/config"
)

func TestDenied(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]bool{
		".env": true, ".env.local": true, "a/b/.ENV": true, ".envrc": true, "env": false, "a.env": false,
		"tls/server.pem": true, "SERVER.PEM": true, "x.key": true, "key": false, "x.keys": false,
		"a.p12": true, "a.pfx": true, "id_rsa": true, "id_rsa.pub": true, "my_id_rsa": false,
		".ssh/id_ed25519": true, "id_ecdsa_sk": true, "a.keystore": true, "credentials": true,
		"aws/credentials.json": true, "secrets.yaml": true, "secrets": false, "mysecrets.yaml": false,
		".env/lib/x.py": true, "conf/secrets.d/x.ts": true, "src/credentials/x.ts": false,
		"src/credentials/aws.json": true, "Credentials.d/token": true, "a.pfx/b.go": true, "main.go": false, "": false, "odd\nname.pem": true,
	} {
		if got := Denied(p); got != want {
			t.Errorf("Denied(%q) = %v", p, got)
		}
	}
}

func TestTakesUntracked(t *testing.T) {
	t.Parallel()
	p := Policy{Untracked: config.UntrackedSource, Include: []string{"*.sql", "docs/**"}, Migrations: []string{"schema/steps"}}
	for file, want := range map[string]bool{
		"a.go": true, "x/y.tsx": true, "data.csv": false, "q.sql": true, "docs/a.txt": true, "README.md": false,
		"db/migrate/0001.rb": true, "prisma/migrations/1/x": true, "alembic/versions/a.ini": true,
		"versions/a.ini": false, "schema/steps/7.xml": true, "migrations": false,
		"go.sum": true, "web/yarn.lock": true, "x.lock": false, "CHANGELOG.md": true, "CHANGES": true, "HISTORY.txt": true,
	} {
		if got := p.TakesUntracked(file); got != want {
			t.Errorf("source: %q = %v", file, got)
		}
	}
	for mode, want := range map[config.Untracked]bool{config.UntrackedAll: true, config.UntrackedNone: false} {
		p.Untracked = mode
		if got := p.TakesUntracked("data.csv"); got != want {
			t.Errorf("%s: data.csv = %v", mode, got)
		}
		if got := p.TakesUntracked("a.go"); got != want {
			t.Errorf("%s: a.go = %v", mode, got)
		}
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	text := "refusing to allow an OAuth App to create or update workflow `.github/workflows/ci.yml` without `workflow` scope; see src/a.go. done"
	got := Named(text, []string{"ci.yml", ".github/workflows/ci.yml", "workflows/ci.yml", "src/a.go", "a.go", "src", ""})
	if want := []string{".github/workflows/ci.yml", "src/a.go"}; !slices.Equal(got, want) {
		t.Errorf("Named = %q, want %q", got, want)
	}
}
