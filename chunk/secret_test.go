package chunk_test

import (
	"strings"
	"testing"

	"quarry/chunk"
	"quarry/note"
)

// TestWhatIsHiddenJoinsNoSecret: a comment within a token keeps it from being seen in the file; it must be seen in the
// passage, where the comment is gone.
func TestWhatIsHiddenJoinsNoSecret(t *testing.T) {
	const head, tail = "ghp_" + "abcdEFGH0123", "ijklMNOP4567qrstUVWX89yzAB12"
	for _, text := range []string{
		"w " + head + "%%c%%" + tail + " z\n",
		"w " + head + "%%c%%%%d%%" + tail + " z\n",
		"w " + head + "<!-- c -->" + tail + " z\n",
		"# T " + head + "%%c%%" + tail + "\n\nwords of the note that are long enough\n",
		"## T " + head + "<!-- c -->" + tail + "\n\nwords of the note that are long enough\n",
		"- [ ] w " + head + "%%c%%" + tail + "\n",
		"> [!note] w " + head + "%%c%%" + tail + "\n",
		"---\nkanban-plugin: board\n---\n\n## Lane " + head + "%%c%%" + tail + "\n\n- [ ] card\n",
	} {
		n := note.Reader{}.Read("a.md", []byte(text))
		out := n.Title
		for _, heading := range n.Headings {
			out += "\n" + heading.Plain
		}
		for _, p := range chunk.Split(n, chunk.ByHeading) {
			out += "\n" + p.Text + "\n" + p.IndexText + "\n" + p.Section + "\n" + p.HeadingContext + "\n" + strings.Join(p.HeadingPath, "\n")
		}
		if strings.Contains(out, head+tail) || !strings.Contains(out, "[REDACTED:") {
			t.Errorf("%q: %q", text, out)
		}
	}
}

// TestEscapesHideNoSecret: a token over the end of a line that an escape stands for is in no passage, neither as it is
// written nor as it is read.
func TestEscapesHideNoSecret(t *testing.T) {
	const head, tail = "glpat" + "-" + "a1B2c3D4e5", "F6g7H8i9J0"
	for name, text := range map[string]string{
		"a.canvas":      `{"nodes":[{"id":"1","type":"text","text":"words TOKEN z"}]}`,
		"a.json":        `{"words": "TOKEN"}`,
		"a.yaml":        "words: \"TOKEN\"\n",
		"properties.md": "---\nwords: \"TOKEN\"\n---\nbody\n",
		"fence.md":      "# Head\n\n```json\n{\"list\": [\"TOKEN\"], \"b\": {\"c\": 1}}\n```\n",
		"quoted.md":     "> ```yaml\n> words: \"TOKEN\"\n> ```\n",
	} {
		n := note.Reader{}.Read(name, []byte(strings.Replace(text, "TOKEN", head+`\n`+tail, 1)))
		out := n.Text
		for _, p := range chunk.Split(n, chunk.ByHeading) {
			out += "\n" + p.Text + "\n" + p.IndexText + "\n" + p.Section + "\n" + p.HeadingContext
		}
		if strings.Contains(out, head) || strings.Contains(out, tail) || !strings.Contains(out, "[REDACTED:gitlab-token]") {
			t.Errorf("%s: %q", name, out)
		}
	}
}

// TestNoCutHidesASecret: where a comment parts a secret and a passage ends within it, neither half is let through, and what
// only its neighbourhood tells is a secret is none in a passage of its own either.
func TestNoCutHidesASecret(t *testing.T) {
	const head, tail = "ghp_" + "abcdEFGH0123", "ijklMNOP4567qrstUVWX89yzAB12"
	key := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Repeat("MIIEpAIBAAKCAQEAq4b8"+head[4:]+tail+"\n", 3) + "%%c%%\n" +
		strings.Repeat("q4b8MIIEpAIBAAKCAQEA"+tail+head[4:]+"\n", 20) + "-----END RSA " + "PRIVATE KEY-----\n"
	for _, secret := range []string{
		head + "%%c%%" + tail, head + "%%c. Yes it is%%" + tail, head + "<!-- One. Two. -->" + tail, head + "%%" + words(300) + "%%" + tail, key,
		head + "%%c. D%%" + tail[:9] + "<!-- One. Two. -->" + tail[9:] + " %%e%% " + head + "%%%%" + tail,
		"| " + head + "<!-- | -->" + tail + " |", "\n```\n%%\n" + key + "```\n",
	} {
		for pad := 0; pad < 2400; pad += 40 {
			text := words(pad+1) + "\n" + secret + " " + words(2600-pad) + "\n"
			n := note.Reader{}.Read("a.md", []byte(text))
			for _, profile := range []chunk.Profile{chunk.ByHeading, chunk.Short, chunk.Medium, chunk.Long} {
				passages := chunk.Split(n, profile)
				out := strings.Join(chunk.Windows(n, passages), "\n")
				for _, p := range passages {
					out += "\n" + p.Text + "\n" + p.Repeated()
				}
				if strings.Contains(out, head) || strings.Contains(out, tail) || strings.Contains(out, head[4:]) {
					t.Fatalf("%s: %d characters before %.60q: it is let through", profile, pad, secret)
				}
			}
		}
	}
}
