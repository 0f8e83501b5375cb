package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"quarry/secret"
)

// shapes are texts as real ones are, dense with what rules look for: none may be too much to look at.
func shapes() map[string]string {
	m := newMaker(61)
	repeat := func(row func(i int) string) string {
		var text strings.Builder
		for i := 0; text.Len() < 200_000; i++ {
			text.WriteString(row(i))
		}
		return text.String()
	}
	word := func(i int) string {
		return []string{"key", "token", "secret", "password", "session", "api", "user", "auth"}[i%8]
	}
	return map[string]string{
		"lock file": repeat(func(i int) string {
			return fmt.Sprintf("    \"node_modules/@scope/%s-%d\": {\n      \"resolved\": \"https://registry.local/%s/-/%s-1.%d.0.tgz\",\n      \"integrity\": \"sha512-%s==\",\n      \"license\": \"MIT\"\n    },\n", word(i), i, word(i), word(i), i%9, m.of(base64, 86))
		}),
		"minified JSON": repeat(func(i int) string {
			return fmt.Sprintf(`{"id":%d,"%sId":"%s","key":"k%d","tokenType":"bearer","url":"https://a.local/%s?key=%d&token=none","passwordSet":true},`, i, word(i), m.of(hex, 12), i, word(i), i)
		}),
		"CSV": repeat(func(i int) string {
			return fmt.Sprintf("%d,%s,ann%d@mail.local,%s,2031-01-%02d,key %d,\"token, secret\"\n", i, word(i), i, m.of(digits, 9), i%28+1, i)
		}),
		"web log": repeat(func(i int) string {
			return fmt.Sprintf("10.0.0.%d - ann [01/Feb/2031:10:00:%02d +0000] \"GET /%s/%s?key=%d&session=%d HTTP/1.1\" 200 %d \"https://a.local/login?next=%%2Fkey\" \"Agent/5.0 (X11; token)\"\n", i%256, i%60, word(i), word(i+1), i, i, i)
		}),
		"service log": repeat(func(i int) string {
			return fmt.Sprintf("2031-02-01T10:00:%02dZ level=info msg=\"refreshed %s for user=%d\" token_type=bearer key=%s.%d session=%d auth=ok\n", i%60, word(i), i, word(i+3), i, i)
		}),
		"table": "| key | token | password | note |\n| --- | --- | --- | --- |\n" + repeat(func(i int) string {
			return fmt.Sprintf("| %s | the token of %d | see vault | %s |\n", word(i), i, word(i+1))
		}),
		"code": repeat(func(i int) string {
			return fmt.Sprintf("func (c *Client) Set%sKey%d(key string, token Token) error { return c.auth.key(key, \"%s\", secretKey, c.password) }\n", word(i), i, word(i))
		}),
		"settings": repeat(func(i int) string {
			return fmt.Sprintf("%s_KEY_%d=${%s_KEY}\n# the key of the session\nauth.token.%d = none\n", strings.ToUpper(word(i)), i, word(i), i)
		}),
		"manifests": repeat(func(i int) string {
			return fmt.Sprintf("- name: %s-%d\n  valueFrom:\n    secretKeyRef:\n      name: %s-secret\n      key: token\n", word(i), i, word(i))
		}),
		"links": repeat(func(i int) string {
			return fmt.Sprintf("- [the %s key](https://github.com/ann/%s/blob/main/token.md#%d) and [[%s]]\n", word(i), word(i), i, word(i+2))
		}),
	}
}

func TestAllIsScanned(t *testing.T) {
	for name, text := range shapes() {
		count := map[string]int{}
		for _, span := range secret.Find([]byte(text)) {
			count[span.Name]++
		}
		if count[secret.Unscanned] > 0 {
			t.Errorf("%s: %d stretches are withheld", name, count[secret.Unscanned])
		}
		document, err := json.Marshal(strings.Split(text, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(secret.Default().RedactJSON(document), []byte(secret.Marker(secret.Unscanned))) {
			t.Errorf("%s: stretches of it as JSON are withheld", name)
		}
	}
}

// TestUnscannedHoldsNothing: of a text made to take long, no secret is shown that is not looked for.
func TestUnscannedHoldsNothing(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	m := newMaker(62)
	token := "gh" + "p_" + m.of(alnum, 36)
	key := "-----BEGIN " + "PRIVATE KEY-----\n" + m.of(base64, 64) + "\n" + m.of(base64, 64) + "\n-----END " + "PRIVATE KEY-----"
	for _, unit := range []string{"key= ", "password ", "Bearer ", "https://a:b "} {
		for distance := 0; distance < 40; distance += step {
			filler := strings.Repeat(unit, 8200/len(unit)+distance)
			text := filler + token + " " + filler + "\n" + key + "\n" + filler
			spans := secret.Find([]byte(text))
			redacted := string(secret.Apply([]byte(text), spans))
			if strings.Contains(redacted, token[30:]) || strings.Contains(redacted, key[60:80]) {
				t.Fatalf("%q: a secret is shown", unit)
			}
			checkRedacted(t, text, redacted)
		}
	}
}

// TestTenMegabytes holds the worst known texts to a time for all sizes.
func TestTenMegabytes(t *testing.T) {
	if testing.Short() {
		t.Skip("long texts")
	}
	for _, unit := range []string{"a", "key=", "-----BEGIN ", "eyJ", "the "} {
		text := bytes.Repeat([]byte(unit), 10<<20/len(unit))
		best := time.Hour
		for range 3 { // a machine may be busy with something else
			start := time.Now()
			secret.Find(text)
			if best = min(best, time.Since(start)); best < time.Second {
				break
			}
		}
		t.Logf("%q: %v", unit, best)
		if best > 8*time.Second {
			t.Errorf("10 MB of %q take %v", unit, best)
		}
	}
}
