package intake

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// MaxAddressBytes bounds an address that CanonicalAddress takes.
const MaxAddressBytes = 8192

// trackers are parameters that tell where a reader came from, and nothing of the page.
var trackers = wordSet(`fbclid gclid gclsrc dclid gbraid wbraid msclkid twclid yclid ysclid ttclid li_fat_id epik igshid igsh scid rdt_cid
	mc_cid mc_eid mkt_tok vero_id vero_conv _hsenc _hsmi __hstc __hssc __hsfp hsctatracking oly_enc_id oly_anon_id _openstat wickedid
	rb_clickid s_cid ml_subscriber ml_subscriber_hash _bta_tid _bta_c sc_campaign sc_channel trk_contact trk_msg trk_module trk_sid
	ck_subscriber_id bxid _kx cndid ref_src ref_url spm guccounter guce_referrer guce_referrer_sig cmpid ncid ito icid_ref
	_ga _gl elqtrackid elqtrack assetid_ref mibextid __twitter_impression amp_js_v usqp __s dm_i ns_mchannel ns_source ns_campaign
	piwik_campaign piwik_kwd matomo_campaign sourceid_ref trackingid`)

var trackerPrefixes = []string{"utm_", "pk_campaign", "pk_kwd", "pk_source", "pk_medium", "pk_content", "mtm_", "hsa_", "stm_", "itm_"}

// hostTrackers are parameters that mean nothing on one site, but may on another one.
var hostTrackers = map[string]map[string]bool{
	"youtube.com": wordSet("si feature pp ab_channel"), "youtu.be": wordSet("si feature"), "spotify.com": wordSet("si context"),
	"x.com": wordSet("s t ref_src"), "twitter.com": wordSet("s t ref_src"), "medium.com": wordSet("source sk gi"),
	"linkedin.com": wordSet("trk trackingid refid lipi midtoken midsig trkemail"), "reddit.com": wordSet("share_id rdt ref ref_source utm_name"),
	"substack.com": wordSet("r s triedredirect showwelcome"), "amazon.com": wordSet("tag linkcode ascsubtag ref qid sr pd_rd_r pd_rd_w pd_rd_wg pf_rd_p pf_rd_r"),
	"amazon.de": wordSet("tag linkcode ascsubtag ref qid sr pd_rd_r pd_rd_w pd_rd_wg pf_rd_p pf_rd_r"), "nytimes.com": wordSet("smid partner"),
	"google.com": wordSet("ved ei sa usg sca_esv gs_lp sclient"), "facebook.com": wordSet("__tn__ __cft__ mibextid"),
}

// redirects name, by host and path, the parameter with the address that a page of mere passage leads to.
var redirects = map[string][]string{
	"google.com/url": {"q", "url"}, "youtube.com/redirect": {"q"}, "l.facebook.com/l.php": {"u"}, "lm.facebook.com/l.php": {"u"},
	"l.instagram.com/": {"u"}, "out.reddit.com/": {"url"}, "duckduckgo.com/l/": {"uddg"}, "slack-redir.net/link": {"url"},
	"vk.com/away.php": {"to"}, "steamcommunity.com/linkfilter/": {"url", "u"}, "linkedin.com/redir/redirect": {"url"},
	"linkedin.com/safety/go": {"url"}, "medium.com/r/": {"url"}, "t.umblr.com/redirect": {"z"}, "away.vk.com/away.php": {"to"},
	"news.google.com/url": {"url", "q"}, "scholar.google.com/scholar_url": {"url"}, "exit.sc/": {"url"}, "disq.us/url": {"url"},
}

// emptyFragments lead to no part of a page that would not be seen without them.
var emptyFragments = wordSet("top content main main-content maincontent comments comment respond disqus_thread start header page body _ _= more reply share skip-content")

// CanonicalAddress is an address in the one form by which two are compared: http or https, scheme and host in lower case, without user,
// default port, tracking parameters and fragments that mean nothing. A page of mere passage (google.com/url?q=) is unwrapped once. The
// order of the other parameters stays, since a site may mean something by it. The result is a fixed point unless it was unwrapped.
// An error says why the text is no address of the web.
func CanonicalAddress(text string) (string, error) {
	parsed, err := webAddress(text)
	if err != nil {
		return "", err
	}
	if inner := passage(parsed); inner != nil {
		parsed = inner
	}
	return canonical(parsed), nil
}

func webAddress(text string) (*url.URL, error) {
	text = strings.TrimSpace(text)
	if len(text) > MaxAddressBytes {
		return nil, fmt.Errorf("address of %d bytes: at most %d are taken", len(text), MaxAddressBytes)
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return nil, errors.New("address with control characters")
	}
	parsed, err := url.Parse(strings.ToValidUTF8(text, "�"))
	if err != nil {
		return nil, errors.New("address that cannot be read") // the library's reason repeats the address, which may hold a password
	}
	parsed.Scheme = strings.ToLower(parsed.Scheme)
	if parsed.Scheme != "http" && parsed.Scheme != "https" {
		return nil, errors.New("address that is neither http nor https")
	}
	if strings.Trim(parsed.Hostname(), ".") == "" || parsed.Opaque != "" {
		return nil, errors.New("address without a host")
	}
	if strings.ContainsAny(parsed.Hostname(), "%<>\"'\\ {}|^`$&*,;=!()+~[]") {
		return nil, errors.New("address whose host has marks that none has")
	}
	return parsed, nil
}

// passage is where a page of mere passage leads, nil where it is none.
func passage(address *url.URL) *url.URL {
	host := strings.TrimPrefix(strings.ToLower(address.Hostname()), "www.")
	names := redirects[host+address.Path]
	if strings.HasSuffix(host, ".safelinks.protection.outlook.com") {
		names = []string{"url"}
	}
	if names == nil && strings.HasPrefix(host, "google.") && address.Path == "/url" {
		names = redirects["google.com/url"]
	}
	values := address.Query()
	for _, name := range names {
		if inner, err := webAddress(values.Get(name)); err == nil {
			return inner
		}
	}
	return nil
}

func canonical(address *url.URL) string {
	host := strings.Trim(strings.ToLower(address.Hostname()), ".")
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if port := address.Port(); port != "" && (address.Scheme != "http" || port != "80") && (address.Scheme != "https" || port != "443") {
		host += ":" + port
	}
	path := evenEscapes(address.EscapedPath())
	if strings.Contains(path, "/.") {
		path = (&url.URL{Path: "/"}).ResolveReference(&url.URL{Path: path, RawPath: path}).Path
	}
	if path == "" {
		path = "/"
	}
	var b strings.Builder
	b.WriteString(address.Scheme + "://" + host + path)
	if query := withoutTrackers(host, evenEscapes(address.RawQuery)); query != "" {
		b.WriteString("?" + query)
	}
	if fragment := evenEscapes(address.EscapedFragment()); hasMeaning(fragment) {
		b.WriteString("#" + fragment)
	}
	return b.String()
}

func withoutTrackers(host, query string) string {
	onHost := hostTrackers[registrable(host)]
	kept := []string{}
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		name = strings.ToLower(strings.TrimPrefix(name, "amp;"))
		if part != "" && !isTracker(name) && !onHost[name] {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "&")
}

func isTracker(name string) bool {
	if trackers[name] {
		return true
	}
	for _, prefix := range trackerPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// hasMeaning tells that a fragment leads to a part of a page, or is the page, as in applications that keep their state there.
func hasMeaning(fragment string) bool {
	lower := strings.ToLower(fragment)
	switch {
	case lower == "" || emptyFragments[lower] || strings.HasPrefix(lower, ":~:"):
		return false
	case strings.HasPrefix(lower, "utm_") || strings.HasPrefix(lower, "xtor=") || strings.HasPrefix(lower, "ref=") || strings.HasPrefix(lower, "mc_"):
		return false
	case strings.HasPrefix(lower, "more-") || strings.HasPrefix(lower, "comment-") || strings.HasPrefix(lower, "comments-"):
		return false
	}
	return true
}

// evenEscapes writes escapes in upper case, those of letters, digits and -._~ as what they stand for, and escapes what cannot stand in
// an address (RFC 3986, 6.2.2).
func evenEscapes(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>`\\^{|}", c) >= 0:
			fmt.Fprintf(&b, "%%%02X", c)
		case c != '%' || at+2 >= len(text) || !isHex(text[at+1]) || !isHex(text[at+2]):
			b.WriteByte(c)
		default:
			if stood := unhex(text[at+1])<<4 | unhex(text[at+2]); isUnreserved(stood) {
				b.WriteByte(stood)
			} else {
				b.WriteString(strings.ToUpper(text[at : at+3]))
			}
			at += 2
		}
	}
	return b.String()
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

func isUnreserved(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("-._~", c) >= 0
}

// hostOf is the host of an address in lower case, without www.; "" where it has none.
func hostOf(address string) string {
	parsed, err := webAddress(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(parsed.Hostname()), "."), "www.")
}

// registrable is about what was registered of a host: its last two labels, or three where the last but one is a common one.
func registrable(host string) string {
	labels := strings.Split(strings.TrimPrefix(host, "www."), ".")
	keep := 2
	if n := len(labels); n > 2 && len(labels[n-1]) == 2 && (len(labels[n-2]) <= 2 || labels[n-2] == "com" || labels[n-2] == "org" || labels[n-2] == "gov") {
		keep = 3
	}
	return strings.Join(labels[max(0, len(labels)-keep):], ".")
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
