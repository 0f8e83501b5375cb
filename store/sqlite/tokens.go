package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"sync"

	"quarry/internal/interaction"
	"quarry/store"
	"quarry/store/sqlite/internal/engine"
)

// tokenCounts are numbers of passages by the token of the model that their data hold, without zeros at the end.
type tokenCounts []uint32

// add counts the tokens of a passage's data; none where there are no data.
func (t *tokenCounts) add(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	return interaction.EachToken(data, func(token uint16) {
		if missing := int(token) + 1 - len(*t); missing > 0 {
			*t = append(*t, make(tokenCounts, missing)...)
		}
		(*t)[token]++
	})
}

// remove takes the tokens of a passage's data off.
func (t *tokenCounts) remove(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	isCounted := true
	err := interaction.EachToken(data, func(token uint16) {
		if int(token) >= len(*t) || (*t)[token] == 0 {
			isCounted = false
			return
		}
		(*t)[token]--
	})
	if err != nil || !isCounted {
		return errors.Join(err, errNotCounted)
	}
	for len(*t) > 0 && (*t)[len(*t)-1] == 0 {
		*t = (*t)[:len(*t)-1]
	}
	return nil
}

var errNotCounted = errors.New("a token was not counted")

// of gives the counts of some tokens.
func (t tokenCounts) of(tokens []uint16) []int {
	counts := make([]int, len(tokens))
	for i, token := range tokens {
		if int(token) < len(t) {
			counts[i] = int(t[token])
		}
	}
	return counts
}

// pack writes the counts as table token_frequencies has them.
func (t tokenCounts) pack() []byte {
	data := make([]byte, 0, 2*len(t))
	for _, count := range t {
		data = binary.AppendUvarint(data, uint64(count))
	}
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli))
}

const maxTokens = 1 << 16

// unpackTokens reads what pack wrote of an index of so many passages.
func unpackTokens(data []byte, passages int64) (tokenCounts, error) {
	end := len(data) - crc32.Size
	if end < 1 || binary.LittleEndian.Uint32(data[end:]) != crc32.Checksum(data[:end], castagnoli) {
		return nil, errFrequencies
	}
	var counts tokenCounts
	for data = data[:end]; len(data) > 0; {
		count, size := binary.Uvarint(data)
		if size <= 0 || count > uint64(passages) || len(counts) == maxTokens {
			return nil, errFrequencies
		}
		counts, data = append(counts, uint32(count)), data[size:]
	}
	if counts[len(counts)-1] == 0 {
		return nil, errFrequencies
	}
	return counts, nil
}

var errFrequencies = damaged("the frequencies of tokens are not as they were written")

// readTokens reads the counts of all passages.
func readTokens(c *engine.Conn, passages int64) (counts tokenCounts, err error) {
	s, err := c.Prepare("SELECT data FROM token_frequencies")
	if err != nil {
		return nil, err
	}
	err = s.Each(func() (err error) {
		counts, err = unpackTokens(s.Raw(0), passages)
		return err
	})
	if err == nil && counts == nil {
		err = noRankData(c)
	}
	return counts, err
}

// noRankData is an error where a passage has data, whose tokens are counted nowhere.
func noRankData(c *engine.Conn) error {
	s, err := c.Prepare("SELECT 1 FROM rank_data LIMIT 1")
	if err != nil {
		return err
	}
	return s.Each(func() error { return errFrequencies })
}

// tokenWriter keeps the counts in step, and writes them once a transaction.
type tokenWriter struct {
	conn    *engine.Conn
	counts  tokenCounts
	isRead  bool
	changed bool
}

// change makes the counts ready for a change.
func (w *tokenWriter) change() (err error) {
	if !w.isRead {
		w.counts, err = readTokens(w.conn, maxChunks)
	}
	w.isRead, w.changed = err == nil, true
	return err
}

func (w *tokenWriter) flush() error {
	if !w.changed {
		return nil
	}
	w.changed = false
	if len(w.counts) == 0 {
		return w.conn.Exec("DELETE FROM token_frequencies")
	}
	return w.conn.Exec("REPLACE INTO token_frequencies VALUES(1, ?)", w.counts.pack())
}

func (u *update) writeRankData(id store.PassageID, data []byte) error {
	if data == nil {
		return nil
	}
	err := u.tokens.change()
	if err == nil {
		err = u.tokens.counts.add(data)
	}
	if err != nil {
		return fmt.Errorf("rank data: %w", err)
	}
	return u.conn.Exec("INSERT INTO rank_data VALUES(?, ?, ?)", int64(id), data, sumOfRankData(int64(id), data))
}

// dropRankData drops the data of a passage, if it has any.
func (u *update) dropRankData(id store.PassageID) error {
	s, err := u.conn.Prepare("SELECT id, data, checksum FROM rank_data WHERE id = ?")
	if err != nil {
		return err
	}
	s.BindInt(0, int64(id))
	isThere := false
	err = s.Each(func() error {
		isThere = true
		data, err := rawRankData(s)
		if err == nil {
			err = u.tokens.change()
		}
		if err == nil && u.tokens.counts.remove(data) != nil {
			err = damaged("the tokens of passage %d were not counted", id)
		}
		return err
	})
	if err != nil || !isThere {
		return err
	}
	return u.conn.Exec("DELETE FROM rank_data WHERE id = ?", int64(id))
}

// rawRankData checks a row of table rank_data. The data are valid until the statement goes on.
func rawRankData(s *engine.Stmt) ([]byte, error) {
	data := s.Raw(1)
	if sumOfRankData(s.Int(0), data) != s.Int(2) {
		return nil, damaged("the data of passage %d are not as they were written", s.Int(0))
	}
	return data, nil
}

func sumOfRankData(id int64, data []byte) int64 {
	var head [8]byte
	binary.LittleEndian.PutUint64(head[:], uint64(id))
	return int64(crc32.Update(crc32.Checksum(head[:], castagnoli), castagnoli, data))
}

// RankData fetches the opaque data of passages. They are not to be changed.
func (v *snapshot) RankData(ctx context.Context, ids []store.PassageID) ([][]byte, error) {
	data := make([][]byte, len(ids))
	err := v.read(ctx, "fetch ranking data", func(c *engine.Conn) error {
		kept := v.resident.keptRankData(v.state.lastChunk)
		s, err := c.Prepare("SELECT id, data, checksum FROM rank_data WHERE id = ?")
		if err != nil {
			return err
		}
		for i, id := range ids {
			if data[i] = kept.of(id); data[i] != nil {
				continue
			}
			s.BindInt(0, int64(id))
			err := s.Each(func() error {
				raw, err := rawRankData(s)
				data[i] = append([]byte{}, raw...)
				return err
			})
			if err != nil {
				return err
			}
			kept.keep(id, data[i])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// rankDataKept are data of passages that were asked for, in memory: what questions bring is often the same. It is safe for concurrent
// use; nil keeps nothing.
type rankDataKept struct {
	mu   sync.Mutex
	data [][]byte // by id
	size int      // bytes, of the list too
}

// maxRankDataBytes bounds what is kept: all data of some 200,000 passages.
const maxRankDataBytes = 32 << 20

const sliceBytes = 24 // of a slice in a list, without what it holds

// keptRankData is nil at the first question: a process that asks once needs no more than that. It is nil, too, where the list alone
// would take more than there is, as it would for a million and a half passages.
func (r *resident) keptRankData(last int64) *rankDataKept {
	r.mu.Lock()
	defer r.mu.Unlock()
	listBytes := (last + 1) * sliceBytes
	if r.rankAsked++; r.rankAsked < 2 || listBytes > maxRankDataBytes {
		return nil
	}
	if r.rankData == nil {
		r.rankData = &rankDataKept{data: make([][]byte, last+1), size: int(listBytes)}
	}
	return r.rankData
}

func (k *rankDataKept) of(id store.PassageID) []byte {
	if k == nil || id < 0 || int(id) >= len(k.data) {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.data[id]
}

func (k *rankDataKept) keep(id store.PassageID, data []byte) {
	if k == nil || data == nil || id < 0 || int(id) >= len(k.data) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.data[id] == nil && k.size+len(data) <= maxRankDataBytes {
		k.data[id] = data
		k.size += len(data)
	}
}

// TokenFrequencies counts passages by token.
func (v *snapshot) TokenFrequencies(ctx context.Context, tokens []uint16, among *store.Set) ([]int, error) {
	var counts []int
	err := v.read(ctx, "count tokens", func(c *engine.Conn) error {
		p, err := v.population(c, among)
		if err != nil {
			return err
		}
		all, err := p.tokens(func() (tokenCounts, error) {
			if p.members == nil {
				return readTokens(c, v.state.chunks)
			}
			return v.tokensOf(c, p.members)
		})
		counts = all.of(tokens)
		return err
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// tokensOf counts the tokens of a part of the passages, or takes those of the rest off, whichever are fewer.
func (v *snapshot) tokensOf(c *engine.Conn, members *store.Set) (tokenCounts, error) {
	live, err := v.livePassages(c)
	if err != nil {
		return nil, err
	}
	rest := live.Clone()
	for id := range members.All() {
		rest.Remove(id)
	}
	if members.Len() <= rest.Len() {
		var counts tokenCounts
		return counts, eachRankData(c, members, func(data []byte) error { return counts.add(data) })
	}
	whole, err := v.resident.whole.tokens(func() (tokenCounts, error) { return readTokens(c, v.state.chunks) })
	if err != nil {
		return nil, err
	}
	counts := slices.Clone(whole)
	err = eachRankData(c, rest, counts.remove)
	return counts, err
}

// eachRankData visits the data of a set of passages.
func eachRankData(c *engine.Conn, set *store.Set, visit func(data []byte) error) error {
	s, err := c.Prepare("SELECT id, data, checksum FROM rank_data WHERE id = ?")
	if err != nil {
		return err
	}
	for id := range set.All() {
		s.BindInt(0, int64(id))
		err := s.Each(func() error {
			data, err := rawRankData(s)
			if err == nil && visit(data) != nil {
				err = damaged("the data of passage %d are no tokens", id)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
