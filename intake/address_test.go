package intake_test

import (
	"strings"
	"testing"

	"quarry/intake"
)

func TestCanonicalAddress(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"HTTPS://WWW.Example.ORG:443/A?b=2&a=1", "https://www.example.org/A?b=2&a=1"},
		{"http://example.org:80", "http://example.org/"},
		{"http://example.org:8080/", "http://example.org:8080/"},
		{"https://example.org:80/", "https://example.org:80/"},
		{" https://example.org/a \n", "https://example.org/a"},
		{"https://name:word@example.org/a", "https://example.org/a"},
		{"https://example.org./a", "https://example.org/a"},
		{"https://example.org/a?utm_source=x&id=7&utm_medium=mail&fbclid=1&gclid=2&mc_cid=3&mc_eid=4", "https://example.org/a?id=7"},
		{"https://example.org/a?UTM_Source=x", "https://example.org/a"},
		{"https://example.org/a?x=1&amp;utm_source=y", "https://example.org/a?x=1"},
		{"https://example.org/a?", "https://example.org/a"},
		{"https://example.org/fuzz?mode=quick&lang=go", "https://example.org/fuzz?mode=quick&lang=go"},
		{"https://example.org/fuzz?lang=go&mode=quick", "https://example.org/fuzz?lang=go&mode=quick"},
		{"https://example.org/a?q=1&q=1", "https://example.org/a?q=1&q=1"},
		{"https://example.org/a#", "https://example.org/a"},
		{"https://example.org/a#top", "https://example.org/a"},
		{"https://example.org/a#:~:text=seen%20here", "https://example.org/a"},
		{"https://example.org/a#comments", "https://example.org/a"},
		{"https://example.org/tls#renew", "https://example.org/tls#renew"},
		{"https://example.org/#/inbox/7", "https://example.org/#/inbox/7"},
		{"https://example.org/a/./b/../c", "https://example.org/a/c"},
		{"https://example.org/%7euser/%c3%bc", "https://example.org/~user/%C3%BC"},
		{"https://example.org/ü", "https://example.org/%C3%BC"},
		{"https://[2001:DB8::1]:443/a", "https://[2001:db8::1]/a"},
		{"https://www.google.com/url?q=https://example.org/a%3Fb%3D1%26utm_source%3Dx&sa=D&ust=1", "https://example.org/a?b=1"},
		{"https://www.google.de/url?url=https%3A%2F%2Fexample.org%2F", "https://example.org/"},
		{"https://www.google.com/url?q=" + "https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Fexample.org", "https://www.google.com/url?q=https%3A%2F%2Fexample.org"},
		{"https://www.google.com/url?q=javascript:alert(1)", "https://www.google.com/url?q=javascript:alert(1)"},
		{"https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.org%2Fa&data=1", "https://example.org/a"},
		{"https://www.youtube.com/watch?v=abc&si=xyz&feature=share", "https://www.youtube.com/watch?v=abc"},
		{"https://example.org/watch?v=abc&si=xyz", "https://example.org/watch?v=abc&si=xyz"},
	} {
		got, err := intake.CanonicalAddress(c.text)
		if err != nil || got != c.want {
			t.Errorf("%q = %q, %v; want %q", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"", "example.org", "/a", "javascript:alert(1)", "file:///etc/passwd", "ftp://example.org", "https://", "https:example.org", "https://exa mple.org/", "https://example.org/\x00", "https://example.org/a\nb", "https://example.org/" + strings.Repeat("a", intake.MaxAddressBytes)} {
		if got, err := intake.CanonicalAddress(text); err == nil || got != "" || len(err.Error()) > 200 {
			t.Errorf("%.80q = %.80q, %.300v", text, got, err)
		}
	}
}

func FuzzCanonicalAddress(f *testing.F) {
	for _, seed := range []string{
		"https://example.org/a?utm_source=x&b=1#c", "HTTP://[::1]:80/%7E/../%zz?&&=#:~:text=a", "https://www.google.com/url?q=https%3A%2F%2Fexample.org%2F%253F",
		"https://ex%41mple.org", "https://a.b./\\../?%", "https://\xff/\xff?\xff#\xff", "https://xn--bcher-kva.example:443//a//b/..", "http://a/..;/b?x=%e3%81%82&%75tm_source=1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, err := intake.CanonicalAddress(text)
		if err != nil {
			return
		}
		if !strings.HasPrefix(once, "http://") && !strings.HasPrefix(once, "https://") || strings.ContainsAny(once, "\x00\n\r\t ") {
			t.Fatalf("%q = %q", text, once)
		}
		if strings.Contains(text, "url") || strings.Contains(text, "redir") || strings.Contains(text, "outlook") || strings.Contains(text, ".com/") || strings.Contains(text, "http") && strings.Count(text, "http") > 1 {
			return // it may have been unwrapped
		}
		twice, err := intake.CanonicalAddress(once)
		if len(once) <= intake.MaxAddressBytes && (err != nil || twice != once) {
			t.Fatalf("%q = %q = %q, %v", text, once, twice, err)
		}
	})
}
