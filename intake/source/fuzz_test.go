package source_test

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quarry/intake/source"
)

// seed adds the files of a folder of the fixtures.
func seed(f *testing.F, folder, pattern string) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "fixtures", "intake", folder, "in", pattern))
	if err != nil || len(files) == 0 {
		f.Fatal(folder, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
}

// checkRead holds what is true of every input: an error of the known ones, the same result twice, texts that are UTF-8, addresses of the
// web, and no link that runs.
func checkRead(t *testing.T, content []byte) {
	t.Helper()
	in := source.Input{Name: "file", Content: content, Now: now, Attachments: true}
	batch, err := source.Read(t.Context(), in)
	if err != nil {
		if !errors.Is(err, source.ErrUnknown) && !errors.Is(err, source.ErrTooLarge) && !errors.Is(err, source.ErrDoctype) && !errors.Is(err, source.ErrDamaged) {
			t.Errorf("the error is %v", err)
		}
		return
	}
	again, err := source.Read(t.Context(), in)
	if diff := cmp.Diff(batch, again); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	seen := map[string]bool{}
	for _, s := range batch.Signals {
		for _, text := range append([]string{s.Title, s.Body, s.Author, s.Identity, s.Origin, s.OriginName, s.Address}, s.Tags...) {
			if !utf8.ValidString(text) {
				t.Errorf("%q is no UTF-8", text)
			}
		}
		if parsed, err := url.Parse(s.Address); s.Address != "" && (err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "" || parsed.User != nil) {
			t.Errorf("the address is %q", s.Address)
		}
		if s.Title == "" && s.Body == "" && s.Address == "" || s.Created.IsZero() || s.Channel == "" || strings.Contains(s.Title, "\n") {
			t.Errorf("%+v", s)
		}
		if s.Channel == "feed" && (strings.Contains(s.Body, "](javascript:") || strings.Contains(s.Body, "](data:")) {
			t.Errorf("a link that runs in %q", s.Body)
		}
		if s.Identity != "" && seen[s.Identity] {
			t.Errorf("%q is there twice", s.Identity)
		}
		seen[s.Identity] = true
		for _, a := range s.Attachments {
			if a.Name != filepath.Base(a.Name) || strings.ContainsAny(a.Name, `/\:`) || a.Name == "" || a.Name == "." || a.Name == ".." {
				t.Errorf("an attachment's name is %q", a.Name)
			}
		}
	}
}

func FuzzFeed(f *testing.F) {
	seed(f, "feeds", "*")
	f.Add([]byte(`<feed xml:base="x"><entry><title type="xhtml"><div>a</div></title><content type="xhtml"><div>&lt;<b>x</b></div></content></entry></feed>`))
	f.Fuzz(checkRead)
}

func FuzzBookmarks(f *testing.F) {
	seed(f, "bookmarks", "*")
	f.Add([]byte(firefoxBackup))
	f.Add([]byte("mozLz40\x00\x19\x00\x00\x00\x2f{ \x01\x00\x05\x10}"))
	f.Fuzz(checkRead)
}

func FuzzMail(f *testing.F) {
	seed(f, "mail", "*")
	f.Fuzz(checkRead)
}

func FuzzPage(f *testing.F) {
	f.Add([]byte(pageText))
	f.Add([]byte("<p>a</p>"))
	f.Fuzz(checkRead)
}

func FuzzText(f *testing.F) {
	f.Add([]byte("---\ntitle: a\ntags: [b, c]\nsource: https://a.example/\n---\n# a\n\nb [[c]]\n"))
	f.Add([]byte("plain text\n> quoted\n"))
	f.Fuzz(checkRead)
}

// FuzzOPML holds that a list that was read is written and read as the same one.
func FuzzOPML(f *testing.F) {
	f.Add([]byte(`<opml><body><outline text="a&amp;b"><outline text="c" xmlUrl="https://a.example/" htmlUrl="https://b.example/" category="x,y"/></outline></body></opml>`))
	f.Fuzz(func(t *testing.T, content []byte) {
		outlines, err := source.ReadOPML(content)
		if err != nil {
			return
		}
		again, err := source.ReadOPML(source.WriteOPML(outlines))
		if diff := cmp.Diff(outlines, again); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	})
}
