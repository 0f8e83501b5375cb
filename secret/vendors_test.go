package secret_test

import (
	"fmt"
	"hash/crc32"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"quarry/secret"
)

// alphabets of the sets of bytes in shapes, without punctuation: where it stands in a made-up token does not matter.
var alphabets = map[byte]string{
	'd': digits, 'D': digits[1:], 'h': hex, 'H': hex, 'l': strings.ToLower(upper), 'L': upper, 'a': strings.ToLower(upper) + digits, 'V': upper + digits,
	'e': base32, 'q': base32, 'A': alnum, 'w': alnum, 'b': alnum, 'k': alnum, 's': alnum, 'p': alnum, 't': alnum, 'z': alnum, 'y': alnum,
}

var spellUUID = strings.NewReplacer("{uuid}", "{h8}-{h4}-4{h3}-8{h3}-{h12}", "{guid}", "{a8}-{a4}-{a4}-{a4}-{a12}")

var shapeCount = regexp.MustCompile(`\{([A-Za-z])(\d+)(?:([+-])(\d*))?\}`)

// token makes one up. Each choice of the shape is taken at random; less takes so many bytes off the last stretch.
func (m maker) token(shape string, less int) (text, inside string) {
	shape = spellUUID.Replace(shape)
	for strings.Contains(shape, "(") {
		open := strings.IndexByte(shape, '(')
		end := open + strings.IndexByte(shape[open:], ')')
		choices := strings.Split(shape[open+1:end], "|")
		shape = shape[:open] + choices[m.IntN(len(choices))] + shape[end+1:]
	}
	counts := shapeCount.FindAllStringIndex(shape, -1)
	last := counts[len(counts)-1][0]
	for i := len(counts) - 1; i >= 0; i-- {
		part := shapeCount.FindStringSubmatch(shape[counts[i][0]:counts[i][1]])
		size, _ := strconv.Atoi(part[2])
		if most, err := strconv.Atoi(part[4]); err == nil && less == 0 {
			if part[3] == "-" {
				size += m.IntN(most - size + 1)
			} else {
				size = most
			}
		}
		if counts[i][0] == last {
			size -= less
		}
		shape = shape[:counts[i][0]] + m.of(alphabets[part[1][0]], size) + shape[counts[i][1]:]
	}
	shape = strings.NewReplacer("␣", " ", "¦", "|").Replace(shape)
	if open := strings.Index(shape, "«"); open >= 0 {
		end := strings.Index(shape, "»")
		return strings.NewReplacer("«", "", "»", "").Replace(shape), shape[open+len("«") : end]
	}
	return shape, shape
}

var vendorSurroundings = []string{
	"%s", "They pasted %s here.", "The end is %s.", "This is **%s** now.", "Run it with `%s` set.", "```\n%s\n```", "He wrote \"%s\" and left.",
	"See [the page](%s) for more.", "| it | %s |\n", "密钥是%s，请保密。", "---\nsource: '%s'\n---\n", "## About %s\n", "- %s\n- b", "x=%s", "(%s)", "<%s>",
	"https://a.local/?q=%%20%s", "https://a.local/?q=a%%E3%%80%%80%s", "https://a.local/?q=%%2520%s&b", "two\\u0020%s", "mail =3D=20%s", `a\x20%s`,
}

// hasRange: what an end of line cuts off such a token may be all of it.
var hasRange = regexp.MustCompile(`\{.\d+-\d+\}`)

func countDigits(text string) int {
	count := 0
	for _, c := range text {
		count += strings.Count(digits, string(c))
	}
	return count
}

func TestVendorShapes(t *testing.T) {
	missed := map[string]int{} // shape → seeds
	for seed := range uint64(5) {
		m := newMaker(100 + seed)
		for _, v := range secret.VendorShapes() {
			text, inside := m.token(v.Shape, 0)
			middle := len(text) - len(inside)/2
			surrounded := map[string]string{"zero-width": "This is " + text[:middle] + "\u200b" + text[middle:] + " here."}
			if v.Anchored && len(text) > 30 && !hasRange.MatchString(v.Shape) && countDigits(text[len(text)-14:]) > 1 {
				surrounded["wrapped"] = "> This is " + text[:len(text)-14] + "\n> " + text[len(text)-14:] + " here."
			}
			for _, around := range vendorSurroundings {
				surrounded[around] = fmt.Sprintf(around, text)
			}
			if cut := v.Before * 2 / 3; cut > 8 && !hasRange.MatchString(v.Shape) && countDigits(text[:cut]) > 1 {
				surrounded["wrapped before"] = "> This is " + text[:cut] + "\n> " + text[cut:] + " here."
			}
			for around, whole := range surrounded {
				redacted, counts := secret.Redact(whole)
				if tail := inside[max(0, len(inside)-8):]; !strings.Contains(redacted, tail) && named(counts, v.Name) {
					continue
				}
				// Where words begin so, too, few random letters may read like one.
				if missed[v.Shape]++; !v.Worded || len(text) > 36 || missed[v.Shape] > 1 {
					t.Errorf("%s, %s in %q: %v", v.Name, v.Shape, around, counts)
				}
				break
			}
		}
	}
}

func TestVendorNearMisses(t *testing.T) {
	for seed := range uint64(5) {
		m := newMaker(200 + seed)
		for _, v := range secret.VendorShapes() {
			if short, _ := m.token(v.Shape, 1); v.Exact && !strings.HasSuffix(v.Shape, ")") {
				if _, counts := secret.Redact("This is " + short + " here."); named(counts, v.Name) {
					t.Errorf("%s, %s: a byte too short is found", v.Name, v.Shape)
				}
			}
			if !v.Worded {
				continue
			}
			words := shapeCount.ReplaceAllStringFunc(spellUUID.Replace(v.Shape), func(part string) string {
				size, _ := strconv.Atoi(shapeCount.FindStringSubmatch(part)[2])
				return strings.Repeat("kilnwasfiredslowlyandtheglazerandown", 5)[:size]
			})
			text, _ := m.token(words+"{d0}", 0)
			if _, counts := secret.Redact("This is " + text + " here."); named(counts, v.Name) {
				t.Errorf("%s, %s: words are found: %s", v.Name, v.Shape, text)
			}
		}
	}
}

func TestVendorNearServices(t *testing.T) {
	m := newMaker(300)
	for _, row := range secret.NearForms() {
		for service := range strings.FieldsSeq(row[1]) {
			names := strings.Split(strings.ReplaceAll(service, "␣", " "), ",")
			name := strings.ReplaceAll(names[0], ".", "-") + "-key"
			word := names[m.IntN(len(names))]
			value, _ := m.token(row[0], 0)
			for _, text := range []string{
				word + "_api_key = " + value + "\n", strings.ToUpper(word) + "_TOKEN=\"" + value + "\"", "The " + word + " token: `" + value + "`.", "| " + word + " key | " + value + " |",
				"{\"" + word + "Secret\": \"" + value + "\"}", "Keys for " + word + ":\n- key: " + value,
			} {
				redacted, counts := secret.Redact(text)
				if strings.Contains(redacted, value) || !named(counts, name) {
					t.Errorf("%s, %s: %q: %v", name, row[0], text, counts)
				}
			}
			for _, text := range []string{"The " + word + " commit is " + value, "see " + word + " https://example.org/" + value + "/edit", word + "s are fine, " + m.of(alnum, 9)} {
				if _, counts := secret.Redact(text); named(counts, name) {
					t.Errorf("%s, %s: %q is none: %v", name, row[0], text, counts)
				}
			}
		}
	}
}

func TestVendorInnocent(t *testing.T) {
	m := newMaker(500)
	uuid := func() string { text, _ := m.token("{uuid}", 0); return text }
	for range 20 {
		for _, text := range []string{
			"GitHub commit " + m.of(hex, 40), "github.com/ann/tools@" + m.of(hex, 40), "See the GitHub API at " + m.of(hex, 40), "Linear issue id: " + uuid(),
			"The Asana API: task 12" + m.of(digits, 14), "Discord guild 12" + m.of(digits, 16), "discord_client_id = 12" + m.of(digits, 16), "heroku app id: " + uuid(),
			"snyk project uuid " + uuid(), "https://app.datadoghq.com/dash/" + m.of(alnum, 32), "twitter.com/ann/status/1" + m.of(digits, 18), "Jira key: ABC-1234",
			"npm_config_registry_and_more_of_it", "test_that_a_token_is_renewed_before_it_expires", "live_reload_when_a_file_of_the_folder_changes",
			"re_render_the_component_with_new_data", "api-" + strings.Repeat("documentation-", 3), "sk_learn", "pat_match_with_a_long_name", "key-value-stores-and-document-databases",
			"SKU 1234567890", "AKIAIO" + "SFODNN7" + "EXAMPLE", "sha256:" + m.of(hex, 64), "resolved \"https://registry.npmjs.org/a/-/a-1.0.0.tgz#" + m.of(hex, 40) + "\"",
			"integrity sha512-" + m.of(base64, 86) + "==", "figma.com/file/" + m.of(alnum, 22) + "/Name", "airtable.com/app" + m.of(alnum, 14) + "/tbl" + m.of(alnum, 14),
			"GOOGLE_APPLICATION_CREDENTIALS_JSON_FILE", "Keyboard layouts of Datadog and " + m.of(hex, 32), "A1:" + "A2, B1:" + "AB", "hf_hub_download_and_cache_models_from_there",
			"pk_primary_key_of_the_table_of_users", "The vault key: notes/daily/2031-01-02", "dp.padding.left.of.the.whole.screen.and.more", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA",
			"export SLACK_TOKEN=xox" + "b-your-token-here", "OPENAI_API_KEY=sk-" + "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp" + "_your_token_goes_in_here_and_nowhere_else",
		} {
			if redacted, counts := secret.Redact(text); redacted != text {
				t.Errorf("%q became %q: %v", text, redacted, counts)
			}
		}
	}
}

func TestVendorNames(t *testing.T) {
	valid := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	apart, near := map[string]bool{}, map[string]bool{}
	for _, v := range secret.VendorShapes() {
		apart[v.Name] = true
	}
	for _, name := range secret.VendorNames() {
		if !valid.MatchString(name) {
			t.Errorf("%q is no name of a rule", name)
		}
		if near[name] {
			t.Errorf("the names of the service of %s differ among the rows", name)
		}
		near[name] = !apart[name]
	}
}

// TestVendorChecksums: a right one is withheld though it reads like a sample, a wrong one is withheld unless it does.
func TestVendorChecksums(t *testing.T) {
	m := newMaker(400)
	base62 := func(body string) string {
		sum, out := crc32.ChecksumIEEE([]byte(body)), ""
		for range 6 {
			out = string((digits + upper + strings.ToLower(upper))[sum%62]) + out
			sum /= 62
		}
		return out
	}
	hexSum := func(text string) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text))) }
	reversed := func(sum string) string { return sum[6:] + sum[4:6] + sum[2:4] + sum[:2] }
	sample := strings.Repeat("x", 30)
	for name, made := range map[string]func(body string) string{
		"github-token":  func(body string) string { return "gh" + "p_" + body + base62(body) },
		"npm-token":     func(body string) string { return "np" + "m_" + body + base62(body) },
		"netbird-token": func(body string) string { return "nb" + "p_" + body + base62(body) },
		"grafana-token": func(body string) string {
			token := "gl" + "sa_" + body + "zz"
			return token + "_" + reversed(hexSum(token))
		},
		"cloudflare-token": func(body string) string { return "cf" + "ut_" + body + body[:10] + hexSum(body+body[:10]) },
		"atlassian-token": func(body string) string {
			token := "AT" + "ATT3" + strings.Repeat(body, 4) + "="
			return token + strings.ToUpper(hexSum(token))
		},
	} {
		right := made(sample)
		if _, counts := secret.Redact("It is " + right + " here."); !named(counts, name) {
			t.Errorf("%s with its checksum: %v", name, counts)
		}
		wrong := right[:len(right)-1] + string(alnum[(strings.IndexByte(alnum, right[len(right)-1])+1)%10])
		if _, counts := secret.Redact("It is " + wrong + " here."); named(counts, name) && strings.Contains(wrong, "xxxxxx") {
			t.Errorf("%s: a sample with a wrong checksum is found", name)
		}
		random := made(m.of(alnum, 30))
		random = random[:len(random)-4] + "0000"
		if _, counts := secret.Redact("It is " + random + " here."); !named(counts, name) {
			t.Errorf("%s with a wrong checksum: %v", name, counts)
		}
	}
}

// TestVendorHostile holds the time to the length, for texts that begin tokens all along.
func TestVendorHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	const size = 1 << 20
	for _, unit := range []string{
		"aws_session_", "aws_session-key-", "datadog ", "datadog key ", "github_token=a1", "twitter-", "x-us1", "_mmk", "A1:A", "1/1", "test_", "live_a1", "-api-", "Q~a1", "a1+ASt",
		"a1AzFu", "eyJrIjoi", "a1.v1.a1", "00D!", "1.A", "t1.", "a1NRAL", "==:", "sk-T3BlbkFJ", "sk-a1T3BlbkFJ-", "pk.eyJ.", "://datadog:key:", "vault: s.",
	} {
		short, long := timeOf(unit, size/4), timeOf(unit, size)
		if long > time.Second && long > 10*short && timeOf(unit, size) > 10*timeOf(unit, size/4) {
			t.Errorf("%q repeated: %v for %d KiB, %v for a quarter", unit, long, size>>10, short)
		}
		if long > 3*time.Second {
			t.Logf("%q repeated: %v", unit, long)
		}
	}
}

// TestVendorNamesInsideValues: random letters spell the names of services now and then.
func TestVendorNamesInsideValues(t *testing.T) {
	for seed := range uint64(8) {
		m := newMaker(600 + seed)
		var keys strings.Builder
		for keys.Len() < 300_000 {
			fmt.Fprintf(&keys, `{"kty":"EC","crv":"P-256","kid":"%s","x":"%s","y":"%s"},{"kty":"RSA","e":"AQAB","n":"%s"},`,
				m.of(url, 27), m.of(url, 43), m.of(url, 43), m.of(url, 342))
		}
		if _, counts := secret.Redact(keys.String()); len(counts) > 0 {
			t.Errorf("seed %d: %v", seed, counts)
		}
	}
}

// TestVendorLengths: of a documented length, letters without a digit are a token, and words are none.
func TestVendorLengths(t *testing.T) {
	letters := upper + strings.ToLower(upper)
	for seed := range uint64(200) {
		m := newMaker(700 + seed)
		for name, token := range map[string]string{
			"huggingface-token": "hf" + "_" + m.of(letters, 34), "npm-token": "np" + "m_" + m.of(letters, 36), "overleaf-token": "ol" + "p_" + m.of(letters, 36),
		} {
			if _, counts := secret.Redact("see [it](" + token + ")"); !named(counts, name) {
				t.Errorf("%s: %v", name, counts)
			}
		}
	}
	for _, words := range []string{"hf_" + "theKilnWasFiredSlowlyAndTheGlazeRa", "npm_" + "configRegistryOfTheWholeOrganisation", "hf_" + "KILN_WAS_FIRED_SLOWLY_AND_THE_GLAZ"} {
		if redacted, counts := secret.Redact(words); redacted != words {
			t.Errorf("%q: %v", words, counts)
		}
	}
}

// TestVendorNearFewLetters: in a short value three pairs of letters are no word, and digits alone may be a token.
func TestVendorNearFewLetters(t *testing.T) {
	for value, name := range map[string]string{"4in7rx0th2qd5on1": "linkedin-key", "4in7rx0th2qd5on1ab3k9x7z": "looker-key", "73" + "90482615507394": "asana-key"} {
		service, _, _ := strings.Cut(name, "-")
		for _, text := range []string{service + "Token = \"" + value + "\"", service + "_secret: " + value} {
			if redacted, counts := secret.Redact(text); strings.Contains(redacted, value) || !named(counts, name) {
				t.Errorf("%q: %v", text, counts)
			}
		}
	}
	for _, text := range []string{"linkedin key: professional1234", "asana_token = 1111222233334444", "looker secret: theothermeetingnotes1234"} {
		if redacted, counts := secret.Redact(text); redacted != text {
			t.Errorf("%q: %v", text, counts)
		}
	}
}
