package archtest_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// layers is the architecture: for each package, the packages of this module that it may import. Data flows one way:
// index is the write path, search the read path, and they meet in store's types alone.
var layers = map[string][]string{
	// The engine wires everything below it together.
	"quarry": {
		"quarry/vault", "quarry/secret", "quarry/note", "quarry/chunk", "quarry/graph", "quarry/brief",
		"quarry/embedding", "quarry/embedding/model2vec", "quarry/internal/vector", "quarry/internal/dialect", "quarry/internal/spelling",
		"quarry/internal/sensitivity", "quarry/internal/notetype", "quarry/internal/date", "quarry/health",
		"quarry/store", "quarry/store/sqlite", "quarry/store/memory", "quarry/store/visible", "quarry/index", "quarry/search",
		"quarry/internal/watch", "quarry/internal/capture", "quarry/internal/draft", "quarry/internal/keep",
	},

	// Bytes or values in, values out.
	"quarry/vault":                {},
	"quarry/secret":               {"quarry/secret/internal/pattern", "quarry/internal/spelling"},
	"quarry/internal/dialect":     {},
	"quarry/internal/date":        {},
	"quarry/internal/sensitivity": {},
	"quarry/note":                 {"quarry/secret", "quarry/internal/dialect", "quarry/internal/lazyregexp"},
	"quarry/chunk":                {"quarry/note", "quarry/secret"},
	"quarry/graph":                {"quarry/graph/internal/likely", "quarry/store", "quarry/internal/dialect", "quarry/internal/filename", "quarry/internal/spelling", "quarry/internal/steering", "quarry/internal/lazyregexp"},
	"quarry/health":               {"quarry/graph", "quarry/store", "quarry/internal/spelling", "quarry/internal/notetype"},
	"quarry/internal/notetype":    {"quarry/internal/spelling", "quarry/internal/lazyregexp"},
	"quarry/brief":                {"quarry/internal/steering"},
	"quarry/internal/vector":      {},
	"quarry/internal/steering":    {},
	"quarry/internal/spelling":    {},
	"quarry/internal/capture":     {"quarry/internal/draft"},
	"quarry/internal/keep":        {}, // files that can be thrown away
	"quarry/internal/compress":    {"quarry/internal/lazyregexp"},
	"quarry/internal/watch":       {}, // events of folders, no vault

	"quarry/internal/filename":   {},
	"quarry/internal/lazyregexp": {}, // expressions that no start pays for

	// What comes from elsewhere: signals and other apps' notes. They know nothing of the index, nor of each other.
	"quarry/internal/markdown": {"quarry/internal/steering", "quarry/internal/lazyregexp"},
	"quarry/internal/draft":    {"quarry/internal/steering", "quarry/internal/lazyregexp"},
	"quarry/internal/fetch":    {},
	"quarry/intake":            {"quarry/internal/draft", "quarry/internal/lazyregexp"},
	"quarry/intake/source":     {"quarry/intake", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/intake/ledger":     {"quarry/intake", "quarry/internal/draft"},
	"quarry/intake/triage":     {"quarry/intake", "quarry/intake/source", "quarry/intake/ledger", "quarry/internal/fetch", "quarry/internal/draft", "quarry/internal/markdown", "quarry/secret", "quarry/vault"},
	"quarry/internal/layout":   {"quarry/vault"},
	"quarry/convert/export":    {"quarry/internal/draft"},
	"quarry/convert":           append([]string{"quarry/convert/export", "quarry/internal/draft", "quarry/internal/lazyregexp", "quarry/internal/markdown", "quarry/internal/filename", "quarry/secret", "quarry/vault"}, formats...),

	"quarry/convert/internal/applenotes": {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/convert/internal/bear":       {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/convert/internal/docx":       {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/convert/internal/evernote":   {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/convert/internal/joplin":     {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/convert/internal/logseq":     {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/convert/internal/plain":      {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/convert/internal/notion":     {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/convert/internal/roam":       {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp"},
	"quarry/convert/internal/takeout":    {"quarry/convert/export", "quarry/internal/draft", "quarry/internal/markdown", "quarry/internal/lazyregexp", "quarry/convert/internal/docx"},

	"quarry/secret/internal/pattern": {},
	"quarry/graph/internal/likely":   {"quarry/internal/dialect", "quarry/internal/filename", "quarry/internal/spelling"},

	// Vectors.
	"quarry/embedding":            {},
	"quarry/internal/interaction": {"quarry/embedding", "quarry/internal/vector"},
	"quarry/embedding/model2vec":  {"quarry/embedding", "quarry/internal/vector"},

	// A program of its own, which makes the file of the built-in model.
	"quarry/embedding/model2vec/internal/compact": {"quarry/embedding/model2vec"},

	// What is kept.
	"quarry/store":           {},
	"quarry/store/sqlite":    {"quarry/store", "quarry/store/sqlite/internal/engine", "quarry/store/sqlite/internal/postings", "quarry/internal/vector", "quarry/internal/interaction"},
	"quarry/store/memory":    {"quarry/store", "quarry/internal/vector", "quarry/internal/interaction"},
	"quarry/store/visible":   {"quarry/store"},
	"quarry/store/storetest": {"quarry/store", "quarry/internal/interaction"},

	"quarry/store/sqlite/internal/engine":   {},
	"quarry/store/sqlite/internal/postings": {"quarry/store/sqlite/internal/engine"},

	// The two paths.
	"quarry/index":  {"quarry/vault", "quarry/secret", "quarry/internal/dialect", "quarry/internal/sensitivity", "quarry/note", "quarry/chunk", "quarry/embedding", "quarry/store", "quarry/graph", "quarry/internal/notetype", "quarry/internal/interaction"},
	"quarry/search": {"quarry/store", "quarry/embedding", "quarry/internal/interaction", "quarry/internal/date", "quarry/internal/lazyregexp"},

	// Front doors: they hold an engine, never a store.
	"quarry/internal/eval":       {"quarry"},
	"quarry/internal/budget":     {"quarry"}, // what of a list is handed out
	"quarry/internal/failure":    {"quarry"}, // errors as clients get them
	"quarry/internal/mcpserver":  {"quarry", "quarry/internal/budget", "quarry/internal/failure", "quarry/internal/steering", "quarry/internal/spelling"},
	"quarry/internal/httpserver": {"quarry", "quarry/internal/budget", "quarry/internal/failure", "quarry/internal/mcpserver", "quarry/internal/steering"},
	"quarry/internal/hook":       {"quarry", "quarry/brief", "quarry/internal/compress", "quarry/internal/keep"},
	"quarry/internal/setup":      {}, // files of other programs
	"quarry/internal/cli": {
		"quarry", "quarry/internal/budget", "quarry/internal/mcpserver", "quarry/internal/httpserver", "quarry/internal/hook", "quarry/internal/compress", "quarry/internal/setup",
		"quarry/internal/eval", "quarry/internal/steering", "quarry/internal/spelling", "quarry/internal/lazyregexp",
		"quarry/convert", "quarry/convert/export", "quarry/intake", "quarry/intake/source", "quarry/intake/ledger", "quarry/intake/triage", "quarry/internal/layout",
	},
	"quarry/cmd/quarry": {"quarry/internal/cli"},

	"quarry/internal/archtest": {},
}

// formats are the readers of other apps' exports, which know nothing of each other.
var formats = []string{
	"quarry/convert/internal/applenotes", "quarry/convert/internal/bear", "quarry/convert/internal/docx", "quarry/convert/internal/evernote", "quarry/convert/internal/joplin",
	"quarry/convert/internal/logseq", "quarry/convert/internal/plain", "quarry/convert/internal/notion", "quarry/convert/internal/roam", "quarry/convert/internal/takeout",
}

// owners names the packages that alone may import a dependency, or what lies below it.
var owners = map[string][]string{
	"modernc.org":                            {"quarry/store/sqlite", "quarry/store/sqlite/internal/engine", "quarry/intake/ledger"},
	"database/sql":                           {"quarry/store/sqlite", "quarry/store/sqlite/internal/engine", "quarry/intake/ledger"},
	"github.com/yuin/goldmark":               {"quarry/note"},
	"gonum.org":                              {"quarry/graph"},
	"go.yaml.in":                             {"quarry/note", "quarry/internal/notetype", "quarry/intake"},
	"github.com/spf13/cobra":                 {"quarry/internal/cli"},
	"github.com/spf13/pflag":                 {"quarry/internal/cli"},
	"github.com/schollz/progressbar":         {"quarry/internal/cli"},
	"github.com/modelcontextprotocol/go-sdk": {"quarry/internal/mcpserver"},
	"github.com/fsnotify/fsnotify":           {"quarry/internal/watch"},
	"github.com/tailscale/hujson":            {"quarry/internal/setup"},
	"golang.org/x/time":                      {"quarry/internal/httpserver"},
	"github.com/JohannesKaufmann":            {"quarry/internal/markdown"},
	"codeberg.org/readeck":                   {"quarry/intake/source"},
	"github.com/jhillyerd/enmime":            {"quarry/intake/source"},
	"github.com/mmcdole/gofeed":              {"quarry/intake/source"},
}

// pure names the packages that know no file, network, environment or clock.
var pure = []string{
	"quarry/internal/markdown", "quarry/internal/draft", "quarry/intake", "quarry/intake/source",
	"quarry/secret", "quarry/secret/internal/pattern", "quarry/internal/compress", "quarry/internal/dialect", "quarry/internal/date", "quarry/internal/sensitivity", "quarry/internal/notetype", "quarry/note", "quarry/chunk", "quarry/graph", "quarry/health", "quarry/search", "quarry/store", "quarry/embedding",
}

// impure names what a pure package may not import.
var impure = []string{"os", "net", "syscall", "io/ioutil", "database/sql", "path/filepath", "golang.org/x/sys"}

// formsOfText lie below an impure package and read text alone.
var formsOfText = []string{"net/url", "net/mail", "net/textproto", "net/netip"}

// vagueNames say nothing of what a package is about.
var vagueNames = []string{"util", "utils", "common", "helper", "helpers", "model", "models", "manager", "misc", "base", "shared"}

func TestLayers(t *testing.T) {
	packages := loadModule(t)
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		report(t, layerFaults(packages[name]))
		report(t, ownerFaults(packages[name]))
		report(t, pureFaults(packages[name]))
		report(t, nameFaults(packages[name]))
		report(t, cycleFaults(packages, packages[name]))
	}
}

// TestLayersTable holds the table against itself: it has no unknown names, no cycles, and keeps the two paths apart.
func TestLayersTable(t *testing.T) {
	for name, allowed := range layers {
		for _, other := range allowed {
			if _, ok := layers[other]; !ok {
				t.Errorf("%s may import %s, which is not in the table", name, other)
			}
			if slices.Contains(reach(layers, other), name) {
				t.Errorf("%s and %s may import each other", name, other)
			}
		}
	}
	if slices.Contains(reach(layers, "quarry/index"), "quarry/search") {
		t.Error("the write path reaches the read path")
	}
	if slices.Contains(reach(layers, "quarry/search"), "quarry/index") {
		t.Error("the read path reaches the write path")
	}
}

func report(t *testing.T, faults []string) {
	t.Helper()
	for _, fault := range faults {
		t.Error(fault)
	}
}

// layerFaults lists imports within the module that the table does not allow. Tests may import more: see cycleFaults.
func layerFaults(p *goPackage) []string {
	allowed, ok := layers[p.Path]
	if !ok {
		return []string{p.Path + " is not in the table of layers"}
	}
	var faults []string
	for _, name := range p.imports(false) {
		if within(name, modulePath) && !slices.Contains(allowed, name) {
			faults = append(faults, fmt.Sprintf("%s must not import %s", p.Path, name))
		}
	}
	return faults
}

// ownerFaults lists imports of dependencies that another package owns.
func ownerFaults(p *goPackage) []string {
	var faults []string
	for _, name := range p.imports(false) {
		for _, dependency := range slices.Sorted(maps.Keys(owners)) {
			if within(name, dependency) && !slices.Contains(owners[dependency], p.Path) {
				faults = append(faults, fmt.Sprintf("%s must not import %s: only %s may", p.Path, name, strings.Join(owners[dependency], ", ")))
			}
		}
	}
	return faults
}

// pureFaults lists what ties a pure package to the machine that it runs on.
func pureFaults(p *goPackage) []string {
	if !slices.Contains(pure, p.Path) {
		return nil
	}
	var faults []string
	for _, name := range p.imports(false) {
		if !slices.Contains(formsOfText, name) && slices.ContainsFunc(impure, func(prefix string) bool { return within(name, prefix) }) {
			faults = append(faults, fmt.Sprintf("%s is pure and must not import %s", p.Path, name))
		}
	}
	for _, s := range p.production() {
		for _, use := range s.uses("time", "Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker", "AfterFunc") {
			faults = append(faults, use+" in a pure package")
		}
	}
	return faults
}

// nameFaults lists names of packages that say nothing.
func nameFaults(p *goPackage) []string {
	names := []string{path.Base(p.Path)}
	for _, s := range p.production() {
		names = append(names, s.File.Name.Name)
	}
	for _, name := range names {
		if slices.Contains(vagueNames, name) {
			return []string{fmt.Sprintf("%s: a package named %q says nothing of what is in it", p.Path, name)}
		}
	}
	return nil
}

// cycleFaults lists imports of tests that lead back to the package under test: such a test ties a lower layer to a higher one.
func cycleFaults(packages map[string]*goPackage, p *goPackage) []string {
	imported := map[string][]string{}
	for name, other := range packages {
		imported[name] = other.imports(false)
	}
	var faults []string
	for _, name := range p.imports(true) {
		if name == p.Path || !within(name, modulePath) {
			continue
		}
		if _, ok := packages[name]; !ok {
			faults = append(faults, fmt.Sprintf("the tests of %s import %s, which does not exist", p.Path, name))
		}
		if slices.Contains(reach(imported, name), p.Path) {
			faults = append(faults, fmt.Sprintf("the tests of %s import %s, which imports %s itself: move the test up", p.Path, name, p.Path))
		}
	}
	return faults
}

// reach lists all that can be reached from a package along the edges, itself left out.
func reach(edges map[string][]string, from string) []string {
	seen := map[string]bool{}
	queue := slices.Clone(edges[from])
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if !seen[next] {
			seen[next] = true
			queue = append(queue, edges[next]...)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
