package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestBlockSettings holds that each mistake in the tables of blocks, of the session and of captures is told with its line and a hint.
func TestBlockSettings(t *testing.T) {
	var many strings.Builder
	for i := range 65 {
		fmt.Fprintf(&many, "[blocks.b%d]\nquery = \"x\"\n", i)
	}
	for text, want := range map[string]string{
		"[blocks.a]\nquery = \"x\"\nqery = 1\n":                                    `config.toml:3: blocks.a.qery: there is no such key|did you mean query?`,
		"[blocks.a]\nquery = \"x\"\n[blocks.a.filters]\ntags = \"x\"\n":            `config.toml:4: blocks.a.filters.tags: there is no such key|did you mean tag?`,
		"[blocks.a]\nquery = \"x\"\nfilters = {links-to = \"x\"}\n":                `config.toml:3: blocks.a.filters.links-to: there is no such key|did you mean links_to?`,
		"[blocks.a]\nmax_tokens = 100\n":                                           `config.toml:1: blocks.a: a block needs a query|query = "what`,
		"[blocks.a]\nquery = \" \"\n":                                              `config.toml:2: blocks.a.query: a block needs a query|query = "what`,
		"[blocks.a]\nquery = 3\n":                                                  `config.toml:2: blocks.a.query takes a text in quotes|docs/configuration.md`,
		"blocks = 3\n":                                                             `config.toml:1: blocks takes a table|docs/configuration.md`,
		"[blocks]\na = \"x\"\n":                                                    `config.toml:2: blocks.a takes a table|docs/configuration.md`,
		"[blocks.a]\nquery = \"x\"\nmax_tokens = \"9\"\n":                          `config.toml:3: blocks.a.max_tokens takes a whole number|docs/configuration.md`,
		"[blocks.a]\nquery = \"x\"\nmax_tokens = 49\n":                             `config.toml:3: blocks.a.max_tokens: 49 is out of range|max_tokens takes 50 to 100000`,
		"[blocks.a]\nquery = \"x\"\nttl_hours = 0\n":                               `config.toml:3: blocks.a.ttl_hours: 0 is out of range|above 0`,
		"[blocks.a]\nquery = \"x\"\nttl_hours = nan\n":                             `config.toml:3: blocks.a.ttl_hours: NaN is out of range|above 0`,
		"[blocks.a]\nquery = \"x\"\nttl_hours = true\n":                            `config.toml:3: blocks.a.ttl_hours takes a number of hours|docs/configuration.md`,
		"[blocks.a]\nquery = \"x\"\nfilters = 3\n":                                 `config.toml:3: blocks.a.filters takes a table|docs/configuration.md`,
		"[blocks.a]\nquery = \"x\"\nfilters.tag = [1]\n":                           `config.toml:3: blocks.a.filters.tag: it takes a text in quotes, or a list of texts|docs/configuration.md`,
		"[blocks.a]\nquery = \"x\"\nfilters.tag = 2026-01-31\n":                    `config.toml:3: blocks.a.filters.tag: it takes a text in quotes, or a list of texts|docs/configuration.md`,
		"[blocks.a]\nquery = \"x\"\nfilters.since = \"sometime\"\n":                `config.toml:3: blocks.a.filters.since: there is no date "sometime"|dates are`,
		"[blocks.a]\nquery = \"x\"\nfilters.since = 2026-01-31\n":                  `config.toml:3: blocks.a.filters.since takes a text in quotes|docs/configuration.md`,
		"[blocks.a]\nquery = \"x\"\nfilters.hops = 99\nfilters.links_to = \"x\"\n": `config.toml:3: blocks.a.filters.hops: 99 is out of range|hops takes 1 to`,
		"[blocks.a]\nquery = \"x\"\nfilters.links_to = \" \"\n":                    `config.toml:3: blocks.a.filters.links_to: " " names no note|links_to takes a note`,
		"[blocks.a]\nquery = \"x\"\nfilters.include_archived = \"yes\"\n":          `config.toml:3: blocks.a.filters.include_archived takes true or false|docs/configuration.md`,
		"[blocks.\"a b\"]\nquery = \"x\"\n":                                        `config.toml:1: blocks.a b: "a b" is no name of a block|letters, digits`,
		"[blocks.\"\"]\nquery = \"x\"\n":                                           `is no name of a block|letters, digits`,
		many.String():                                                              `config.toml:129: blocks.b64: there are 65 blocks, and 64 are the most|take some out`,
		"[session]\nblock_token = 3\n":                                             `config.toml:2: session.block_token: there is no such key|did you mean block_tokens?`,
		"[session]\nblock_tokens = 0\n":                                            `config.toml:2: session.block_tokens: 0 is out of range|takes 1 to`,
		"[session]\nblock_tokens = 1.5\n":                                          `config.toml:2: session.block_tokens takes a whole number of tokens|docs/configuration.md`,
		"session = 8000\n":                                                         `config.toml:1: session takes a table|docs/configuration.md`,
		"[capture]\nfolder = \"/etc\"\n":                                           `config.toml:2: capture.folder: no note can be captured into this folder: it lies outside of the vault|below the vault`,
		"[capture]\nfolder = \".trash\"\n":                                         `config.toml:2: capture.folder: no note can be captured into this folder: folders whose names begin|below the vault`,
		"[capture]\nfolder = \"\"\n":                                               `config.toml:2: capture.folder: no note can be captured into this folder: it has no name|below the vault`,
		"[capture]\nfolder = [\"a\"]\n":                                            `config.toml:2: capture.folder takes a text in quotes|docs/configuration.md`,
		"[capture]\nfolders = \"a\"\n":                                             `config.toml:2: capture.folders: there is no such key|did you mean folder?`,
	} {
		h := newHome(t)
		h.put(h.config, text)
		message, hint, _ := strings.Cut(want, "|")
		code, out, talk := h.run("", "block", "list")
		if code != 1 || out != "" || !strings.Contains(talk, message) || !strings.Contains(talk[strings.Index(talk, "\nhint: ")+1:], hint) {
			t.Errorf("%q:\n%d %s%s\nwant %s", text, code, out, talk, want)
		}
		h.put(h.config, "")
		h.put(".quarry.toml", text)
		if code, _, talk := h.run("", "block", "list"); code != 1 || !strings.Contains(talk, strings.ReplaceAll(message, "config.toml", filepath.Join(h.vault, ".quarry.toml"))) {
			t.Errorf("in the vault %q:\n%d %s", text, code, talk)
		}
	}
}

// The order is that of the file, whichever way the tables are written.
func TestBlocksInTheirOrder(t *testing.T) {
	h := newHome(t)
	h.put("a.md", "# A\n\nWords.\n")
	for text, want := range map[string]string{
		"[blocks.z]\nquery = \"x\"\n[blocks.a]\nquery = \"x\"\n[blocks.m]\nquery = \"x\"\n":            "z a m v",
		"blocks.z.query = \"x\"\nblocks.a.query = \"x\"\nblocks.m = {query = \"x\"}\n":                 "z a m v",
		"[blocks]\nz = {query = \"x\"}\na.query = \"x\"\nm.query = \"x\"\n":                            "z a m v",
		"[blocks.z.filters]\ntag = \"x\"\n[blocks.a]\nquery = \"x\"\n[blocks.z]\nquery = \"x\"\n":      "z a v",
		"[blocks.v]\nquery = \"of the user\"\n[blocks.zz]\nquery = \"x\"\n[blocks.a]\nquery = \"x\"\n": "v zz a",
	} {
		for _, own := range []bool{true, false} {
			h.put(h.config, text)
			h.put(".quarry.toml", "[blocks.v]\nquery = \"of the vault\"\n")
			if !own {
				want = strings.TrimSuffix(want, " v")
				h.put(".quarry.toml", "")
			}
			_, out, talk := h.run("", "block", "list", "--quiet")
			var names []string
			for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
				if i > 0 {
					names = append(names, strings.Fields(line)[0])
				}
			}
			if got := strings.Join(names, " "); got != want {
				t.Errorf("%q: %s, want %s\n%s", text, got, want, talk)
			}
		}
	}
}

// The tables that the documents show are taken.
func TestBlockDocuments(t *testing.T) {
	for _, path := range []string{"docs/blocks.md", "docs/capture.md"} {
		for _, fence := range fences(t, path, "toml") {
			h := newHome(t)
			h.put("a.md", "# A\n")
			h.put(h.config, fence)
			if code, _, talk := h.run("", "block", "list"); code != 0 {
				t.Errorf("%s: %s", path, talk)
			}
		}
	}
}
