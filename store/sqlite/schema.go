package sqlite

import (
	"context"
	"errors"
	"fmt"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// applicationID marks the file as ours in its header (PRAGMA application_id): "QRRY".
const applicationID = 0x51525259

// migrations lead from one schema to the next, PRAGMA user_version being the number of those applied. Entries are
// appended, never changed: files of every release are out there.
//
// The schema of version 1:
//
//	model_meta   metadata, see the Meta… keys of package store
//	state        one row: the generation counts the commits, so that other processes can tell what they hold is stale;
//	             last_chunk is the highest chunk id in use
//	notes        a note and its file. digest is the first 64 bits of SHA-256(path). The note's chunks have the ids
//	             first_chunk … first_chunk+chunks-1. tags, aliases and frontmatter are JSON. links_checksum covers the
//	             rows of links, checksum the rest but the file facts (size, mtime_ns, inode, content_hash); both are CRC-32C.
//	chunks       the passages, idx counted from 0 within the note. outer_headings is JSON: the headings around those of the section, outermost
//	             first. checksum is CRC-32C of the rest but mtime_ns and embedded_at
//	chunks_fts   full text over chunks, kept in step by explicit delete and insert
//	lengths      words per chunk as FTS5 counts them: chunk id is entry id%512 of block id/512; 32 bits each, little endian
//	vectors      chunk id is slot id%256 of block id/256: 256 scales (float32, little endian; 0 is an empty slot), then
//	             256 rows of int8, then the CRC-32C of all this. A component is its int8 times the slot's scale
//	rank_data    opaque data for the second stage of ranking
//	links        outgoing links as written. flags: 1 embed, 2 Markdown, 4 external, 8 hidden, 16 in the frontmatter,
//	             32 the relation stands in the brackets
//	problems     what is not indexed as it stands, of the last run
//	runs         the runs that changed something
//	files, tags  views for other programs
//
// Version 2 adds:
//
//	chunks       aliases, index_text, pairs and characters: what the columns of chunks_fts of the same names hold, NULL for
//	             most. pairs and characters are text as Segment in package store cuts it. checksum covers index_text too
//	chunks_fts   these columns
//	outlines     headings (JSON, each "2Text" with its level before it) and block_ids (JSON) of notes that have any.
//	             checksum is CRC-32C of both
//	other_files  the vault's files that are no notes. checksum is CRC-32C of the path
//
// Version 3 adds:
//
//	notes        sensitivity, the class, "" for the usual one; NULL in rows of older versions, which knew none, and read as
//	             private, so that nothing gets out before the notes are read again. redactions is JSON, [{"name", "count"}],
//	             NULL for none. checksum covers both unless sensitivity is NULL
//	redactions   a view of the latter for other programs
//
// Version 4 adds:
//
//	notes        an index of what decides who may see a note, which a search for others than the owner reads as a whole
//	state        erased, the generation as of which no free byte of the file holds what was deleted; NULL where that is
//	             not known, as in files of older versions before a full run
//
// Version 5 adds:
//
//	note_edges   the links of a note that lead to notes: a JSON list with, for each kind and rule, a list of kind, rule and an
//	             object that has by the ord of table links the id of the note it leads to. checksum is CRC-32C of note and edges.
//	             Which notes link to one is found by reading all
//	note_figures what the graph says of a note: pagerank and weight in millionths, and how many other notes link to it (inbound)
//	             and are linked from it (outbound). checksum is CRC-32C of all this
//	note_ids     a view of the ids of notes, of which those of passages are made
//	resolved_links, figures  views of the tables above
//	edges        a view of the links that lead to notes, one row an occurrence, and of what follows from the order of passages
//	             (belongs_to, next, prev). What types of notes imply is not in it
//
// Version 6 adds:
//
//	chunks       identifiers, what the column of chunks_fts of that name holds, NULL for most
//	chunks_fts   this column, and stems in place of words
//	rank_data    anew, as no version before wrote it: tokens of the model, in the form of package interaction. checksum is CRC-32C
//	             of id and data
//	note_vectors the unit sum of the vectors of a note's passages, of notes that have any: int8, a component is its int8 times scale.
//	             checksum is CRC-32C of all this
//	token_frequencies  one row: for each token of the model, in order, the number of passages whose rank_data holds it, as unsigned
//	             LEB128, then the CRC-32C of all this. No row: no passage has rank_data
var migrations = []string{`
CREATE TABLE model_meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE state(
  id INTEGER PRIMARY KEY CHECK(id = 1), generation INTEGER NOT NULL, notes INTEGER NOT NULL, chunks INTEGER NOT NULL,
  last_chunk INTEGER NOT NULL, dimension INTEGER NOT NULL);
INSERT INTO state VALUES(1, 0, 0, 0, 0, 0);
CREATE TABLE notes(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest INTEGER NOT NULL,
  first_chunk INTEGER NOT NULL, chunks INTEGER NOT NULL,
  size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, content_hash NOT NULL,
  declared_id TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL,
  domain TEXT NOT NULL, source TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL, tags TEXT, aliases TEXT,
  embedded_at REAL NOT NULL, checksum INTEGER NOT NULL, links_checksum INTEGER NOT NULL, frontmatter TEXT);
CREATE INDEX notes_digest ON notes(digest);
CREATE INDEX notes_declared ON notes(declared_id) WHERE declared_id <> '';
CREATE INDEX notes_archived ON notes(first_chunk, chunks) WHERE status = 'archived' COLLATE NOCASE;
CREATE TABLE chunks(
  id INTEGER PRIMARY KEY, file_path TEXT NOT NULL, section TEXT NOT NULL, chunk_text TEXT NOT NULL,
  heading_context TEXT NOT NULL, mtime_ns INTEGER NOT NULL, embedded_at REAL NOT NULL,
  note INTEGER NOT NULL, idx INTEGER NOT NULL, outer_headings TEXT, line_start INTEGER NOT NULL, line_end INTEGER NOT NULL,
  checksum INTEGER NOT NULL);
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  chunk_text, section, heading_context, content='chunks', content_rowid='id', tokenize='unicode61');
CREATE TABLE lengths(block INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE vectors(block INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE rank_data(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE links(
  note INTEGER NOT NULL, ord INTEGER NOT NULL, target TEXT NOT NULL, subpath TEXT NOT NULL, display TEXT NOT NULL,
  relation TEXT NOT NULL, flags INTEGER NOT NULL, line INTEGER NOT NULL, chunk_ord INTEGER NOT NULL,
  PRIMARY KEY(note, ord)) WITHOUT ROWID;
CREATE TABLE problems(path TEXT NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, line INTEGER);
CREATE TABLE runs(
  generation INTEGER PRIMARY KEY, mode TEXT NOT NULL, notes_written INTEGER NOT NULL, notes_deleted INTEGER NOT NULL,
  embedded_at REAL);
CREATE VIEW files AS SELECT id AS note, path, size, mtime_ns, inode, content_hash FROM notes;
CREATE VIEW tags AS SELECT notes.id AS note, tag.value AS tag FROM notes, json_each(notes.tags) AS tag;
`, `
ALTER TABLE chunks ADD COLUMN aliases TEXT;
ALTER TABLE chunks ADD COLUMN index_text TEXT;
ALTER TABLE chunks ADD COLUMN pairs TEXT;
ALTER TABLE chunks ADD COLUMN characters TEXT;
DROP TABLE chunks_fts;
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  chunk_text, section, heading_context, aliases, index_text, pairs, characters,
  content='chunks', content_rowid='id', tokenize='unicode61');
INSERT INTO chunks_fts(chunks_fts) VALUES('rebuild');
CREATE TABLE outlines(note INTEGER PRIMARY KEY, headings TEXT, block_ids TEXT, checksum INTEGER NOT NULL);
CREATE TABLE other_files(path TEXT PRIMARY KEY, checksum INTEGER NOT NULL) WITHOUT ROWID;
-- What is new of the notes comes with a full run, which is asked for where the settings are others.
DELETE FROM model_meta WHERE key = 'settings';
UPDATE state SET generation = generation + 1;
`, `
ALTER TABLE notes ADD COLUMN sensitivity TEXT;
ALTER TABLE notes ADD COLUMN redactions TEXT;
CREATE VIEW redactions AS SELECT notes.id AS note, json_extract(entry.value, '$.name') AS name,
  json_extract(entry.value, '$.count') AS count FROM notes, json_each(notes.redactions) AS entry;
-- Classes and counts come with a full run, which is asked for where the settings are others.
DELETE FROM model_meta WHERE key = 'settings';
UPDATE state SET generation = generation + 1;
`, `
CREATE INDEX notes_class ON notes(path, sensitivity, first_chunk, chunks);
ALTER TABLE state ADD COLUMN erased INTEGER;
-- What older versions deleted goes with a full run, which is asked for where the settings are others.
DELETE FROM model_meta WHERE key = 'settings';
UPDATE state SET generation = generation + 1;
UPDATE state SET erased = generation WHERE generation = 3; -- the changes of schema alone: nothing was ever stored
`, `
CREATE TABLE note_edges(note INTEGER PRIMARY KEY, edges TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE note_figures(
  note INTEGER PRIMARY KEY, pagerank INTEGER NOT NULL, inbound INTEGER NOT NULL, outbound INTEGER NOT NULL,
  weight INTEGER NOT NULL, checksum INTEGER NOT NULL);
CREATE VIEW note_ids AS SELECT id AS note, path, CASE
    WHEN declared_id <> ''
      AND NOT EXISTS (SELECT 1 FROM notes AS other WHERE other.path IN (n.declared_id, n.declared_id || '.md') AND other.id <> n.id)
      AND NOT EXISTS (SELECT 1 FROM notes AS other
        WHERE other.declared_id = n.declared_id AND other.declared_id <> '' AND other.id <> n.id) THEN declared_id
    WHEN substr(path, -3) = '.md' AND NOT EXISTS (SELECT 1 FROM notes AS other
      WHERE other.path = substr(n.path, 1, length(n.path) - 3)) THEN substr(path, 1, length(path) - 3)
    ELSE path END AS note_id
  FROM notes AS n;
CREATE VIEW resolved_links AS
  SELECT n.note AS note, CAST(e.key AS INTEGER) AS ord, e.value AS target, json_extract(g.value, '$[0]') AS kind,
    json_extract(g.value, '$[1]') AS rule_id FROM note_edges AS n, json_each(n.edges) AS g, json_each(g.value, '$[2]') AS e;
CREATE VIEW edges AS
  SELECT source.note_id AS note_id, source.path AS source, target.path AS target,
    r.kind AS kind,
    CASE WHEN l.chunk_ord > 0 THEN 'chunk' ELSE 'note' END AS scope,
    CASE WHEN l.chunk_ord > 0 THEN printf('%s#c%02d', source.note_id, l.chunk_ord - 1) ELSE '' END AS chunk_id,
    r.rule_id AS rule_id, CASE r.rule_id WHEN 'inline:rel' THEN 0.95 ELSE 1.0 END AS confidence,
    l.line AS line
  FROM resolved_links AS r JOIN links AS l ON l.note = r.note AND l.ord = r.ord
    JOIN note_ids AS source ON source.note = r.note JOIN notes AS target ON target.id = r.target
  UNION ALL
  SELECT n.note_id, printf('%s#c%02d', n.note_id, c.idx), n.path, 'belongs_to', 'chunk', printf('%s#c%02d', n.note_id, c.idx),
    'structure:belongs_to', 1.0, c.line_start FROM chunks AS c JOIN note_ids AS n ON n.note = c.note
  UNION ALL
  SELECT n.note_id, printf('%s#c%02d', n.note_id, c.idx - 1), printf('%s#c%02d', n.note_id, c.idx), 'next', 'chunk',
    printf('%s#c%02d', n.note_id, c.idx - 1), 'structure:next', 1.0, before.line_start
    FROM chunks AS c JOIN note_ids AS n ON n.note = c.note JOIN chunks AS before ON before.id = c.id - 1 WHERE c.idx > 0
  UNION ALL
  SELECT n.note_id, printf('%s#c%02d', n.note_id, c.idx), printf('%s#c%02d', n.note_id, c.idx - 1), 'prev', 'chunk',
    printf('%s#c%02d', n.note_id, c.idx), 'structure:prev', 1.0, c.line_start
    FROM chunks AS c JOIN note_ids AS n ON n.note = c.note WHERE c.idx > 0;
CREATE VIEW figures AS SELECT notes.path AS path, f.pagerank / 1e6 AS pagerank, f.inbound AS inbound, f.outbound AS outbound,
  f.weight / 1e6 AS weight FROM note_figures AS f JOIN notes ON notes.id = f.note;
-- Edges and figures come with a full run, which is asked for where the settings are others.
DELETE FROM model_meta WHERE key = 'settings';
UPDATE state SET generation = generation + 1, erased = CASE WHEN erased = generation THEN generation + 1 ELSE erased END;
`, `
ALTER TABLE chunks ADD COLUMN identifiers TEXT;
DROP TABLE chunks_fts;
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  chunk_text, section, heading_context, aliases, index_text, pairs, characters, identifiers,
  content='chunks', content_rowid='id', tokenize='porter unicode61');
INSERT INTO chunks_fts(chunks_fts) VALUES('rebuild');
DROP TABLE rank_data;
CREATE TABLE rank_data(id INTEGER PRIMARY KEY, data BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE note_vectors(note INTEGER PRIMARY KEY, scale REAL NOT NULL, data BLOB NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE token_frequencies(id INTEGER PRIMARY KEY CHECK(id = 1), data BLOB NOT NULL);
-- What is new of the passages comes with a full run, which is asked for where the settings are others.
DELETE FROM model_meta WHERE key = 'settings';
UPDATE state SET generation = generation + 1, erased = CASE WHEN erased = generation THEN generation + 1 ELSE erased END;
`}

// ourTables are some of the tables that every version of our schema has and other programs' databases have not.
const ourTables = `SELECT count(*) FROM sqlite_schema WHERE name IN ('chunks', 'chunks_fts', 'model_meta', 'notes', 'state')`

// checkVersion tells whether the file's schema fits: nil, ErrNewer, ErrForeign, ErrDamaged, errOlder or errEmpty. It looks at one
// state of the file: another process may be making it.
func checkVersion(ctx context.Context, c *engine.Conn) error {
	if c.InTransaction() {
		return checkState(ctx, c)
	}
	if err := c.Exec("BEGIN"); err != nil {
		return wrap(ctx, "read the header", err)
	}
	err := checkState(ctx, c)
	if end := c.Exec("ROLLBACK"); err == nil {
		err = wrap(ctx, "read the header", end)
	}
	return err
}

func checkState(ctx context.Context, c *engine.Conn) error {
	id, err := c.Int("PRAGMA application_id")
	if err != nil {
		return wrap(ctx, "read the header", err)
	}
	version, err := c.Int("PRAGMA user_version")
	if err != nil {
		return wrap(ctx, "read the header", err)
	}
	switch {
	case id == applicationID && version == int64(len(migrations)):
		return checkTables(ctx, c, version)
	case id == applicationID && version > int64(len(migrations)):
		return fmt.Errorf("%w (schema %d, this one knows %d)", store.ErrNewer, version, len(migrations))
	case id == applicationID && version > 0:
		return errOlder
	}
	objects, err := c.Int("SELECT count(*) FROM sqlite_schema")
	if err != nil {
		return wrap(ctx, "read the schema", err)
	}
	if id == 0 && version == 0 && objects == 0 {
		return errEmpty
	}
	found, err := c.Int(ourTables)
	if err != nil {
		return wrap(ctx, "read the schema", err)
	}
	if found == 5 {
		return damaged("the header of the file is not ours, its tables are")
	}
	return store.ErrForeign
}

// checkTables finds the tables of version 5 as they were before its release.
func checkTables(ctx context.Context, c *engine.Conn, version int64) error {
	if version < 5 {
		return nil
	}
	known, err := c.Int("SELECT count(*) FROM pragma_table_info('note_edges') WHERE name = 'edges'")
	if err == nil && known == 0 {
		return damaged("its tables are of a version that was never released")
	}
	return wrap(ctx, "read the schema", err)
}

// migrate brings the schema up to date in one transaction. It finds out anew where to start, since another process may
// have been faster.
func migrate(ctx context.Context, c *engine.Conn) error {
	if err := c.Script(fmt.Sprintf("PRAGMA page_size = %d; PRAGMA journal_mode = WAL", pageBytes)); err != nil {
		return wrap(ctx, "set up the log", err)
	}
	if err := c.Exec("BEGIN IMMEDIATE"); err != nil {
		return wrap(ctx, "migrate", err)
	}
	err := migrateLocked(ctx, c)
	if err == nil {
		err = wrap(ctx, "migrate", c.Exec("COMMIT"))
	}
	if err != nil && c.InTransaction() {
		_ = c.Exec("ROLLBACK") // the first error is the one to tell
	}
	return err
}

func migrateLocked(ctx context.Context, c *engine.Conn) error {
	if err := checkVersion(ctx, c); !errors.Is(err, errOlder) && !errors.Is(err, errEmpty) {
		return err
	}
	version, err := c.Int("PRAGMA user_version")
	if err != nil {
		return wrap(ctx, "read the header", err)
	}
	for _, script := range migrations[version:] {
		if err := c.Script(script); err != nil {
			return wrap(ctx, "migrate", err)
		}
	}
	if version < noteVectorVersion && len(migrations) >= noteVectorVersion {
		if err := fillNoteVectors(c); err != nil {
			return wrap(ctx, "migrate", err)
		}
	}
	header := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(migrations))
	return wrap(ctx, "migrate", c.Script(header))
}
