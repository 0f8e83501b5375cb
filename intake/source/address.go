package source

import (
	"encoding/base64"
	"net/url"
	"strings"

	"quarry/internal/lazyregexp"
)

const maxAddress = 4096 // bytes

// trackers are parameters that tell where a reader came from and nothing of the page.
var trackers = map[string]bool{
	"fbclid": true, "gclid": true, "gclsrc": true, "dclid": true, "gbraid": true, "wbraid": true, "msclkid": true, "twclid": true, "yclid": true, "ysclid": true, "igshid": true, "igsh": true,
	"mc_cid": true, "mc_eid": true, "_hsenc": true, "_hsmi": true, "__hstc": true, "__hssc": true, "__hsfp": true, "hsctatracking": true, "mkt_tok": true, "vero_id": true, "vero_conv": true,
	"oly_enc_id": true, "oly_anon_id": true, "_openstat": true, "wickedid": true, "rb_clickid": true, "s_cid": true, "ml_subscriber": true, "ml_subscriber_hash": true, "_bta_tid": true, "_bta_c": true,
	"sc_campaign": true, "sc_channel": true, "trk_contact": true, "trk_msg": true, "ck_subscriber_id": true, "bxid": true, "_kx": true, "cndid": true,
}

// webAddress is an address of the web without what only tells where a reader came from; "" where it is none. The rest stays as it is
// written, the order of its parameters too.
func webAddress(text string) string {
	text = strings.TrimSpace(text)
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || len(text) > maxAddress || strings.ContainsAny(text, "\x00\n\r\t<>\"` ") && !canEscape(text) {
		return ""
	}
	if scheme := strings.ToLower(parsed.Scheme); scheme != "http" && scheme != "https" {
		return ""
	}
	parsed.User = nil // a name and password are nobody's business in a note
	if kept := withoutTrackers(parsed.RawQuery); kept != parsed.RawQuery {
		parsed.RawQuery, parsed.ForceQuery = kept, false
	} else if parsed.String() == text {
		return text
	}
	return parsed.String()
}

func canEscape(text string) bool { return !strings.ContainsAny(text, "\x00\n\r\t") }

func withoutTrackers(query string) string {
	if query == "" {
		return ""
	}
	kept := []string{}
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		name = strings.ToLower(strings.TrimPrefix(name, "amp;"))
		if !strings.HasPrefix(name, "utm_") && !trackers[name] {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "&")
}

// resolved is a web address as a document at base means it, "" where it is none.
func resolved(base *url.URL, text string) string {
	text = strings.TrimSpace(text)
	if base != nil && text != "" && len(text) <= maxAddress {
		if parsed, err := url.Parse(text); err == nil {
			text = base.ResolveReference(parsed).String()
		}
	}
	return webAddress(unwrapped(text))
}

// baseOf is an address that others are relative to, nil where it is none.
func baseOf(candidates ...string) *url.URL {
	for _, text := range candidates {
		if address := webAddress(text); address != "" {
			if parsed, err := url.Parse(address); err == nil {
				return parsed
			}
		}
	}
	return nil
}

var (
	trackerHost = lazyregexp.New(`(?i)^(?:[a-z0-9-]*(?:click|track|trk|redir)[a-z0-9-]*|links?\d*|lnks?|go|r|t|l|e|el?|ct|em\d*|email|mail(?:er|ing)?s?\d*|url\d*|out|newsletter|news|u\d+|ablink|mandrillapp|list-manage|nam\d+|eur\d+)\.|\.(?:safelinks\.protection\.outlook\.com|awstrack\.me|list-manage\d*\.com|sendgrid\.net|hubspotlinks\.com|urldefense\.com|mailchimp\.com|beehiiv\.com)$`)
	trackerPath = lazyregexp.New(`(?i)(?:^|/)(?:[a-z]*click[a-z]*|[a-z]*track[a-z]*|[a-z_-]*redir(?:ect)?[a-z_-]*|l0|cl0|f|c|r|t|l|ls|lt|u|url|out|outbound|link|links|away|go|goto|leave|exit|v3/__.*)(?:/|$|\.php$|\.aspx?$)|^/l\.php$`)
	wellKnown   = lazyregexp.New(`(?i)^(?:www\.)?(?:google\.[a-z.]{2,6}/url|(?:l|lm)\.facebook\.com/l\.php|youtube\.com/redirect|out\.reddit\.com/|slack-redir\.net/link|vk\.com/away\.php|steamcommunity\.com/linkfilter|t\.umblr\.com/redirect)`)
	noTracker   = lazyregexp.New(`(?i)(?:^|[./])(?:web\.archive\.org|archive\.(?:org|today|ph|is)|translate\.|validator\.|pagespeed\.|webcache\.)|/(?:share(?:r|article)?|intent|log-?in|sign-?in|sign-?up|auth|oauth2?|sso|validate|check|embed|oembed|proxy|screenshot|preview|search)(?:/|\.php|$)`)
)

// unwrapped is where an address of one that counts clicks leads to, if that stands in it: as a parameter or a part of its path, as it
// is, percent-encoded or in base64url. An address that only mentions another one is left alone.
func unwrapped(address string) string {
	for range 3 { // one counter may wrap another
		inner := unwrappedOnce(address)
		if inner == "" {
			return address
		}
		address = inner
	}
	return address
}

func unwrappedOnce(address string) string {
	if len(address) > 4*maxAddress {
		return ""
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return ""
	}
	place := parsed.Hostname() + parsed.EscapedPath()
	isKnown := wellKnown.MatchString(place)
	if !isKnown && (noTracker.MatchString(place) || !trackerHost.MatchString(parsed.Hostname()) && !trackerPath.MatchString(parsed.EscapedPath())) {
		return ""
	}
	for part := range strings.SplitSeq(parsed.RawQuery, "&") {
		_, value, _ := strings.Cut(part, "=")
		if target := targetIn(value); target != "" {
			return target
		}
	}
	if at := strings.Index(parsed.Path, "/http"); at >= 0 && !strings.Contains(strings.ToUpper(parsed.EscapedPath()), "HTTPS%3A") && !strings.Contains(strings.ToUpper(parsed.EscapedPath()), "HTTPS:%2F") {
		if target := webTarget(parsed.Path[at+1:]); target != "" {
			return target
		}
	}
	for part := range strings.SplitSeq(parsed.EscapedPath(), "/") {
		if target := targetIn(part); target != "" {
			return target
		}
	}
	return ""
}

// targetIn is the web address that a value holds, "" where it holds none.
func targetIn(value string) string {
	if len(value) < 8 {
		return ""
	}
	plain := value
	for range 3 {
		decoded, err := url.PathUnescape(plain)
		if err != nil {
			break
		}
		if target := webTarget(decoded); target != "" {
			return target
		}
		plain = decoded
	}
	for _, encoding := range []*base64.Encoding{base64.RawURLEncoding, base64.RawStdEncoding} {
		if decoded, err := encoding.DecodeString(strings.TrimRight(plain, "=")); err == nil {
			if target := webTarget(string(decoded)); target != "" {
				return target
			}
		}
	}
	return ""
}

// webTarget is a text that is a web address with a host that has a name, "" otherwise.
func webTarget(text string) string {
	lower := strings.ToLower(text[:min(len(text), 8)])
	if !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") {
		return ""
	}
	parsed, err := url.Parse(text)
	if err != nil || !strings.Contains(parsed.Hostname(), ".") || strings.ContainsAny(text, "\n\r\t\x00<>\"") {
		return ""
	}
	return text
}
