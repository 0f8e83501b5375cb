package secret_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quarry/secret"
)

func TestRedactJSON(t *testing.T) {
	m := newMaker(31)
	token, marker := "gh"+"p_"+m.of(alnum, 36), secret.Marker("github-token")
	word, password := "blue"+"Kettle#42", secret.Marker("password")
	key := "-----BEGIN " + "PRIVATE KEY-----\\n" + m.of(alnum, 64) + "\\r\\n" + m.of(alnum, 64) + "\\n-----END " + "PRIVATE KEY-----"
	for _, row := range []struct{ name, document, want string }{
		{"nothing", `{ "a" : [1, 2.50e+3, "x\/y\u00e9"] }`, `{ "a" : [1, 2.50e+3, "x\/y\u00e9"] }`},
		{"value", `{"a":"see ` + token + ` \u00e9"}`, `{"a":"see ` + marker + ` \u00e9"}`},
		{"key", `{"` + token + `":1}`, `{"` + marker + `":1}`},
		{"escapes", `["` + strings.ReplaceAll(token, "_", `\u005F`) + `\t\/"]`, `["` + marker + `\t\/"]`},
		{"first letter", `["\u0067` + token[1:] + `"]`, `["` + marker + `"]`},
		{"pair", `{"user":"ann","password" : "` + word + `"}`, `{"user":"ann","password" : "` + password + `"}`},
		{"pair with quotes", `{"password":"` + word + `\"'x"}`, `{"password":"` + password + `"}`},
		{"list", `{"passwords":1,"db_password":["` + word + `"],"x":"` + word + `"}`, `{"passwords":1,"db_password":["` + password + `"],"x":"` + word + `"}`},
		{"name and value", `[{"name":"DB_PASSWORD","x":1,"value":"` + word + `"},{"name":"A","value":"` + word + `"}]`, `[{"name":"DB_PASSWORD","x":1,"value":"` + password + `"},{"name":"A","value":"` + word + `"}]`},
		{"key by that name", `{"key":"` + m.of(hex, 30) + `1a"}`, `{"key":"` + secret.Marker("key-assignment") + `"}`},
		{"text of a note", `{"text":"login\npassword: ` + word + `\nend"}`, `{"text":"login\npassword: ` + password + `\nend"}`},
		{"lines of a value", `{"text":"` + key + `"}`, `{"text":"` + secret.Marker("private-key") + `\n\r\n\n"}`},
		{"JSON lines", "{\"password\":\"" + word + "\"}\n{\"a\":\"" + token + "\"}\n", "{\"password\":\"" + password + "\"}\n{\"a\":\"" + marker + "\"}\n"},
		{"a string alone", `"` + token + `"`, `"` + marker + `"`},
		{"no JSON", `{"password": ` + word + `}`, `{"password": ` + password + `}`},
		{"a log line", `level=info msg="` + token + `"`, `level=info msg="` + marker + `"`},
		{"half a document", `{"a":"` + token, `{"a":"` + marker},
		{"no UTF-8", "[\"\xff" + token + " \xfe\\ud800\"]", "[\"\xff" + marker + " \xfe\\ud800\"]"},
		{"redacted", `{"password":"` + password + `"}`, `{"password":"` + password + `"}`},
		{"empty", ``, ``},
	} {
		got := secret.Default().RedactJSON([]byte(row.document))
		if diff := cmp.Diff(row.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
		if again := secret.Default().RedactJSON(got); !bytes.Equal(again, got) {
			t.Errorf("%s: redacting redacted JSON changes it", row.name)
		}
	}
}

// TestRedactJSONKey: a list that holds a private key line by line.
func TestRedactJSONKey(t *testing.T) {
	m := newMaker(32)
	lines := []string{"-----BEGIN " + "PRIVATE KEY-----", m.of(alnum, 64), m.of(alnum, 64), "-----END " + "PRIVATE KEY-----", "after"}
	document, err := json.Marshal(map[string]any{"key": lines})
	if err != nil {
		t.Fatal(err)
	}
	got := string(secret.Default().RedactJSON(document))
	for _, line := range lines[1:3] {
		if strings.Contains(got, line[:20]) {
			t.Errorf("a line of the key is in %s", got)
		}
	}
	if !strings.Contains(got, `"after"`) {
		t.Errorf("what follows is gone: %s", got)
	}
}

// outline writes down the tokens of a document but for what its strings hold.
func outline(document []byte) (string, error) {
	var out strings.Builder
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return out.String(), nil
		}
		if err != nil {
			return out.String(), err
		}
		switch value := token.(type) {
		case string:
			out.WriteString(`"" `)
		case json.Delim:
			out.WriteString(value.String())
		case json.Number:
			out.WriteString(value.String() + " ")
		case bool:
			out.WriteString(map[bool]string{true: "true ", false: "false "}[value])
		default:
			out.WriteString("null ")
		}
	}
}

func FuzzRedactJSON(f *testing.F) {
	m := newMaker(5)
	for _, s := range append(m.vendors(), m.generic()...) {
		text := s.before + s.secret + s.after
		for _, value := range []any{text, map[string]any{text: 1, "password": s.secret, "a": []any{text, s.secret[:8], s.secret[8:]}}} {
			document, err := json.Marshal(value)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(document)
		}
	}
	for _, seed := range []string{`[1,-0.5e+7,true,false,null,"\ud83d\ude00\udc00\\\/\b\f\n\r\t"]`, `{"a":{"b":[[],{}]}} [2]`, `01`, `"\u12"`, "1 2", `{"a":1,}`, `[1}`, `{"":["/00000000279BC112X7AZY8abcx9zyA+1TW8oRsE"],"pAss":"0"000A"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		got := secret.Default().RedactJSON(bytes.Clone(document))
		if again := secret.Default().RedactJSON(got); !bytes.Equal(again, got) {
			t.Fatalf("redacting redacted JSON: %q", again)
		}
		if !json.Valid(document) {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("no longer valid: %q", got)
		}
		before, err := outline(document)
		if err != nil {
			return // the decoder is stricter than Valid
		}
		if after, err := outline(got); err != nil || after != before {
			t.Fatalf("tokens %s became %s", before, after)
		}
	})
}

func BenchmarkRedactJSON(b *testing.B) {
	var documents [][]byte
	size := 0
	for _, text := range sampleNotes() {
		document, err := json.Marshal(map[string]any{"path": "notes/kiln.md", "line": 12, "score": 0.25, "headings": []string{"Kiln", "Firing"}, "text": text})
		if err != nil {
			b.Fatal(err)
		}
		size += len(document)
		documents = append(documents, document)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, document := range documents {
			secret.Default().RedactJSON(document)
		}
	}
}

// sampleNotes are invented notes without secrets.
func sampleNotes() []string {
	var notes []string
	for i := range 100 {
		notes = append(notes, strings.Repeat("## Firing the kiln\n\nThe \"cone\" at the back bends first; see [[Glazes]] and `kiln --hold 20m`.\n- open the damper\n- note the time\n\n", 3+i%9))
	}
	return notes
}

// TestRedactJSONLineEnds: the line ends of a secret stay, and a lone CR makes no pair with an LF that stood apart from it.
func TestRedactJSONLineEnds(t *testing.T) {
	key := "-----BEGIN " + `PRIVATE KEY-----\rMIIE` + "vQIBADANBgkqhkiG9w0BAQEF" + newMaker(83).of(base64, 40) + `\n` + newMaker(84).of(base64, 64) + `\n-----END ` + "PRIVATE KEY-----"
	got := secret.Default().RedactJSON([]byte(`{"text":"` + key + `"}`))
	if !json.Valid(got) || bytes.Contains(got, []byte("BEGIN")) || bytes.Count(got, []byte(`\n`)) != 2 {
		t.Errorf("%q", got)
	}
}
