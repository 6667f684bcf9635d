-- A ledger as schema 1 left it. Frozen: it stands for files that exist.
CREATE TABLE identity (git_dir TEXT NOT NULL PRIMARY KEY, agent TEXT NOT NULL, client TEXT NOT NULL, host TEXT NOT NULL) STRICT;
CREATE TABLE kv (agent TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (agent, key)) STRICT, WITHOUT ROWID;
CREATE TABLE refs (agent TEXT NOT NULL, namespace TEXT NOT NULL, ref TEXT NOT NULL, oid TEXT NOT NULL, first_seen INTEGER NOT NULL, PRIMARY KEY (agent, namespace, ref)) STRICT, WITHOUT ROWID;
CREATE TABLE fetches (agent TEXT NOT NULL, namespace TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (agent, namespace)) STRICT, WITHOUT ROWID;
CREATE TABLE notes (agent TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (agent, id)) STRICT;
CREATE TABLE dismissals (agent TEXT NOT NULL, kind TEXT NOT NULL, closed_as TEXT NOT NULL, count INTEGER NOT NULL, last_reason TEXT NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (agent, kind, closed_as)) STRICT, WITHOUT ROWID;
INSERT INTO identity VALUES ('/r/.git', 'claude-code-laptop-3fa9c1', 'claude-code', 'laptop');
INSERT INTO kv VALUES ('claude-code-laptop-3fa9c1', 'k', 'v');
INSERT INTO refs VALUES ('claude-code-laptop-3fa9c1', 'ns/', 'ns/a', '1111', 1772366400123456789);
INSERT INTO fetches VALUES ('claude-code-laptop-3fa9c1', 'ns/', 1772366400123456789);
INSERT INTO notes VALUES ('claude-code-laptop-3fa9c1', 'n-000000000001', '{"id":"n-000000000001","kind":"untitled","severity":"act","state":"open","title":"t","version":"a","sinceAt":"2026-03-01T12:00:00Z","seen":"a","unknown":{"x":1}}');
INSERT INTO dismissals VALUES ('claude-code-laptop-3fa9c1', 'untitled', 'not_needed', 4, 'r', 1772366400123456789);
PRAGMA user_version = 1;
