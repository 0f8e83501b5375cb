package ledger

// migrations are the steps of the schema, from an empty file on. A step that was published never changes. Times are seconds since
// 1970, 0 where unknown; JSON columns hold the types of package intake, without secrets.
var migrations = []string{`
-- signals: what came in. mark is the first of its keys, hashed; note_path and note_hash are of the note that was written of it.
CREATE TABLE signals (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	mark TEXT NOT NULL UNIQUE,
	state TEXT NOT NULL CHECK (state IN ('new', 'queued', 'routed', 'dropped', 'duplicate')),
	channel TEXT NOT NULL,
	title TEXT NOT NULL,
	domain TEXT NOT NULL DEFAULT '',
	composite REAL,
	note_path TEXT NOT NULL DEFAULT '',
	note_hash TEXT NOT NULL DEFAULT '',
	duplicate_of INTEGER REFERENCES signals (id),
	fingerprint INTEGER NOT NULL DEFAULT 0,
	seen_at INTEGER NOT NULL,
	changed_at INTEGER NOT NULL,
	signal TEXT NOT NULL,
	score TEXT NOT NULL DEFAULT ''
);
CREATE INDEX signals_by_state ON signals (state, id);
CREATE TABLE keys (key BLOB PRIMARY KEY, signal INTEGER NOT NULL REFERENCES signals (id)) WITHOUT ROWID;

-- events: each change of a signal, by the rules or the user. feedback is what was learnt by it; undone_by the event that took it back.
CREATE TABLE events (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	at INTEGER NOT NULL,
	signal INTEGER REFERENCES signals (id),
	verb TEXT NOT NULL,
	by_user INTEGER NOT NULL,
	state_before TEXT NOT NULL DEFAULT '', state_after TEXT NOT NULL DEFAULT '',
	domain_before TEXT NOT NULL DEFAULT '', domain_after TEXT NOT NULL DEFAULT '',
	detail TEXT NOT NULL DEFAULT '',
	feedback TEXT NOT NULL DEFAULT '',
	undone_by INTEGER REFERENCES events (id)
);
CREATE INDEX events_by_signal ON events (signal, id);
CREATE INDEX events_by_time ON events (at);

CREATE TABLE feeds (
	address TEXT PRIMARY KEY,
	name TEXT NOT NULL DEFAULT '',
	page TEXT NOT NULL DEFAULT '',
	folder TEXT NOT NULL DEFAULT '[]',
	added_at INTEGER NOT NULL,
	etag TEXT NOT NULL DEFAULT '',
	last_modified TEXT NOT NULL DEFAULT '',
	asked_at INTEGER NOT NULL DEFAULT 0,
	next_at INTEGER NOT NULL DEFAULT 0,
	fault TEXT NOT NULL DEFAULT '',
	faults INTEGER NOT NULL DEFAULT 0,
	is_gone INTEGER NOT NULL DEFAULT 0
);

-- values: what there is one of, by name: learnt (JSON of intake.Adjustments), learnt_from (the event before which nothing counts).
CREATE TABLE "values" (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`}
