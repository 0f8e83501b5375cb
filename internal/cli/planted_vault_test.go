package cli_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planter makes up credentials, each another one, and remembers where each stands. None is written in this file.
type planter struct {
	random *rand.Rand
	turn   int               // which form comes first
	tails  map[string]string // end of the credential → its place
}

func newPlanter(turn int) *planter {
	return &planter{random: rand.New(rand.NewPCG(17, 4)), turn: turn, tails: map[string]string{}}
}

const (
	digits   = "0123456789"
	letters  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "abcdefghijklmnopqrstuvwxyz"
	anyOf    = letters + digits
	upperNum = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + "234567"

	tailLength = 12

	credentialForms = 8 // of a token
)

func (p *planter) text(alphabet string, length int) string {
	var b strings.Builder
	for range length {
		b.WriteByte(alphabet[p.random.IntN(len(alphabet))])
	}
	return b.String()
}

// token is a credential in a vendor's form; the forms take turns.
func (p *planter) token(place string) string {
	forms := []struct {
		start, alphabet string
		length          int
	}{
		{"ghp" + "_", anyOf, 36},
		{"sk-ant" + "-api03-", anyOf, 93},
		{"AKI" + "A", upperNum, 16},
		{"glpat" + "-", anyOf, 20},
		{"AIz" + "a", anyOf, 35},
		{"npm" + "_", anyOf, 36},
		{"hf" + "_", letters, 34},
		{"xoxb" + "-2345678901-2345678901-", anyOf, 24},
	}
	form := forms[(p.turn+len(p.tails))%len(forms)]
	token := form.start + p.text(form.alphabet, form.length)
	if strings.HasPrefix(form.start, "sk-ant") {
		token = token[:len(token)-2] + "AA"
	}
	return p.remember(place+" ("+form.start+")", token)
}

// password is what stands behind a key, without a vendor's form.
func (p *planter) password(place string) string {
	return p.remember(place, p.text(letters, 9)+p.text(digits, 3)+p.text(anyOf, 12))
}

func (p *planter) remember(place, value string) string {
	p.tails[value[len(value)-tailLength:]] = place
	return value
}

// leaks tells which credentials stand in bytes: as they are in any letter case, or in base64.
func (p *planter) leaks(content []byte) []string {
	text := string(content)
	lower := strings.ToLower(text)
	var found []string
	for tail, place := range p.tails {
		if strings.Contains(lower, strings.ToLower(tail)) {
			found = append(found, place)
			continue
		}
		for shift := range 3 {
			encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + tail))
			inner := strings.TrimRight(encoded, "=")
			if inner = inner[4 : len(inner)-2]; strings.Contains(text, inner) {
				found = append(found, place+" (base64)")
			}
		}
	}
	return found
}

// write puts a file below dir. "{place}" in its name and text becomes a token, "{password place}" a password.
func (p *planter) write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(p.fill(name, name)))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(p.fill(name, text)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p *planter) fill(file, text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "«")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		place, after, _ := strings.Cut(rest, "»")
		if name, ok := strings.CutPrefix(place, "password "); ok {
			b.WriteString(p.password(fmt.Sprintf("%s: password %s", file, name)))
		} else {
			b.WriteString(p.token(fmt.Sprintf("%s: %s", file, place)))
		}
		text = after
	}
}

// plantedFiles have a credential wherever a note, or what stands beside notes, has room for one.
var plantedFiles = map[string]string{
	"headings.md": "# One «h1»\n\nkiln one\n\n## Two «h2»\n\nkiln two\n\n### Three «h3»\n\nkiln three\n\n#### Four «h4»\n\nkiln four\n\n" +
		"##### Five «h5»\n\nkiln five\n\n###### Six «h6»\n\nkiln six\n\nSetext «setext»\n===\n\nkiln seven\n",
	"properties.md": "---\ntitle: Title «title»\naliases: [\"«alias»\", other]\ntags: [plain, \"«tag»\"]\ntype: \"«type»\"\nstatus: \"«status»\"\n" +
		"domain: \"«domain»\"\nsource: https://example.org/«source»\nid: \"«id»\"\nupdated: 2026-01-02\n\"«key»\": value\nvalue: «value»\n" +
		"nested:\n  deeper:\n    - item: «nested»\n    - [\"«flow»\", {a: \"«flow map»\"}]\nblock: |\n  first\n  «literal»\nfolded: >\n  words\n  «folded»\n" +
		"password: «password property»\napi_key: \"«password quoted property»\"\nrelated: \"[[«property link»]]\"\ncssclasses: «class» # «yaml comment»\n---\nkiln properties\n",
	"broken.md":     "---\ntitle: a: b «broken title»\n\tkey: «broken value»\n  - [ \"«broken list»\n---\nkiln broken «broken body»\n",
	"unclosed.md":   "---\ntitle: «unclosed»\n\nkiln unclosed\n",
	"body.md":       "# Body\n\nkiln text «text». **«bold»** (`«code»`) #«tag» #kiln/«nested tag»\n\npassword = \"«password text»\"\n\n    indented «indented»\n",
	"links.md":      "# Links\n\nkiln [[«target»]] [[headings#«heading»]] [[headings#^«block»]] [[body|«display»]] ![[«embed».png]] ![[pic.png|«size»]]\n[«text»](«path».md) [b](https://example.org/«url»?token=«query»#«fragment») <https://user:«password userinfo»@example.org/> ![«alt»](a.png \"«link title»\")\n[ref]: https://example.org/«reference» \"«reference title»\"\n[«label»]: body.md\n",
	"blocks.md":     "# Blocks\n\nkiln block ^«block id»\n\n- [ ] task «task»\n  - [x] sub «sub task»\n\n> [!note] Callout «callout»\n> text «callout text»\n\n| kiln | b |\n|---|---|\n| «cell» | x |\n\nNote[^1] and[^«footnote label»]\n\n[^1]: foot «footnote»\n\nfield:: «field»\n«field key»:: value\n",
	"comments.md":   "# Comments\n\nkiln %%hidden «comment»%% shown <!-- «html comment» -->\n\n%%\nblock «block comment»\n%%\n\n<div title=\"«attribute»\">«html»</div>\n",
	"code.md":       "# Code\n\nkiln\n\n```yaml title=\"«fence info»\"\ntoken: «fence»\nsecret: «password fence»\n```\n\n~~~json\n{\"kiln\": {\"api_token\": \"«password json»\", \"«json key»\": 1}}\n~~~\n\n```dataview\nLIST WHERE x = \"«dataview»\"\n```\n\n$$ «math» $$\n",
	"encoded.md":    "# Encoded\n\nkiln https://example.org/?q=%20«percent» and &#32;«entity» and \\*«escaped»\n",
	"plan.canvas":   `{"nodes":[{"id":"1","type":"text","text":"kiln «node»","x":0,"y":0,"width":9,"height":9},{"id":"2","type":"file","file":"«file».md","subpath":"#«subpath»","x":0,"y":0,"width":9,"height":9},{"id":"3","type":"link","url":"https://example.org/«url»","x":0,"y":0,"width":9,"height":9},{"id":"4","type":"group","label":"«group»","x":0,"y":0,"width":9,"height":9},{"id":"«node id»","type":"text","text":"b","x":0,"y":0,"width":9,"height":9}],"edges":[{"id":"e","fromNode":"1","toNode":"2","label":"«edge»"}]}`,
	"broken.canvas": `{"nodes":[{"id":"1","type":"text","text":"the "nice" «broken canvas»"}]}`,
	"view.base":     "filters:\n  and:\n    - file.hasTag(\"«filter»\")\nformulas:\n  x: '\"«formula»\"'\nviews:\n  - type: table\n    name: \"«view»\"\nproperties:\n  \"«property»\":\n    displayName: «display»\n",
	"drawing.excalidraw.md": "---\nexcalidraw-plugin: parsed\ntags: [excalidraw]\n---\n# Excalidraw Data\n\n## Text Elements\nkiln «element» ^a1b2c3d4\n\n## Element Links\na1b2c3d4: [[«element link»]]\n\n" +
		"## Drawing\n```json\n{\"type\":\"excalidraw\",\"version\":2,\"elements\":[{\"id\":\"a1b2c3d4\",\"type\":\"text\",\"text\":\"«drawing text»\",\"link\":\"«drawing link»\"}]}\n```\n%%\n",
	"sketch.excalidraw":            `{"type":"excalidraw","version":2,"elements":[{"id":"a","type":"text","text":"kiln «sketch»","link":"[[«sketch link»]]"}],"files":{"«sketch file»":{"dataURL":"x"}}}`,
	"board.md":                     "---\nkanban-plugin: board\n---\n\n## Lane «lane»\n\n- [ ] kiln card «card»\n- [x] done «done card» ^«card block»\n\n%% kanban:settings\n```\n{\"kanban-plugin\":\"board\",\"x\":\"«settings»\"}\n```\n%%\n",
	"outline.md":                   "kiln:: «page property»\ntags:: «page tag»\n\n- block «outline»\n  id:: «outline id»\n  key:: «outline property»\n- ((66a5f3b0-1111-4222-8333-444455556666)) «block reference»\n- {{embed [[«outline embed»]]}}\n",
	"data/rates.json":              `{"kiln":{"rate":1,"client_secret":"«password data»","«data key»":["«data value»"]}}`,
	"data/rates.yaml":              "kiln:\n  token: «yaml»\n  password: «password yaml»\n  - «broken yaml»\n",
	"data/lines.jsonl":             "{\"kiln\":\"«line»\"}\n{broken «broken line»\n",
	"name «file name».md":          "kiln name\n\n[[headings]]\n",
	"folder «folder name»/in.md":   "# In\n\nkiln folder\n",
	"attach/«attachment».png":      "no picture",
	"left/out «left out».md":       "kiln left out «left out text»\n",
	".indexignore":                 "left/\n# «ignore comment»\n«ignored name»/\n",
	".quarry.toml":                 "# «toml comment»\ndata_files = true\nignore = [\"«toml ignore»/\"]\nfolders = []\ndb = \"«toml db»\"\n[sensitivity.folders]\n\"«toml folder»\" = \"private\"\n",
	".obsidian/app.json":           `{"attachmentFolderPath":"«setting»"}`,
	".obsidian/templates.json":     `{"folder":"«template folder»"}`,
	"big.md":                       "# Big «big title»\n\nkiln " + strings.Repeat("word ", 30) + "\n",
	"private/diary.md":             "---\nsensitivity: private\n---\n# Diary «private title»\n\nkiln diary «private text»\n",
	"private/vault key.md":         "---\nsensitivity: secret\n---\n# Never «secret title»\n\nkiln never «secret text»\n",
	"odd class.md":                 "---\nsensitivity: \"«unknown class»\"\n---\nkiln odd class\n",
	"twin one.md":                  "---\nid: \"«shared id»\"\n---\nkiln twin\n",
	"key.md":                       "# Key\n\nkiln\n\n-----BEGIN " + "OPENSSH PRIVATE KEY-----\n«key line»b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE\n«second key line»AAAAMwAAAAtzc2gtZWQyNTUxOQAAACB\n-----END " + "OPENSSH PRIVATE KEY-----\n",
	"connections.md":               "# Connections\n\nkiln postgres://app:«password database»@db.example.org/x and Authorization: Bearer «password bearer»\n",
	"image data.md":                "# Image\n\nkiln ![x](data:text/plain;base64,«data url»)\n",
	"templates/form «template».md": "kiln form «template text»\n",
}
