package applenotes

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"path"
	"strconv"
	"strings"

	"quarry/convert/export"
	"quarry/internal/lazyregexp"
)

// picture is one that a file holds within its text.
type picture struct {
	file       string
	id         string
	extension  string
	start, end int // of its base64 in the file
	number     int
}

var dataAddress = lazyregexp.New(`(?i)\bsrc\s*=\s*["']data:([a-z0-9.+/-]*)(?:;[a-z0-9=_-]+)*;base64,`)

// takePictures takes pictures out of HTML, which may be larger than any text, and leaves "picture:N" in place of each.
func (r *reader) takePictures(name, document string) (map[string]picture, string) {
	pictures := map[string]picture{}
	var b strings.Builder
	at := 0
	for _, m := range dataAddress.FindAllStringSubmatchIndex(document, -1) {
		if m[0] < at {
			continue
		}
		length := strings.IndexAny(document[m[1]:], `"'<>`)
		if length < 0 {
			break
		}
		end := m[1] + length
		hash := sha256.Sum256([]byte(document[m[1]:end]))
		p := picture{file: name, id: "picture-" + hex.EncodeToString(hash[:16]), extension: extensionOf(document[m[2]:m[3]]), start: m[1], end: end, number: len(pictures) + 1}
		address := "picture:" + strconv.Itoa(p.number)
		pictures[address] = p
		b.WriteString(document[at:m[0]] + `src="` + address)
		at = end
		if document[end] == '\'' {
			b.WriteByte('"')
			at++
		}
	}
	if at == 0 {
		return pictures, document
	}
	b.WriteString(document[at:])
	return pictures, b.String()
}

// picture shows a picture and hands it out as a file named after its note.
func (r *reader) picture(p picture, title string) string {
	if !r.pictures[p.id] {
		r.pictures[p.id] = true
		name := strings.ReplaceAll(title, "/", export.Slash) + " " + strconv.Itoa(p.number) + p.extension
		r.into.Attachments = append(r.into.Attachments, export.Attachment{ID: p.id, Path: path.Join(path.Dir(p.file), strings.TrimSpace(name)), Read: func() ([]byte, error) { return r.decode(p) }})
	}
	return r.into.Link(export.Target{ID: p.id, IsEmbed: true})
}

func (r *reader) decode(p picture) ([]byte, error) {
	content, err := r.read(p.file)
	if err != nil {
		return nil, err
	}
	text := strings.TrimPrefix(strings.ToValidUTF8(string(content), "\uFFFD"), "\ufeff")
	if p.end > len(text) {
		return nil, fmt.Errorf("read a picture of %s: the file has changed", p.file)
	}
	encoded := strings.NewReplacer("%2B", "+", "%2F", "/", "%3D", "=", "\n", "", "\r", "", " ", "", "=", "").Replace(text[p.start:p.end])
	picture, err := base64.RawStdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("read a picture of %s: %w", p.file, err)
	}
	return picture, nil
}

var pictureTypes = map[string]string{"image/jpeg": ".jpg", "image/svg+xml": ".svg", "image/tiff": ".tiff", "image/heic": ".heic", "application/pdf": ".pdf"}

// extensionOf is the extension of a picture's media type.
func extensionOf(mediaType string) string {
	mediaType = strings.ToLower(mediaType)
	if extension, ok := pictureTypes[mediaType]; ok {
		return extension
	}
	if kind, ok := strings.CutPrefix(mediaType, "image/"); ok && len(kind) <= 5 && !strings.ContainsAny(kind, "./+-") {
		return "." + kind
	}
	return ".bin"
}
