package intake

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// RulesFileName and InterestsFileName are the names of the user's own rules at the root of a vault. Both may be missing.
const (
	RulesFileName     = "intake.yaml"
	InterestsFileName = "interests.md"
)

const (
	maxRulesBytes = 1 << 20
	maxFaults     = 100
	usualKeyword  = 2.0 // the weight of a keyword without a figure
	maxKeyword    = 5.0
)

// ParseRules reads intake.yaml, an overlay for Rules.With. What cannot be used is a fault, and the rest counts all the same: of a file
// that is no YAML, no mapping or larger than 1 MiB nothing counts. At most 100 faults are given, in the order of their lines.
//
//	thresholds: {route: 0.55, review: 0.40}
//	weights: {relevance: 0.35, actionability: 0.25, depth: 0.25, authority: 0.15}
//	domains:
//	  data:
//	    keywords: [duckdb, "write-ahead log"]   # or duckdb: 3
//	    hosts: [sqlite.org]
//	authority:
//	  lwn.net: 0.9
//	interests: [sqlite, tide clocks (3)]
func ParseRules(content []byte) (Rules, []Fault) {
	r := &rulesReader{}
	root := r.root(content)
	if root != nil {
		r.pairs(root, "", r.section)
	}
	slices.SortStableFunc(r.faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return r.rules, r.faults[:min(len(r.faults), maxFaults)]
}

type rulesReader struct {
	rules  Rules
	faults []Fault
}

func (r *rulesReader) fault(line int, format string, values ...any) {
	if len(r.faults) < 10*maxFaults {
		r.faults = append(r.faults, Fault{max(line, 1), strings.Join(strings.Fields(fmt.Sprintf(format, values...)), " ")})
	}
}

func (r *rulesReader) root(content []byte) *yaml.Node {
	if len(content) > maxRulesBytes {
		r.fault(1, "%s has %d bytes: at most %d are read", RulesFileName, len(content), maxRulesBytes)
		return nil
	}
	document, err := decode(bytes.TrimPrefix(content, []byte("\ufeff")))
	if err != nil {
		line, reason := 1, err.Error()
		if load := (*yaml.LoadError)(nil); errors.As(err, &load) {
			line, reason = load.Mark.Line, load.Message
		}
		r.fault(line, "it is no YAML: %s", cut(reason, maxPhraseBytes))
		return nil
	}
	if len(document.Content) == 0 || isNull(document.Content[0]) {
		return nil
	}
	if document.Content[0].Kind != yaml.MappingNode {
		r.fault(document.Content[0].Line, "want names with values, such as thresholds:")
		return nil
	}
	return document.Content[0]
}

// decode reads the first document. A fault of the library is an error.
func decode(content []byte) (document yaml.Node, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			document, err = yaml.Node{}, errors.New("it cannot be read")
		}
	}()
	if !utf8.Valid(content) {
		return document, errors.New("it is not UTF-8")
	}
	err = yaml.Unmarshal(content, &document)
	return document, err
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null" }

// pairs calls each for every pair of a mapping whose name is there once.
func (r *rulesReader) pairs(node *yaml.Node, where string, each func(name string, key, value *yaml.Node)) {
	if isNull(node) {
		return
	}
	if node.Kind != yaml.MappingNode {
		r.fault(node.Line, "%swant names with values", where)
		return
	}
	seen := map[string]bool{}
	for at := 0; at+1 < len(node.Content); at += 2 {
		key, value := node.Content[at], node.Content[at+1]
		name := strings.TrimSpace(key.Value)
		switch {
		case key.Kind != yaml.ScalarNode || name == "":
			r.fault(key.Line, "%sa name is a word", where)
		case seen[name]:
			r.fault(key.Line, "%s%s is there twice: the first one counts", where, cut(name, maxPhraseBytes))
		case value.Kind == yaml.AliasNode:
			r.fault(value.Line, "%s%s: aliases are not read", where, cut(name, maxPhraseBytes))
		default:
			seen[name] = true
			each(name, key, value)
		}
	}
}

func (r *rulesReader) section(name string, key, value *yaml.Node) {
	switch name {
	case "thresholds":
		r.pairs(value, "thresholds: ", r.threshold)
		if both := r.rules; both.RouteFrom != 0 && both.ReviewAt > both.RouteFrom {
			r.fault(key.Line, "thresholds: review is above route: neither counts")
			r.rules.RouteFrom, r.rules.ReviewAt = 0, 0
		}
	case "weights":
		r.pairs(value, "weights: ", r.weight)
	case "domains":
		r.pairs(value, "domains: ", r.domain)
	case "authority":
		r.pairs(value, "authority: ", r.authority)
	case "interests":
		for _, item := range r.list(value, "interests: ") {
			if interest, isOne := interestOf(item.Value); isOne && len(r.rules.Interests) < maxInterests {
				r.rules.Interests = append(r.rules.Interests, interest)
			}
		}
	default:
		r.fault(key.Line, "%s is not known: want thresholds, weights, domains, authority or interests", cut(name, maxPhraseBytes))
	}
}

func (r *rulesReader) threshold(name string, key, value *yaml.Node) {
	switch name {
	case "route":
		r.share(&r.rules.RouteFrom, value, "thresholds: route")
	case "review":
		r.share(&r.rules.ReviewAt, value, "thresholds: review")
	default:
		r.fault(key.Line, "thresholds: %s is not known: want route or review", cut(name, maxPhraseBytes))
	}
}

func (r *rulesReader) weight(name string, key, value *yaml.Node) {
	at := slices.Index([]string{"relevance", "actionability", "depth", "authority"}, name)
	if at < 0 {
		r.fault(key.Line, "weights: %s is not known: want relevance, actionability, depth or authority", cut(name, maxPhraseBytes))
		return
	}
	r.share(&r.rules.Weights[at], value, "weights: "+name)
}

// leastShare stands for 0, which in an overlay would say nothing.
const leastShare = 1e-9

func (r *rulesReader) share(into *float64, value *yaml.Node, where string) {
	figure, err := strconv.ParseFloat(strings.TrimSpace(value.Value), 64)
	if value.Kind != yaml.ScalarNode || err != nil || !isShare(figure) {
		r.fault(value.Line, "%s: want a figure from 0 to 1", where)
		return
	}
	*into = max(figure, leastShare)
}

func (r *rulesReader) authority(name string, key, value *yaml.Node) {
	figure := 0.0
	r.share(&figure, value, "authority: "+cut(name, maxPhraseBytes))
	if figure == 0 {
		return
	}
	if r.rules.Authority == nil {
		r.rules.Authority = map[string]float64{}
	}
	if len(r.rules.Authority) < maxKeywords {
		r.rules.Authority[plainHost(name)] = figure
	}
}

func (r *rulesReader) domain(name string, key, value *yaml.Node) {
	if !isFolderName(name) {
		r.fault(key.Line, "domains: %s: a domain is a folder's name, of lower-case letters, digits and hyphens", cut(name, maxPhraseBytes))
		return
	}
	if len(r.rules.Domains) >= maxDomains {
		r.fault(key.Line, "domains: at most %d are taken", maxDomains)
		return
	}
	domain := Domain{Name: name, Keywords: map[string]float64{}}
	where := "domains: " + name + ": "
	r.pairs(value, where, func(part string, key, value *yaml.Node) {
		switch part {
		case "keywords":
			r.keywords(&domain, value, where+"keywords: ")
		case "hosts":
			for _, item := range r.list(value, where+"hosts: ") {
				domain.Hosts = append(domain.Hosts, plainHost(item.Value))
			}
		default:
			r.fault(key.Line, "%s%s is not known: want keywords or hosts", where, cut(part, maxPhraseBytes))
		}
	})
	r.rules.Domains = append(r.rules.Domains, domain)
}

// keywords are a list, or a mapping with a weight each.
func (r *rulesReader) keywords(domain *Domain, node *yaml.Node, where string) {
	if node.Kind != yaml.MappingNode {
		for _, item := range r.list(node, where) {
			r.keyword(domain, item, usualKeyword, where)
		}
		return
	}
	r.pairs(node, where, func(name string, key, value *yaml.Node) {
		figure, err := strconv.ParseFloat(strings.TrimSpace(value.Value), 64)
		if isNull(value) {
			figure, err = usualKeyword, nil
		}
		if err != nil || !(figure > 0 && figure <= maxKeyword) {
			r.fault(value.Line, "%s%s: want a weight above 0, at most %g", where, cut(name, maxPhraseBytes), maxKeyword)
			return
		}
		r.keyword(domain, key, figure, where)
	})
}

func (r *rulesReader) keyword(domain *Domain, node *yaml.Node, weight float64, where string) {
	text := strings.Join(strings.Fields(node.Value), " ")
	switch {
	case isBlank(text) || len(text) > maxPhraseBytes:
		r.fault(node.Line, "%sa keyword is a word or phrase of at most %d bytes", where, maxPhraseBytes)
	case len(domain.Keywords) >= maxKeywords:
		r.fault(node.Line, "%sat most %d are taken", where, maxKeywords)
	default:
		domain.Keywords[text] = weight
	}
}

// list are the texts of a list, or the one text that stands in its place.
func (r *rulesReader) list(node *yaml.Node, where string) []*yaml.Node {
	items := node.Content
	switch {
	case isNull(node):
		return nil
	case node.Kind == yaml.ScalarNode:
		items = []*yaml.Node{node}
	case node.Kind != yaml.SequenceNode:
		r.fault(node.Line, "%swant a list", where)
		return nil
	}
	texts := []*yaml.Node{}
	for _, item := range items {
		if item.Kind != yaml.ScalarNode || isBlank(item.Value) {
			r.fault(item.Line, "%sa list of texts has something else", where)
			continue
		}
		texts = append(texts, item)
	}
	return texts
}
