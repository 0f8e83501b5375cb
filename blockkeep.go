package quarry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quarry/internal/keep"
)

// blockForm changes when blocks are written or kept in another way, so that older ones do not count.
const blockForm = "1"

// Bounds of the clocks that blocks go by.
const (
	blockClockSlack = time.Minute // a block from further in the future than that does not count
	blockStray      = time.Hour   // a file half written is of a process that was killed
)

// keptBlock is a block as it lies on disk, in a file of its own.
type keptBlock struct {
	MadeOf  string          `json:"made_of"` // hash of all that decides about it, beside the notes
	Rules   string          `json:"rules"`   // hash of what of that is the same for all audiences
	Built   time.Time       `json:"built"`
	Status  string          `json:"status"`
	Text    string          `json:"text"`
	Sources []ContextSource `json:"sources"`
	Notes   []keptNote      `json:"notes"` // whose text or name is in it
	Sum     string          `json:"sum"`   // of all other fields
}

// keptNote is a note that a block was made of.
type keptNote struct {
	Path string `json:"path"` // stored
	Hash string `json:"hash"` // of the content that the block was made of, "" where that is not known
}

// fill puts what is kept into a block.
func (k *keptBlock) fill(b *Block) {
	b.Status, b.Text, b.Sources, b.Tokens = k.Status, k.Text, k.Sources, tokensOf(k.Text)
	if !k.Built.IsZero() {
		b.Built = k.Built.UTC().Format(time.RFC3339)
	}
}

// sum identifies what is kept: a file that was damaged does not count.
func (k keptBlock) sum() string {
	k.Sum = ""
	encoded, err := json.Marshal(k)
	if err != nil {
		return ""
	}
	return hashOf(encoded)
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func (e *Engine) blockFolder() keep.Folder {
	return keep.Folder{Dir: filepath.Join(e.StateDir(), "blocks")}
}

// blockFile is the file of a block: a name that is safe everywhere, and another one for each audience.
func blockFile(audience, name string) string {
	return "block-" + hashOf([]byte(blockForm + "\x00" + audience + "\x00" + name))[:24] + ".json"
}

// blockRules identifies how notes are read, and who may see them.
func (e *Engine) blockRules() string {
	return hashOf([]byte(strings.Join([]string{blockForm, e.settings, e.rulesHash, e.readingHash, e.place}, "\x00")))
}

// madeOf identifies what decides about a block beside the notes: what it asks, by which settings, for whom, and the day where its
// filters count from one.
func (e *Engine) madeOf(config BlockConfig) (string, error) {
	now := e.now()
	filter, err := config.Filter.Filter(now)
	if err != nil {
		return "", err
	}
	day := ""
	if query := strings.ToLower(config.Query); strings.Contains(query, "since:") || strings.Contains(query, "until:") {
		day = now.Format(time.DateOnly)
	}
	encoded, err := json.Marshal([]any{
		e.blockRules(), e.audienceMark(), config.Name, config.Query, filter, day, e.blockTokens(config), e.config.Ranking, e.config.NoModel, e.config.ModelDir, e.config.Folders,
		e.config.Dialect,
	})
	return hashOf(encoded), err
}

// keptBlock reads what is kept of a block, and tells whether it counts.
func (e *Engine) keptBlock(ctx context.Context, config BlockConfig) (*keptBlock, string) {
	kept := e.readBlock(blockFile(e.audienceMark(), config.Name))
	if kept == nil {
		return nil, BlockMissing
	}
	madeOf, err := e.madeOf(config)
	age := e.now().Sub(kept.Built)
	switch {
	case err != nil || madeOf != kept.MadeOf || !e.isAsItWas(ctx, kept, e.isHiddenFolder):
		return nil, BlockChanged
	case age < -blockClockSlack || age >= ttlOf(config):
		return nil, BlockExpired
	case len(kept.Notes) == 0:
		return nil, BlockEmpty
	}
	return kept, BlockFresh
}

// readBlock gives nil where nothing is kept in a file that can be read.
func (e *Engine) readBlock(file string) *keptBlock {
	content, err := e.blockFolder().Read(file)
	if err != nil {
		return nil
	}
	var kept keptBlock
	if json.Unmarshal(content, &kept) != nil || kept.Sum == "" || kept.Sum != kept.sum() || len(kept.Notes) == 0 && kept.Text != "" {
		return nil
	}
	return &kept
}

// isAsItWas tells whether each note of a block is there with the content that it was made of, at a place that is not hidden: what the
// content says of its class was looked at then, and the rules for that are part of what the block is made of.
func (e *Engine) isAsItWas(ctx context.Context, kept *keptBlock, isHidden func(name string) bool) bool {
	real := e.realNames(ctx)
	for _, n := range kept.Notes {
		name, ok := real(n.Path)
		if !ok || n.Hash == "" || isHidden(name) || e.vault.Ignored(name) || e.contentHash(ctx, name) != n.Hash {
			return false
		}
	}
	return true
}

// contentHash is that of a file as it is now, "" where it cannot be read.
func (e *Engine) contentHash(ctx context.Context, name string) string {
	raw, _, err := e.vault.Read(ctx, name)
	if err != nil {
		return ""
	}
	return hashOf(raw)
}

// buildBlock makes a block of the index and keeps it, where it can be told when it is out of date. Of an empty one it keeps that it
// is. What was kept of it before goes.
func (e *Engine) buildBlock(ctx context.Context, config BlockConfig) (*keptBlock, []string, error) {
	filter, err := config.Filter.Filter(e.now())
	if err != nil {
		return nil, nil, err
	}
	built := &keptBlock{Built: e.now().UTC().Truncate(time.Second), Rules: e.blockRules()}
	if built.MadeOf, err = e.madeOf(config); err != nil {
		return nil, nil, err
	}
	before, err := e.indexGeneration(ctx)
	if err != nil {
		return nil, nil, err
	}
	head := "# Notes: " + config.Name + "\n"
	answer, err := e.Context(ctx, ContextRequest{Topic: config.Query, MaxTokens: max(e.blockTokens(config)-tokensOf(head), 1), Filter: filter})
	if err != nil {
		return nil, nil, err
	}
	built.Status, built.Sources = answer.Status, answer.Sources
	if _, quoted, ok := strings.Cut(answer.Text, "\n"); ok { // the query may be of whoever wrote into the vault: it is not said as ours
		built.Text = head + quoted
	}
	isSame, err := e.noteHashes(ctx, built, before)
	if err != nil {
		return nil, nil, err
	}
	file := blockFile(e.audienceMark(), config.Name)
	if isSame && len(answer.Notices) == 0 && len(built.Notes) > 0 && e.keepBlock(ctx, file, built) {
		return built, nil, nil
	}
	empty := &keptBlock{MadeOf: built.MadeOf, Rules: built.Rules, Built: built.Built}
	if len(built.Notes) > 0 || !e.keepBlock(ctx, file, empty) {
		e.dropBlock(file)
	}
	built.Built = time.Time{}
	return built, answer.Notices, nil
}

// keepBlock writes a block, and tells whether it counts. Its notes are looked at once more when it lies there: whoever dropped the
// old one since they changed has been here already.
func (e *Engine) keepBlock(ctx context.Context, file string, built *keptBlock) bool {
	if !e.isAsItWas(ctx, built, e.isHiddenFolder) {
		return false
	}
	built.Sum = built.sum()
	encoded, err := json.Marshal(built)
	if err == nil {
		err = e.blockFolder().Write(file, encoded)
	}
	if err != nil {
		e.warn("keep a block", err)
		return false
	}
	return e.isAsItWas(ctx, built, e.isHiddenFolder)
}

func (e *Engine) dropBlock(file string) {
	if err := e.blockFolder().Remove(file); err != nil {
		e.warn("drop a block", err)
	}
}

// indexGeneration identifies the state of the index.
func (e *Engine) indexGeneration(ctx context.Context) (any, error) {
	v, err := e.searched(ctx)
	if err != nil {
		return nil, err
	}
	return v.generation, v.Close()
}

// noteHashes lists the notes of a block with the hashes of the content that the index has of them. It tells whether the index is
// still the one that the block was made of.
func (e *Engine) noteHashes(ctx context.Context, built *keptBlock, generation any) (isSame bool, err error) {
	v, err := e.searched(ctx)
	if err != nil {
		return false, err
	}
	var paths []string
	for _, s := range built.Sources {
		paths = append(append(paths, s.FilePath, s.Map), s.Beside...)
		if s.Via != nil {
			paths = append(paths, s.Via.Path)
		}
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		if path == "" {
			continue
		}
		n, ok, noteErr := v.Note(ctx, path)
		if noteErr != nil {
			err = fmt.Errorf("read the notes of a block: %w", noteErr)
			break
		}
		kept := keptNote{Path: path}
		if ok {
			kept.Hash = n.ContentHash
		}
		built.Notes = append(built.Notes, kept)
	}
	isSame = v.generation == generation
	if closeErr := v.Close(); err == nil {
		err = closeErr
	}
	return isSame, err
}

// eraseBlocks drops what is kept of notes that have changed or gone, or that other rules are for, for whatever audience, and blocks
// that the configuration does not have any more: after a run of the index nothing of them is on disk.
func (e *Engine) eraseBlocks(ctx context.Context) {
	folder := e.blockFolder()
	files, err := folder.Names()
	if err != nil {
		e.warn("drop blocks", err)
	}
	isNobodys := func(string) bool { return false } // rules are as they were
	for _, file := range files {
		kept := e.readBlock(file)
		if kept == nil || kept.Rules != e.blockRules() || !e.isConfigured(file) || !e.isAsItWas(ctx, kept, isNobodys) {
			e.dropBlock(file)
		}
	}
	if err := folder.RemoveStrays(e.now().Add(-blockStray)); err != nil {
		e.warn("drop blocks", err)
	}
}

// isConfigured tells whether a file is that of a block of the configuration, for one of the audiences.
func (e *Engine) isConfigured(file string) bool {
	return slices.ContainsFunc(e.config.Blocks, func(b BlockConfig) bool {
		return slices.ContainsFunc(audienceMarks, func(mark string) bool { return blockFile(mark, b.Name) == file })
	})
}
