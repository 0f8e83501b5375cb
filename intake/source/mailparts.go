package source

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/jhillyerd/enmime/v2"
	"github.com/jhillyerd/enmime/v2/mediatype"

	"quarry/internal/lazyregexp"
)

// Bounds of a mail, beyond which it is refused before it is taken apart.
const (
	maxMailBytes   = 40 << 20
	maxHeaderBytes = 256 << 10
	maxParts       = 1000
	maxLevels      = 10 // of parts in parts: the library's time doubles with each where none has an end
	maxBoundaries  = 1000
	maxForwards    = 10 // mails within mails
)

// unnamedCharset stands for one that a part does not name, so that the library does not guess, which takes seconds for a long text.
const unnamedCharset = "x-unnamed"

var boundaryValue = lazyregexp.New(`^(?i:oundary)\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))`)

// readParts takes a mail apart, unless that could take long.
func readParts(raw []byte) (*enmime.Part, error) {
	if len(raw) > maxMailBytes {
		return nil, fmt.Errorf("%w: a mail over %d MiB", ErrTooLarge, maxMailBytes>>20)
	}
	if len(headerOf(raw)) > maxHeaderBytes {
		return nil, fmt.Errorf("%w: a mail's header over %d KiB", ErrTooLarge, maxHeaderBytes>>10)
	}
	boundaries, err := boundariesOf(raw)
	if err != nil {
		return nil, err
	}
	// Parts open by the boundaries that were counted, and by no other.
	kindOf := func(text string) (string, map[string]string, []string, error) {
		kind, parameters, invalid, err := mediatype.ParseWithOptions(text, mediatype.ParseOptions{StripMediaTypeInvalidCharacters: true})
		if strings.HasPrefix(kind, "multipart/") && !boundaries[parameters["boundary"]] {
			return "text/plain", map[string]string{}, nil, nil
		}
		if err == nil && strings.HasPrefix(kind, "text/") && parameters["charset"] == "" {
			parameters["charset"] = unnamedCharset
		}
		return kind, parameters, invalid, err
	}
	parser := enmime.NewParser(
		enmime.SkipMalformedParts(true), enmime.MultipartWOBoundaryAsSinglePart(true), enmime.MaxStoredPartErrors(20), enmime.SetCustomParseMediaType(kindOf),
		enmime.DisableTextConversion(true), enmime.DisableCharacterDetection(true), enmime.SetReadPartErrorPolicy(enmime.AllowCorruptTextPartErrorPolicy),
	)
	root, err := parser.ReadParts(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return root, nil
}

// boundariesOf are the boundaries that a mail declares, if its parts are not too many and not too deep in each other. A boundary may
// be declared anywhere, in a text too: what is counted is never less than what the library opens.
func boundariesOf(raw []byte) (map[string]bool, error) {
	boundaries, open := map[string]bool{}, []string{}
	parts, declared := 0, declarations(raw)
	for offset := 0; offset < len(raw); {
		end := offset + upTo(raw[offset:], "\n", 1)
		for len(declared) > 0 && declared[0].at < end {
			boundaries[declared[0].text] = true
			open = append(open, declared[0].text)
			declared = declared[1:]
		}
		if line := raw[offset:end]; bytes.HasPrefix(line, []byte("--")) && len(line) > 3 && line[2] != ' ' {
			parts++
			open = closed(open, string(bytes.TrimRight(line[2:min(len(line), 300)], " \t\r\n")))
		}
		if parts > maxParts || len(open) > maxLevels || len(boundaries) > maxBoundaries {
			return nil, fmt.Errorf("%w: a mail of more than %d parts, or %d levels of them", ErrTooLarge, maxParts, maxLevels)
		}
		offset = end
	}
	return boundaries, nil
}

// closed are the levels that are open behind a line that may be a boundary.
func closed(open []string, line string) []string {
	for i := len(open) - 1; i >= 0; i-- {
		switch line {
		case open[i]:
			return open[:i+1]
		case open[i] + "--":
			return open[:i]
		}
	}
	return open
}

// declaration is a boundary and where it is declared.
type declaration struct {
	at   int
	text string
}

func declarations(raw []byte) []declaration {
	var list []declaration
	for at := 0; at < len(raw) && len(list) <= maxBoundaries; {
		found := bytes.Index(raw[at:], []byte("oundary"))
		if upper := bytes.Index(raw[at:at+max(found, 0)], []byte("OUNDARY")); found < 0 || upper >= 0 {
			if found < 0 {
				upper = bytes.Index(raw[at:], []byte("OUNDARY"))
			}
			found = upper
		}
		if found < 0 {
			break
		}
		at += found
		if m := boundaryValue.FindSubmatch(raw[at:min(len(raw), at+400)]); m != nil {
			list = append(list, declaration{at, string(m[1]) + string(m[2])})
		}
		at += len("oundary")
	}
	return list
}
