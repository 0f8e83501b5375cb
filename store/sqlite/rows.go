package sqlite

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// jsonList writes a list of texts as JSON, "" for none. Bytes that are no UTF-8 become U+FFFD there, which is why no
// path or text is kept this way.
func jsonList(list []string) string {
	if len(list) == 0 {
		return ""
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		panic(err) //nolint:forbidigo // strings always encode
	}
	return string(encoded)
}

// jsonRedactions writes the counts as JSON, "" for none.
func jsonRedactions(list []store.Redaction) string {
	if len(list) == 0 {
		return ""
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		panic(err) //nolint:forbidigo // strings and numbers always encode
	}
	return string(encoded)
}

func parseRedactions(encoded []byte) ([]store.Redaction, error) {
	if len(encoded) == 0 {
		return nil, nil
	}
	var list []store.Redaction
	if err := json.Unmarshal(encoded, &list); err != nil {
		return nil, damaged("the redactions of a note are no JSON")
	}
	return list, nil
}

func parseList(encoded []byte) ([]string, error) {
	if len(encoded) == 0 {
		return nil, nil
	}
	var list []string
	if err := json.Unmarshal(encoded, &list); err != nil {
		return nil, damaged("a list is no JSON")
	}
	return list, nil
}

// nullIfEmpty keeps empty texts out of the row.
func nullIfEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// packHash stores a hex digest in half the room, and anything else as it is.
func packHash(hash string) any {
	if raw, err := hex.DecodeString(hash); err == nil && len(raw) > 0 && hex.EncodeToString(raw) == hash {
		return raw
	}
	return hash
}

func unpackHash(s *engine.Stmt, column int) string {
	if s.IsText(column) {
		return s.Text(column)
	}
	return hex.EncodeToString(s.Raw(column))
}

// digestKey is the first 64 bits of the SHA-256 of a path, as SQLite's signed integer. In signed order the digests that
// begin with a set bit come first; neighbours within each half are those of the unsigned order, and across the halves
// not even the first digit is shared, so the neighbours tell how long a DocID has to be all the same.
func digestKey(path string) int64 { return keyOfDigits(store.PathDigest(path)[:digestDigits]) }

// digestDigits are the hex digits of a digest that the key holds.
const digestDigits = 16

func keyOfDigits(digits string) int64 {
	key, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		panic(err) //nolint:forbidigo // hex of our own
	}
	return int64(key)
}

// sharedDigits counts the hex digits that two keys begin with in common, at most 16.
func sharedDigits(a, b int64) int { return bits.LeadingZeros64(uint64(a)^uint64(b)) / 4 }

// Flags of a link.
const (
	flagEmbed = 1 << iota
	flagMarkdown
	flagExternal
	flagHidden
	flagFromField
	flagRelationInside
)

func flagsOf(l *store.Link) int64 {
	var flags int64
	for i, set := range []bool{l.Embed, l.Markdown, l.External, l.Hidden, l.FromField, l.RelationInside} {
		if set {
			flags |= 1 << i
		}
	}
	return flags
}

// readLink reads the columns of linkColumns from column on.
func readLink(s *engine.Stmt, column int) store.Link {
	flags := s.Int(column + 4)
	return store.Link{
		Target: s.Text(column), Subpath: s.Text(column + 1), Display: s.Text(column + 2), Relation: s.Text(column + 3),
		Embed: flags&flagEmbed != 0, Markdown: flags&flagMarkdown != 0, External: flags&flagExternal != 0,
		Hidden: flags&flagHidden != 0, FromField: flags&flagFromField != 0,
		RelationInside: flags&flagRelationInside != 0,
		Line:           int(s.Int(column + 5)), ChunkOrd: int(s.Int(column + 6)),
	}
}

const (
	linkColumnCount = 7
	linkColumns     = "target, subpath, display, relation, flags, line, chunk_ord"
	noteColumns     = "id, path, digest, first_chunk, chunks, size, mtime_ns, inode, content_hash, declared_id, kind, title, type, " +
		"status, domain, source, created, updated, tags, aliases, embedded_at, checksum, sensitivity, redactions"
	passageColumns = "id, note, idx, file_path, section, chunk_text, heading_context, outer_headings, line_start, line_end, checksum, index_text"
)

// noteRow is a row of notes with what the contract does not show.
type noteRow struct {
	store.Note
	id     int64
	digest int64
	first  store.PassageID
	chunks int
}

// readNote reads the columns of noteColumns and checks the sum.
func readNote(s *engine.Stmt) (*noteRow, error) {
	r := &noteRow{id: s.Int(0), digest: s.Int(2), first: store.PassageID(s.Int(3)), chunks: int(s.Int(4))}
	r.Path, r.PassageCount = s.Text(1), r.chunks
	r.SizeBytes, r.ModifiedNanoseconds, r.Inode = s.Int(5), s.Int(6), uint64(s.Int(7))
	r.ContentHash = unpackHash(s, 8)
	for i, field := range []*string{
		&r.DeclaredID, &r.Kind, &r.Title, &r.Type, &r.Status, &r.Domain, &r.Source, &r.Created, &r.Updated,
	} {
		*field = s.Text(9 + i)
	}
	var err error
	if r.Tags, err = parseList(s.Raw(18)); err != nil {
		return nil, err
	}
	if r.Aliases, err = parseList(s.Raw(19)); err != nil {
		return nil, err
	}
	if r.Redactions, err = parseRedactions(s.Raw(23)); err != nil {
		return nil, err
	}
	r.EmbeddedAtUnix, r.Sensitivity = s.Float(20), s.Text(22)
	lists := noteLists{tags: string(s.Raw(18)), aliases: string(s.Raw(19)), redactions: string(s.Raw(23)), unclassed: s.IsNull(22)}
	if s.Int(21) != sumOfNote(&r.Note, lists, span{r.first, r.chunks}) {
		return nil, damaged("the row of a note is not as it was written")
	}
	if lists.unclassed {
		r.Sensitivity = unknownClass
	}
	return r, nil
}

// unknownClass is the class of notes that an older version has written, which knew none.
const unknownClass = "private"

// noteLists are the columns of a note that are packed, as they are stored.
type noteLists struct {
	tags, aliases, redactions string
	unclassed                 bool // written by an older version, without class and redactions
}

func packLists(n *store.Note) noteLists {
	return noteLists{tags: jsonList(n.Tags), aliases: jsonList(n.Aliases), redactions: jsonRedactions(n.Redactions)}
}

// headingSeparator stands between the headings of a section.
const headingSeparator = " > "

// packHeadings leaves out of the heading path what the section says already: its last headings, joined. A path that does
// not end so is wrapped in a second list.
func packHeadings(p *store.Passage) string {
	said := sectionHeadings(p.Section)
	outer := len(p.HeadingPath) - len(said)
	if outer >= 0 && slices.Equal(p.HeadingPath[outer:], said) {
		return jsonList(p.HeadingPath[:outer])
	}
	if len(p.HeadingPath) == 0 {
		return "[[]]"
	}
	return "[" + jsonList(p.HeadingPath) + "]"
}

func unpackHeadings(packed []byte, section string) ([]string, error) {
	if bytes.HasPrefix(packed, []byte("[[")) {
		path, err := parseList(packed[1 : len(packed)-1])
		if len(path) == 0 {
			path = nil
		}
		return path, err
	}
	path, err := parseList(packed)
	return append(path, sectionHeadings(section)...), err
}

func sectionHeadings(section string) []string {
	if section == "" {
		return nil
	}
	return strings.Split(section, headingSeparator)
}

// readPassage reads the columns of passageColumns and checks the sum.
func readPassage(s *engine.Stmt) (p store.Passage, note int64, err error) {
	p = store.Passage{
		ID: store.PassageID(s.Int(0)), Index: int(s.Int(2)), Path: s.Text(3), Section: s.Text(4), Text: s.Text(5),
		HeadingContext: s.Text(6), LineStart: int(s.Int(8)), LineEnd: int(s.Int(9)), IndexText: s.Text(11),
	}
	headings := s.Raw(7)
	if s.Int(10) != sumOfPassage(&p, string(headings)) {
		return p, 0, damaged("the row of a passage is not as it was written")
	}
	p.HeadingPath, err = unpackHeadings(headings, p.Section)
	return p, s.Int(1), err
}
