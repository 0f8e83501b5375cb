package secret_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"quarry/secret"
)

// Alphabets of made-up secrets. None is written whole in these files: they are put together while the tests run.
const (
	digits = "0123456789"
	hex    = "0123456789abcdef"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum  = upper + "abcdefghijklmnopqrstuvwxyz" + digits
	base64 = alnum + "+/"
	url    = alnum + "_-"
	base32 = upper + "234567"
)

type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 7))} }

func (m maker) of(alphabet string, size int) string {
	out := make([]byte, size)
	for i := range out {
		out[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(out)
}

// sample is a text around a secret.
type sample struct{ rule, before, secret, after string }

func (m maker) vendors() []sample {
	whole := map[string][]string{
		"anthropic-api-key":          {"sk-" + "ant-api03-" + m.of(url, 93) + "AA"},
		"openai-api-key":             {"sk-" + "proj-" + m.of(url, 74) + "T3Blbk" + "FJ" + m.of(url, 73) + "a", "sk-" + m.of(alnum, 20) + "T3Blbk" + "FJ" + m.of(alnum, 20)},
		"openrouter-api-key":         {"sk-" + "or-v1-" + m.of(hex, 64)},
		"huggingface-token":          {"hf" + "_" + m.of(alnum, 34)},
		"groq-api-key":               {"gsk" + "_" + m.of(alnum, 52)},
		"aws-access-key-id":          {"AK" + "IA" + m.of(base32, 16), "AS" + "IA" + m.of(base32, 16)},
		"google-api-key":             {"AI" + "za" + m.of(alnum, 35)},
		"google-oauth-client-secret": {"GOC" + "SPX-" + m.of(alnum, 28)},
		"azure-client-secret":        {m.of(alnum, 3) + "8" + "Q~" + m.of(alnum, 34)},
		"digitalocean-token":         {"dop" + "_v1_" + m.of(hex, 64)},
		"databricks-token":           {"da" + "pi" + m.of(hex, 32)},
		"github-token":               {"gh" + "p_" + m.of(alnum, 36), "github" + "_pat_" + m.of(alnum, 22) + "_" + m.of(alnum, 59)},
		"gitlab-token":               {"gl" + "pat-" + m.of(alnum, 20)},
		"npm-token":                  {"np" + "m_" + m.of(alnum, 36)},
		"pypi-token":                 {"py" + "pi-Ag" + m.of(alnum, 160)},
		"slack-token":                {"xo" + "xb-" + m.of(digits, 12) + "-" + m.of(digits, 12) + "-" + m.of(alnum, 24)},
		"slack-webhook":              {"hooks." + "slack.com/services/T" + m.of(base32, 8) + "/B" + m.of(base32, 8) + "/" + m.of(alnum, 24)},
		"discord-bot-token":          {"M" + "T7x" + m.of(alnum, 21) + "." + m.of(alnum, 6) + "." + m.of(alnum, 38)},
		"telegram-bot-token":         {m.of(digits[1:], 10) + ":" + "AA" + m.of(alnum, 33)},
		"stripe-key":                 {"sk" + "_live_" + m.of(alnum, 24), "rk" + "_test_" + m.of(alnum, 24)},
		"twilio-api-key":             {"S" + "K" + m.of(hex, 32)},
		"sendgrid-api-key":           {"S" + "G." + m.of(alnum, 22) + "." + m.of(alnum, 43)},
		"mailchimp-api-key":          {m.of(hex, 32) + "-" + "us12"},
		"terraform-token":            {m.of(alnum, 14) + ".atlas" + "v1." + m.of(alnum, 64)},
		"age-secret-key":             {"AGE-" + "SECRET-KEY-1" + m.of(base32, 58)},
		"jwt":                        {"ey" + "JhbGciOiJIUzI1NiJ9" + ".ey" + "Jz" + m.of(alnum, 30) + "." + m.of(alnum, 43)},
	}
	var list []sample
	for name, secrets := range whole {
		for _, text := range secrets {
			list = append(list, sample{rule: name, secret: text})
		}
	}
	return append(list, sample{"aws-secret-key", "aws_secret_access_key = ", m.of(base64, 38) + "a7", ""},
		sample{"azure-storage-key", "Account" + "Key=", m.of(base64, 86) + "==", ";EndpointSuffix=core"})
}

func (m maker) generic() []sample {
	key := m.of(base64, 64) + "\n" + m.of(base64, 64) + "\n" + m.of(base64, 30)
	pem := "-----BEGIN " + "RSA PRIVATE KEY-----\n" + key + "\n-----END " + "RSA PRIVATE KEY-----"
	return []sample{
		{"private-key", "", pem, ""},
		{"private-key", "key: \"", strings.ReplaceAll(pem, "\n", `\n`), "\""},
		{"private-key", "> ", strings.ReplaceAll(pem, "\n", "\n> "), ""},
		{"private-key", "", "-----BEGIN " + "OPENSSH PRIVATE KEY-----\n" + key, "\n\nAnd so on, without an end.\n"},
		{"private-key", "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-" + "Lines: 2\n", key + "\nPrivate-MAC: " + m.of(hex, 64), "\n"},
		{"url-credentials", "postgres://app:", m.of(alnum, 16), "@db.local:5432/app"},
		{"url-credentials", "https://ann:", m.of(alnum, 18), "@git.local/repo.git"},
		{"authorization-header", "Authorization: Bearer ", m.of(alnum, 40), ""},
		{"authorization-header", "authorization: basic ", m.of(alnum, 32), ""},
		{"curl-password", "curl -u admin:", m.of(alnum, 18), " https://api.local/"},
		{"password", "password = \"", m.of(alnum, 12) + "7#" + m.of(alnum, 4) + "!", "\""},
		{"password", "DB_PASSWORD=", m.of(alnum, 14) + "8%" + "zq", ""},
		{"password", "**Password:** ", "blue" + "Kettle" + "42", ""},
		{"password", "Server=db;User Id=sa;Password=", m.of(alnum, 17) + "3", ";Encrypt=true"},
		{"password", "密码：", m.of(alnum, 11) + "9", "。"},
		{"password", "| password | ", m.of(alnum, 11) + "9", " |"},
		{"key-assignment", "api_key: \"", m.of(alnum, 30) + "a1", "\""},
		{"secret-assignment", "client_secret=", m.of(alnum, 38) + "b2", ""},
		{"secret-assignment", "https://app.local/cb?access_token=", m.of(alnum, 38) + "c3", "&state=1"},
		{"secret-assignment", "{\"authToken\": \"", m.of(alnum, 38) + "d4", "\"}"},
		{"secret-assignment", "secret ", m.of(hex, 64), ""},
		{"otpauth-secret", "otpauth://totp/Acme:ann?secret=", m.of(base32, 32), "&issuer=Acme"},
		{"wireguard-key", "Private" + "Key = ", m.of(base64, 43) + "=", ""},
		{"high-entropy", "", "x" + m.of(base64, 61) + "y7", ""},
	}
}

var surroundings = []string{
	"%s", "They pasted %s here.", "The end is %s.", "This is **%s** now.", "Run it with `%s` set.", "~~~\n%s\n~~~", "He wrote \"%s\" and left.", "(%s)", "[%s]",
	"| it | %s |", "密钥是%s，请保密。", "---\nsource: '%s'\n---\n", "## About %s\n", "<b>%s</b>", "a\r\n%s\r\nb", "\xff\x00%s\xfe", "==%s==", "*%s*", "a, %s, b; %s",
}

func TestFindVendors(t *testing.T) {
	for seed := range uint64(20) {
		for _, s := range newMaker(seed).vendors() {
			for _, around := range surroundings {
				text := strings.ReplaceAll(around, "%s", s.before+s.secret+s.after)
				if s.before != "" && strings.ContainsAny(around, "'\"<") {
					continue
				}
				redacted, counts := secret.Redact(text)
				if strings.Contains(redacted, s.secret[len(s.secret)-8:]) || !named(counts, s.rule) {
					t.Errorf("%s in %q: %v", s.rule, around, counts)
				}
				checkRedacted(t, text, redacted)
			}
		}
	}
}

func named(counts []secret.Count, name string) bool {
	for _, count := range counts {
		if count.Name == name {
			return true
		}
	}
	return false
}

// checkRedacted holds a redaction to what is promised of all.
func checkRedacted(t *testing.T, text, redacted string) {
	t.Helper()
	if again, counts := secret.Redact(redacted); again != redacted {
		t.Errorf("redacting redacted text finds %v", counts)
	}
	for _, end := range []string{"\n", "\r"} {
		if strings.Count(text, end) != strings.Count(redacted, end) {
			t.Errorf("%d line ends %q became %d", strings.Count(text, end), end, strings.Count(redacted, end))
		}
	}
	if utf8.ValidString(text) && !utf8.ValidString(redacted) {
		t.Error("UTF-8 was cut")
	}
}

func TestFindGeneric(t *testing.T) {
	for seed := range uint64(20) {
		for _, s := range newMaker(seed).generic() {
			for _, around := range []string{"%s", "Before.\n\n%s\n\nAfter.", "a line\r\n%s\r\nanother", "日本\n%s\n"} {
				text := strings.ReplaceAll(around, "%s", s.before+s.secret+s.after)
				redacted, counts := secret.Redact(text)
				if strings.Contains(redacted, s.secret[len(s.secret)-8:]) || !named(counts, s.rule) {
					t.Errorf("%s (%.20q): %v", s.rule, s.before, counts)
				}
				if !strings.Contains(redacted, strings.TrimRight(s.after, "\n")) {
					t.Errorf("%s: what follows is gone", s.rule)
				}
				checkRedacted(t, text, redacted)
			}
		}
	}
}

func TestFindHidden(t *testing.T) {
	m := newMaker(3)
	rest := m.of(alnum, 36)
	prefix := "gh" + "p_"
	for name, text := range map[string]string{
		"zero-width":    prefix + rest[:20] + "\u200b" + rest[20:],
		"soft hyphen":   prefix + rest[:20] + "\u00ad" + rest[20:],
		"escape":        strings.ReplaceAll(prefix, "_", `\_`) + rest,
		"percent":       strings.ReplaceAll(prefix, "_", `%5F`) + rest,
		"full width":    "ｇｈｐ＿" + rest,
		"wrapped":       prefix + rest[:20] + "\n" + rest[20:],
		"wrapped quote": "> " + prefix + rest[:20] + "  \r\n> " + rest[20:],
		"in a name":     "notes/" + prefix + rest + ".md",
		"escape before": `token\n` + prefix + rest,
	} {
		redacted, counts := secret.Redact("This is " + text + " here.")
		if strings.Contains(redacted, rest[28:]) || !named(counts, "github-token") {
			t.Errorf("%s: %v", name, counts)
		}
		if !strings.HasSuffix(redacted, " here.") && name != "in a name" {
			t.Errorf("%s: %q", name, redacted)
		}
		checkRedacted(t, "This is "+text+" here.", redacted)
	}
}

func TestWrappedStopsAtToken(t *testing.T) {
	token := "gh" + "p_" + newMaker(5).of(alnum, 36)
	for _, next := range []string{"Then the kiln was opened.", "2031-01-02 was the day.", "AnotherLine99 of text", "- a list"} {
		redacted, _ := secret.Redact("The token is " + token + "\n" + next)
		if !strings.HasSuffix(redacted, "]\n"+next) {
			t.Errorf("%q became %q", next, redacted)
		}
	}
}

func TestInnocent(t *testing.T) {
	m := newMaker(11)
	uuid := func() string {
		return m.of(hex, 8) + "-" + m.of(hex, 4) + "-4" + m.of(hex, 3) + "-8" + m.of(hex, 3) + "-" + m.of(hex, 12)
	}
	for range 20 {
		for _, text := range []string{
			"The keyboard layout switcher keeps the last token of the sentence.", "type AccessTokenProvider interface { RefreshTokenBeforeExpiry() }",
			"commit " + m.of(hex, 40), "sha256:" + m.of(hex, 64), uuid(), "urn:uuid:" + uuid(), "ETag: \"" + m.of(hex, 32) + "\"", "h1:" + m.of(base64, 43) + "=",
			"![](data:image/png;base64,iVBORw0KGgo" + m.of(base64, 400) + "=)", "integrity=\"sha512-" + m.of(base64, 86) + "==\"",
			"-----BEGIN " + "CERTIFICATE-----\nMIID" + m.of(base64, 60) + "\n" + m.of(base64, 64) + "\n-----END " + "CERTIFICATE-----",
			"-----BEGIN " + "PUBLIC KEY-----\nMIIB" + m.of(base64, 60) + "\n-----END " + "PUBLIC KEY-----",
			"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + m.of(base64, 43) + " ann@example", "color: #" + m.of(hex, 6) + "; background: #" + m.of(hex, 8),
			"```compressed-json\n" + m.of(base64, 150) + "\n" + m.of(base64, 150) + "\n```", "https://example.org/d/" + m.of(url, 44) + "/edit",
			"https://example.org/a?fbclid=" + m.of(url, 60), "deviceId: \"" + m.of(base64, 43) + "=\"", "SHA384 hash is `" + m.of(base64, 64) + "`",
			"api_key: YOUR_API_KEY_HERE", "token: <your-token>", "password: ********", "secret: xxxxxxxxxxxxxxxxxxxx", "AKIA" + "IOSFODNN7" + "EXAMPLE",
			"export TOKEN=$MY_TOKEN", "export TOKEN=${MY_TOKEN_V2:-x}", "password = os.environ['DB_PASSWORD2']", "password: process.env.DB_PASS1",
			"const token = await getAccessToken2(user1)", "key='America/Chicago'", "branch feature/rework-token-refresh-handling-2",
			"https://example.org/a/very/long/path/to/some/document-2031-01-02.html?page=2", "secretName: my-app-tls-secret-2", "token_type: bearer",
			"The password: it must have eight characters.", "Secret: never fire wet clay.", "task-list, risk-based, desk-sized, sk-learn",
			"Basic understanding of authentication/authorization, bearer tokens.", "max_tokens: 4000", "Passwords: see page 12", "password: String(255)",
			"postgres://user:password@localhost/db", "https://user:pass@example.org/", "mysql://root:${DB_PASSWORD}@db/app", "http://localhost:3000/@scope/package2",
			"type=\"password\" name=\"password2\" id=\"pass-1\"", "compass: north2south", "ghp" + "_" + strings.Repeat("x", 36), "sk-" + "your-key-goes-here-and-there",
			"import { SecretManagerServiceClient2 } from '@google-cloud/secret-manager'", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
			"aGVyZSBpcyBhIGxvbmcgYml0IG9mIHRleHQgdG8gYmFzZTY0IGVuY29kZSB3aXRo", "sk-estimator-doc-link-container-fitted-hover", "password123", "user: hunter",
			"[REDACTED:github-token] password: [REDACTED:password] and [REDACTED:x", "The Tokenizer: BertTokenizerFast2048WithLongName", "pat" + "h/to/some.file",
		} {
			if redacted, counts := secret.Redact(text); redacted != text {
				t.Errorf("%q became %q: %v", text, redacted, counts)
			}
		}
	}
}

func TestSpans(t *testing.T) {
	m := newMaker(9)
	token := "gh" + "p_" + m.of(alnum, 36)
	text := []byte("password = " + token + " and\n" + token + " end")
	spans := secret.Find(text)
	want := []secret.Span{{Start: 11, End: 51, Name: "github-token"}, {Start: 56, End: 96, Name: "github-token"}}
	if diff := cmp.Diff(want, spans); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]secret.Count{{Name: "github-token", Count: 2}}, secret.Counts(spans)); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	marker := secret.Marker("github-token")
	redacted := secret.Apply(text, spans)
	if string(redacted) != "password = "+marker+" and\n"+marker+" end" {
		t.Errorf("redacted %q", redacted)
	}
	if secret.Find(nil) != nil || secret.Find([]byte("nothing here")) != nil {
		t.Error("something in nothing")
	}
	if text, counts := secret.Redact("plain"); text != "plain" || counts == nil || len(counts) != 0 {
		t.Errorf("%q %v", text, counts)
	}
}

func TestMarkerKeepsLines(t *testing.T) {
	m := newMaker(2)
	key := "-----BEGIN " + "PRIVATE KEY-----\r\n" + m.of(base64, 64) + "\r\n" + m.of(base64, 64) + "\r\n-----END " + "PRIVATE KEY-----"
	redacted, _ := secret.Redact("a\r\n" + key + "\r\nb")
	if want := "a\r\n" + secret.Marker("private-key") + "\r\n\r\n\r\n\r\nb"; redacted != want {
		t.Errorf("%q, want %q", redacted, want)
	}
}

// TestHostile holds the time to the length: texts that look like the start of secrets all along.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	const size = 2 << 20
	for _, unit := range []string{
		"a", "key=", "-----BEGIN ", "Bearer eyJ", "eyJ", "-eyJ", "eyJ.", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\nabcdefghijklmnopqrstuvwx\n",
		"password=", "password: ", "token=secret=", "secret_token_", "gh" + "p_", "sk-", "-sk-ant-", "://a:", "://", "://a:b", "curl -u a:", "curl ", "Basic ", "AKIA",
		"-AKIA", "hf_-", ":AA", "1:AA", "-us1", "deadbeef-us", ".atlasv1.", "Q~", "aQ~", "AZDO", "a1AZDO", "[REDACTED:", "[REDACTED:a]", "\u200b", "%41", `\_`, "％",
		"a1B2c3D4", "aB3/", "aB3xY9zK4mN7pQ2rS5tU8vW1aB3xY9zK4mN7pQ2rS5t ", "MTIzNDU2Nzg5MDEyMzQ1Njc4.abcdef.", "aws secret ", "aws_secret_access_key = ",
		"otpauth://", "PrivateKey = ", "Private-Lines:\n", "pat-", "lsv2_pt_", "xoxb-", "_auth=", "\n", "dop_v1_0123456789abcdef\n", "access-production-\n",
		"passw", "pass=1", "secret ", "api key ", "A3-", "re_", "\xe5\xaf\x86\xe7\xa0\x81:", "sk-a1\n", "> ", "|",
	} {
		short, long := timeOf(unit, size/4), timeOf(unit, size)
		// Four times the text takes four times as long; sixteen times would be quadratic. A machine may stumble once.
		if long > time.Second && long > 10*short && timeOf(unit, size) > 10*timeOf(unit, size/4) {
			t.Errorf("%q repeated: %v for %d KiB, %v for a quarter", unit, long, size>>10, short)
		}
	}
}

func timeOf(unit string, size int) time.Duration {
	text := bytes.Repeat([]byte(unit), size/len(unit))
	start := time.Now()
	secret.Find(text)
	return time.Since(start)
}

// TestMixtures puts secrets, halves of them and words about them side by side in every way.
func TestMixtures(t *testing.T) {
	m := newMaker(21)
	pieces := []string{
		"password", "token", ": ", "=", " ", "\n", "\n\n", "\"", "'", "`", "**", "[", "](", ")", "| ", "://", "ann:", "@host", "Bearer ", "> ", "secret", "key", "curl -u ",
		"-----BEGIN " + "PRIVATE KEY-----\n", "-----END " + "PRIVATE KEY-----", "base64,", "sha256-", "?sig=", "[REDACTED:", "[REDACTED:jwt]", "\u200b", `\_`, "%3D", "。",
	}
	for _, s := range append(m.vendors(), m.generic()...) {
		half := len(s.secret) / 2
		pieces = append(pieces, s.before+s.secret+s.after, s.secret, s.secret[:half], s.secret[half:])
	}
	texts := 20_000
	if testing.Short() {
		texts /= 10
	}
	for range texts {
		var text strings.Builder
		for range 2 + m.IntN(7) {
			text.WriteString(pieces[m.IntN(len(pieces))])
		}
		redacted, _ := secret.Redact(text.String())
		checkRedacted(t, text.String(), redacted)
		if t.Failed() {
			t.Fatalf("text %q\nredacted %q", text.String(), redacted)
		}
	}
}

// TestRealNotes counts redactions in notes as their authors published them.
func TestRealNotes(t *testing.T) {
	const most = 5.0 // for 1,000 notes
	dir := filepath.Join("..", "..", "shared", "vaults", "til", "vault")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the notes are not here:", err)
	}
	counts := map[string]int{}
	notes, found := 0, 0
	for _, text := range readNotes(t, dir) {
		notes++
		for _, span := range secret.Find(text) {
			counts[span.Name]++
			found++
		}
	}
	rate := 1000 * float64(found) / float64(notes)
	t.Logf("%d notes, %.1f for 1,000: %v", notes, rate, counts)
	if rate > most {
		t.Errorf("%.1f redactions for 1,000 notes", rate)
	}
}

func readNotes(t testing.TB, dir string) [][]byte {
	t.Helper()
	var texts [][]byte
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		texts = append(texts, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func BenchmarkFind(b *testing.B) {
	dir := filepath.Join("..", "..", "shared", "vaults", "til", "vault")
	if _, err := os.Stat(dir); err != nil {
		b.Skip("the notes are not here:", err)
	}
	texts := readNotes(b, dir)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, text := range texts {
			secret.Find(text)
		}
	}
}

func ExampleRedact() {
	text, counts := secret.Redact("login: ann\npassword: \"" + "blue" + "Kettle#42" + "\"\n")
	fmt.Print(text, counts)
	// Output:
	// login: ann
	// password: "[REDACTED:password]"
	// [{password 1}]
}
