package httpserver_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quarry/internal/httpserver"
)

// questions are asked of the API: the status of each answer, and what it holds.
var questions = []struct {
	question string
	status   int
	holds    string
}{
	{"search?query=kiln", 200, `"file_path":"kiln/Glaze.md"`},
	{"search?query=kiln&explain=true&all=true&expand=true", 200, `"plan":{`},
	{"search?query=kiln&mode=lexical&fusion=rrf&limit=1&max_tokens=50&min_score=0", 200, `"mode":"lexical"`},
	{"search?tag=kiln&tag=garden", 200, `"Glaze"`},
	{"search?like=kiln/Clay", 200, `"results":[`},
	{"search?query=kiln&links_to=Clay&hops=2&folder=kiln&since=2026-01-01", 200, `"results":[`},
	{"search?query=nothing%20of%20that%20kind%20tag:none", 200, `"results":[]`},
	{"context?topic=glaze", 200, `"text":`},
	{"context?topic=glaze&format=xml&expand=false&max_tokens=200", 200, `<`},
	{"notes", 200, `"file_path":"garden/Beans.md"`},
	{"notes?sort=updated&limit=2&tag=-kiln", 200, `"notes":[`},
	{"notes?max_tokens=40", 200, `"truncated":true`},
	{"note?file_path=Glaze%23Test+tiles", 200, `"section":"Test tiles"`},
	{"note?file_path=kiln/Clay.md", 200, `[REDACTED:github-token]`},
	{"note?file_path=kiln/*.md&max_tokens=30", 200, `"truncated":true`},
	{"note?file_path=Glaze&file_path=Beans", 200, `Sow beans`},
	{"links?note=Glaze", 200, `"source":"garden/Beans.md"`},
	{"links?note=Glaze&out=true&hops=3&max_tokens=500", 200, `"reached":`},
	{"links?note=Clay&back=true&kind=references", 200, `"back":[{`},
	{"links?note=Glaze&related=1", 200, `"related":[`},
	{"links?note=kiln/Glaze+notes.md", 200, `"alias_of":{"Stoneware":"kiln/Clay.md"}`},
	{"links?unresolved=true", 200, `"target":"Nowhere"`},
	{"links?unresolved=true&note=Glaze&max_tokens=9000", 200, `"unresolved":[{`},
	{"status", 200, `"vault":"vault"`},

	{"search", 400, "invalid_arguments"},
	{"search?query=x&nosuch=1", 400, "known parameters: query, limit"},
	{"search?query=x&limit=0", 400, "whole number from 1 to 1000"},
	{"search?query=x&limit=many", 400, "invalid_arguments"},
	{"search?query=x&mode=psychic", 400, "hybrid, lexical, vector"},
	{"search?query=x&query=y", 400, "more than once"},
	{"search?query=x&min_score=NaN", 400, "from 0 to 1"},
	{"search?query=x&all=perhaps", 400, "neither true nor false"},
	{"search?query=x&since=never", 400, "no date"},
	{"search?query=x&hops=2", 400, "links_to"},
	{"search?query=x&links_to=", 400, "links_to"},
	{"search?query=%zz", 400, "malformed"},
	{"search?like=no+such+note", 404, "unknown_note"},
	{"context", 400, "is missing"},
	{"notes?sort=size", 400, "invalid_arguments"},
	{"note?file_path=", 400, "is missing"},
	{"note?file_path=no/such.md", 404, "unknown_note"},
	{"note?file_path=Glaze%23None", 404, "unknown_part"},
	{"note?file_path=../../etc/passwd", 404, "unknown_note"},
	{"note?file_path=private/Doctor.md", 404, "unknown_note"},
	{"note?file_path=a%00b", 404, "unknown_note"},
	{"links", 400, "is missing"},
	{"links?unresolved=true&back=true", 400, "invalid_arguments"},
	{"links?note=Doctor", 404, "unknown_note"},
	{"status?verbose=1", 400, "unknown_argument"},
}

// TestAPI asks each question, and holds each answer against the description of the API.
func TestAPI(t *testing.T) {
	own := "http://" + serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{}))
	_, described := call(t, http.MethodGet, own+"/api/openapi.json", "")
	asked := map[string]bool{}
	for _, row := range questions {
		answer, text := call(t, http.MethodGet, own+"/api/"+row.question, "")
		path, _, _ := strings.Cut("/api/"+row.question, "?")
		asked[path] = asked[path] || answer.StatusCode == http.StatusOK
		if answer.StatusCode != row.status || !strings.Contains(text, row.holds) || row.status >= 400 && codeOf(text) == "" {
			t.Errorf("%s: %d %s", row.question, answer.StatusCode, text)
			continue
		}
		for _, fault := range httpserver.FaultsOf(t, described, path, row.status, text) {
			t.Errorf("%s: %s", row.question, fault)
		}
		if strings.Contains(text, "zebrafish") || strings.Contains(text, "private/Doctor") && row.status == 200 || strings.Contains(text, sampleToken) || strings.Contains(text, "\u202e") {
			t.Errorf("%s tells what a client may not know: %s", row.question, text)
		}
	}
	var file struct{ Paths map[string]any }
	if err := json.Unmarshal([]byte(described), &file); err != nil {
		t.Fatal(err)
	}
	for path := range file.Paths {
		if !asked[path] {
			t.Errorf("no row asks %s", path)
		}
	}
	if len(file.Paths) != len(asked) {
		t.Errorf("%d paths are described, %d were asked", len(file.Paths), len(asked))
	}
}

// TestParametersTold sends each parameter that is described, and one that is not.
func TestParametersTold(t *testing.T) {
	own := "http://" + serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{}))
	_, described := call(t, http.MethodGet, own+"/api/openapi.json", "")
	var file struct {
		Paths map[string]struct {
			Get struct{ Parameters []struct{ Name string } }
		}
	}
	if err := json.Unmarshal([]byte(described), &file); err != nil {
		t.Fatal(err)
	}
	for path, item := range file.Paths {
		for _, p := range item.Get.Parameters {
			if _, text := call(t, http.MethodGet, own+path+"?"+url.Values{p.Name: {"1"}}.Encode(), ""); codeOf(text) == "unknown_argument" {
				t.Errorf("%s: %s is described and not known", path, p.Name)
			}
		}
		if answer, _ := call(t, http.MethodGet, own+path+"?undescribed=1", ""); answer.StatusCode != 400 {
			t.Errorf("%s takes what is not described: %d", path, answer.StatusCode)
		}
	}
}

// TestPage asks that the page can run nothing but its own script, and load nothing from elsewhere.
func TestPage(t *testing.T) {
	own := "http://" + serve(t, httpserver.Handler(fixedEngines{openSample(t)}, httpserver.Options{}))
	answer, text := call(t, http.MethodGet, own+"/", "")
	policy := answer.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "connect-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"} {
		if !strings.Contains(policy, part) {
			t.Errorf("the policy has no %s: %s", part, policy)
		}
	}
	for _, part := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "unsafe-inline", " style=", "onclick=\"", "src=\"http", "href=\"http", "@import"} {
		if strings.Contains(text+policy, part) {
			t.Errorf("the page has %s", part)
		}
	}
	if strings.Count(text, "<script") != 1 || strings.Count(text, "<style") != 1 {
		t.Error("the policy knows of one script and one style")
	}
	for name, value := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "Cross-Origin-Opener-Policy": "same-origin"} {
		if answer.Header.Get(name) != value {
			t.Errorf("%s is %q", name, answer.Header.Get(name))
		}
	}
}
