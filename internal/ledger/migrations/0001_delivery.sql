-- Who serves a worktree, what was seen of the shared refs, and what was told.

CREATE TABLE identity (
	git_dir TEXT NOT NULL PRIMARY KEY,
	agent   TEXT NOT NULL,
	client  TEXT NOT NULL,
	host    TEXT NOT NULL
) STRICT;

CREATE TABLE kv (
	agent TEXT NOT NULL,
	key   TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (agent, key)
) STRICT, WITHOUT ROWID;

-- Times are nanoseconds since 1970, UTC; 0 is "never".
CREATE TABLE refs (
	agent      TEXT NOT NULL,
	namespace  TEXT NOT NULL,
	ref        TEXT NOT NULL,
	oid        TEXT NOT NULL,
	first_seen INTEGER NOT NULL,
	PRIMARY KEY (agent, namespace, ref)
) STRICT, WITHOUT ROWID;

CREATE TABLE fetches (
	agent     TEXT NOT NULL,
	namespace TEXT NOT NULL,
	at        INTEGER NOT NULL,
	PRIMARY KEY (agent, namespace)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
	agent TEXT NOT NULL,
	id    TEXT NOT NULL,
	body  TEXT NOT NULL, -- the stored note as JSON
	PRIMARY KEY (agent, id)
) STRICT;

CREATE TABLE dismissals (
	agent       TEXT NOT NULL,
	kind        TEXT NOT NULL,
	closed_as   TEXT NOT NULL,
	count       INTEGER NOT NULL,
	last_reason TEXT NOT NULL,
	last_at     INTEGER NOT NULL,
	PRIMARY KEY (agent, kind, closed_as)
) STRICT, WITHOUT ROWID;
