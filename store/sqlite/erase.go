package sqlite

import (
	"context"
	"os"

	"quarry/store"
	"quarry/store/sqlite/internal/postings"
)

// What was deleted or replaced is to be gone from the bytes of the file and of its log when the run has ended:
//
//   - SQLite overwrites what it frees with zeros (PRAGMA secure_delete);
//   - FTS5 keeps the words of deleted passages until it merges segments. Package postings takes them out, or all segments
//     are merged where they are many;
//   - when SQLite spreads rows over other pages, it leaves copies of them in the free middle of the old ones, secure_delete
//     or not: these are cleared;
//   - the log is emptied last. A reader of an older state keeps it from that; then the next run does it, or the last
//     connection when it closes.
//
// The second and third are done in the one transaction of a full run, and after the last one of an incremental run. Column
// erased of table state tells the next run that this one did not come to it.

// remnants is what a run knows of deleted text that is still in the file.
type remnants struct {
	words     []postings.Occurrence // in the full text
	maxWords  int                   // to be listed, 0 as long as it is not known
	tooMany   bool                  // words: all segments are to be merged
	clean     bool                  // there were none when the run began
	everyPage bool                  // pages were written that the log does not name any more
}

const (
	// Taking words out takes as long as merging some hundred times as many, and some 40 bytes each while they are listed.
	mergedWordsPerErased = 128
	fewErasedWords       = 1 << 14
	manyErasedWords      = 1 << 20
	// FTS5 cuts longer words off here.
	maxWordBytes = 32768
	// How long the end of a run waits for readers that need the log.
	logWaitMilliseconds = 100
	// From this many bytes on SQLite itself begins the log anew: PRAGMA wal_autocheckpoint, 1000 pages.
	fullLogBytes = 1000 * pageBytes
)

// dropWords drops the words of a passage from the full text.
func (u *update) dropWords(id store.PassageID, texts *[store.Columns]string) error {
	if err := u.writeWords(deleteWords, id, texts); err != nil {
		return err
	}
	r := &u.remnants
	if u.mode == store.Full || r.tooMany { // the segments are merged in the end
		return nil
	}
	if r.maxWords == 0 {
		x, err := postings.Open(u.conn, fullTextTable, store.Columns)
		if err != nil {
			return err
		}
		r.maxWords = int(min(max(x.Words/mergedWordsPerErased, fewErasedWords), manyErasedWords))
	}
	for _, text := range texts {
		if text == "" {
			continue
		}
		words, err := u.conn.Tokens(text)
		if err != nil {
			return err
		}
		for _, word := range words {
			r.words = append(r.words, postings.Occurrence{Word: word[:min(len(word), maxWordBytes)], Row: int64(id)})
		}
	}
	if len(r.words) > r.maxWords {
		r.words, r.tooMany = nil, true
	}
	return nil
}

// eraseWords takes the dropped words out of the segments of the full text.
func (u *update) eraseWords() error {
	switch r := &u.remnants; {
	case r.tooMany, !r.clean:
		return u.mergeWords()
	case len(r.words) == 0:
		return nil
	default:
		return postings.Erase(u.conn, fullTextTable, r.words)
	}
}

// mergeWords merges all segments of the full text into one without marks of deletion. FTS5 leaves a single segment as it is,
// marks and all, so it gets another one beside. It keeps the marks where it knows of a level below, an empty one too, and
// so it may have done in what it merged by itself: it is not to do more of that.
func (u *update) mergeWords() error {
	unused, err := u.conn.Int("SELECT last_chunk + 1 FROM state WHERE id = 1")
	if err != nil {
		return err
	}
	if err := u.conn.Script(mergeAtEnd); err != nil {
		return err
	}
	texts := [store.Columns]string{store.ColumnText: "x"}
	for _, statement := range []string{insertWords, deleteWords} {
		if err := u.writeWords(statement, store.PassageID(unused), &texts); err != nil {
			return err
		}
	}
	if err := u.conn.Script("SAVEPOINT words; RELEASE words"); err != nil { // lets FTS5 write what it has gathered
		return err
	}
	if err := postings.DropEmptyLevels(u.conn, fullTextTable); err != nil {
		return err
	}
	if err := u.conn.Script("SAVEPOINT words; ROLLBACK TO words; RELEASE words"); err != nil { // lets it read the segments anew
		return err
	}
	return u.conn.Script(mergeNow + mergeByTheWay)
}

// Commands to FTS5.
const (
	mergeAtEnd = `INSERT INTO chunks_fts(chunks_fts, rank) VALUES('automerge', 0);
		INSERT INTO chunks_fts(chunks_fts, rank) VALUES('crisismerge', 1000);`
	mergeNow      = `INSERT INTO chunks_fts(chunks_fts) VALUES('optimize');`
	mergeByTheWay = `INSERT INTO chunks_fts(chunks_fts, rank) VALUES('automerge', 2);
		INSERT INTO chunks_fts(chunks_fts, rank) VALUES('crisismerge', 16);`
)

// noteLog looks after a commit whether the log may begin anew, so that it will not name the pages written so far.
func (r *remnants) noteLog(path string) {
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() >= fullLogBytes {
		r.everyPage = true
	}
}

// erase clears what is left of deleted text at the end of a run. Where that fails, the next run does it: the index as such
// is well.
func (u *update) erase() {
	err := u.clear()
	if err == nil && (u.changed || !logIsEmpty(u.store.path)) {
		err = u.emptyLog()
	}
	if err != nil {
		u.abandon()
		u.store.logger.Warn("what was deleted is not erased yet", "error", wrap(context.Background(), "erase", err))
	}
}

// emptyLog copies the log into the file and cuts it off, so that the next process need not read it.
func (u *update) emptyLog() error {
	wait := 0
	if u.changed {
		wait = logWaitMilliseconds
	}
	u.conn.BusyTimeout(wait)
	busy, err := u.conn.Int("PRAGMA wal_checkpoint(TRUNCATE)")
	if busy != 0 {
		u.store.logger.Debug("a reader needs the log")
	}
	return err
}

// clear takes deleted words out of the full text and clears the free middle of the pages that this run has written, or of
// all where an earlier run did not.
func (u *update) clear() error {
	erased, err := u.conn.Int("SELECT erased IS NULL OR erased = generation FROM state WHERE id = 1")
	if err != nil || erased != 0 { // NULL: older versions left more than this, until a full run
		return err
	}
	if err := u.conn.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := u.eraseWords(); err != nil {
		return err
	}
	if err := u.conn.Exec("COMMIT"); err != nil {
		return err
	}
	u.remnants.noteLog(u.store.path)
	if err := u.conn.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if u.remnants.clean && !u.remnants.everyPage {
		var pages []int64
		if pages, err = loggedPages(u.store.path + "-wal"); err == nil {
			err = u.clearPages(pages)
		}
	} else {
		err = u.clearEveryPage()
	}
	if err != nil {
		return err
	}
	return u.conn.Exec("COMMIT")
}

func (u *update) clearEveryPage() error {
	pages, err := allPages(u.conn)
	if err != nil {
		return err
	}
	return u.clearPages(pages)
}

// clearPages clears the free middles and notes that there are no remnants.
func (u *update) clearPages(pages []int64) error {
	for _, number := range pages {
		if err := clearMiddle(u.conn, number); err != nil {
			return err
		}
	}
	return u.conn.Exec("UPDATE state SET erased = generation")
}

// clearFree clears the free pages of a file in which older versions deleted, so that nothing is in them when they are used.
func (u *update) clearFree() error {
	known, err := u.conn.Int("SELECT erased IS NOT NULL FROM state WHERE id = 1")
	if err != nil || known != 0 {
		return err
	}
	if err := clearFreePages(u.conn); err != nil {
		return err
	}
	return u.conn.Exec("UPDATE state SET erased = -1")
}
