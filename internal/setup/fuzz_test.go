package setup_test

import (
	"errors"
	"testing"

	"quarry/internal/setup"
)

// jsonSeeds are texts with all that makes a splice hard.
var jsonSeeds = []string{
	"", " ", "\n", "{}", "{ }", "{\n}", "{}\n", "{\"a\":1}", "{\"a\": 1}", "{ \"a\": 1 }", "{\"a\": 1,}", "{\"a\": 1, }", "{\n  \"a\": 1\n}",
	"{\n\t\"a\": 1,\n\t\"b\": [1, 2]\n}\n", "{\r\n    \"a\": 1\r\n}\r\n", "\xef\xbb\xbf{\"a\": 1}", "\xef\xbb\xbf", "// note\n{}", "// note", "{ // open\n}",
	"{\n  // none yet\n}", "{/* x */}", "{\"a\": 1 // last\n}", "{\"a\": 1 /* last */ }", "{\n  \"a\": 1 // last\n  // \"b\": 2\n}", "{\n  \"a\": 1, // last\n  // \"b\": 2\n}",
	"{\"mcpServers\": {}}", "{\n  \"mcpServers\": {}\n}", "{\"mcpServers\":{},\"hooks\":{}}", "{\n  \"mcpServers\": {\n  }\n}", "{\"mcpServers\": { /* none */ }}",
	"{\"mcpServers\": {\"x\": {\"command\": \"y\"}}}", "{\n  \"mcpServers\": {\n    \"x\": {\n      \"command\": \"y\" // z\n    }, // w\n  },\n}",
	"{\"hooks\": {\"PreToolUse\": []}}", "{\"hooks\": {\"PreToolUse\": [ ]}}", "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}}",
	"{\"hooks\": {\"SessionStart\": [\n// none\n], \"PostToolUse\": [\n  {\"matcher\": \"*\", \"hooks\": []},\n]}}", "{\"a\": \"// no comment\", \"b\": \"\\\"}\"}",
	"{\"a\": 1 // ends */\n}", "{\"a\": 1 // \r\r\n}", "{\"mcpServers\": {\"a\":1,\n\"b\":2}}", "[]", "1", "{\"mcpServers\": []}", "{\"a\":1}// end", "{\"a\": 1} /* end",
	"{\"mcpServers\":{\"\":1}}", "{\"a\": {\"b\": {\"c\": []}}}", "{\"a\":1,\n\"b\":2}", "{\"a\":1\n,\"b\":2\n,}", "{ \"mcpServers\" : { } , }", "{\"x\": 1, \"x\": 2, \"mcpServers\": {}, \"mcpServers\": {\"a\": 1}}",
}

func FuzzJSON(f *testing.F) {
	for _, seed := range jsonSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, kind := range []string{"servers", "hooks", "both"} {
			if _, err := setup.RoundTrip(kind, append([]byte{}, content...)); errors.Is(err, setup.ErrRoundTrip) {
				t.Errorf("%s: %v", kind, err)
			}
		}
	})
}

var tomlSeeds = []string{
	"", "\n", "a = 1", "a = 1\n", "a = 1\r\n", "\xef\xbb\xbfa = 1\n", "\xef\xbb\xbf", "# note", "[a]\nb = 1\n\n\n", "[mcp_servers.x]\ncommand = \"y\"\n", "[mcp_servers]\n", "mcp_servers = {}\n",
	"mcp_servers = { x = { command = \"y\" } }\n", "mcp_servers.x.command = \"y\"\n", "[mcp_servers]\nx = { command = \"y\" }\n[z]\n", "[[mcp_servers]]\n", "mcp_servers = 1\n",
	"a = \"\"\"\n[mcp_servers.notes]\n\"\"\"\n", "[a] # [mcp_servers.notes]\nb = '''\n'''", "[mcp_servers.notes]\ncommand = \"x\"\n", "x = { a = { b = 1 }, c = [1,\n2] }", "mcp_servers = { } # none\r\n", "a = 1\r\nb = 2\n",
	"[\"mcp_servers\".\"x]y\"]\n", "mcp_servers = {\n}\n",
}

func FuzzTOML(f *testing.F) {
	for _, seed := range tomlSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := setup.RoundTrip("toml", append([]byte{}, content...)); errors.Is(err, setup.ErrRoundTrip) {
			t.Error(err)
		}
	})
}

func FuzzSection(f *testing.F) {
	for _, seed := range []string{"", "\n", "# A\n", "# A", "# A\r\ntext\r\n", "\xef\xbb\xbf# A\n", "a\n\n\n", "\r", "a\r\nb\r"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := setup.RoundTrip("section", append([]byte{}, content...)); errors.Is(err, setup.ErrRoundTrip) {
			t.Error(err)
		}
	})
}
