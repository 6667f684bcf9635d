-- Results that are dear to compute, the history of finished items, broken invariants.

CREATE TABLE footprints (
	agent   TEXT NOT NULL,
	base    TEXT NOT NULL,
	head    TEXT NOT NULL,
	version INTEGER NOT NULL,
	body    TEXT NOT NULL, -- the footprint as JSON
	at      INTEGER NOT NULL,
	PRIMARY KEY (agent, base, head, version)
) STRICT;
CREATE INDEX footprints_by_age ON footprints (agent, at);

-- low and high are the two heads in byte order.
CREATE TABLE predictions (
	agent TEXT NOT NULL,
	low   TEXT NOT NULL,
	high  TEXT NOT NULL,
	files TEXT NOT NULL, -- the conflicting files as JSON
	at    INTEGER NOT NULL,
	PRIMARY KEY (agent, low, high)
) STRICT;
CREATE INDEX predictions_by_age ON predictions (agent, at);

CREATE TABLE closed_items (
	agent       TEXT NOT NULL,
	item        TEXT NOT NULL,
	intent      TEXT NOT NULL,
	branch      TEXT NOT NULL,
	head        TEXT NOT NULL,
	last_pushed TEXT NOT NULL,
	status      TEXT NOT NULL,
	closed_at   INTEGER NOT NULL,
	PRIMARY KEY (agent, item)
) STRICT;

CREATE TABLE bugs (
	agent    TEXT NOT NULL,
	place    TEXT NOT NULL,
	what     TEXT NOT NULL,
	count    INTEGER NOT NULL,
	first_at INTEGER NOT NULL,
	last_at  INTEGER NOT NULL,
	PRIMARY KEY (agent, place)
) STRICT;
