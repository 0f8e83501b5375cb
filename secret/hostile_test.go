package secret_test

import (
	"testing"
	"time"
)

// TestLinear wants twice the text to take twice as long, for texts that look like the start of what a detector goes after.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	const size = 1 << 20
	for _, unit := range []string{
		"a", "key=", "-----BEGIN", "eyJ", "\"", "://", "password: ", "&#", `\u0041`, "eyJ.", "A=", // the plain ones
		"password:\n", "password:\n  password:\n", "tokens: [a,", "token:\n- ", "token:\n- a1B2c3D4e5F6g7H8\n", "password=\"", "password=\"a\n", "setPassword(\"", "<password>", "</b><b>",
		"password for ", "token is ", "key key ", "name: KEY, value: ", "|--", "|--|\n", "|a|password|\n|--|--|\n", "|token|\n|--|\n|aB3xY9zK4mN7pQ2rS5|\n",
		"kind: Secret\n", "kind: Secret\ndata:\n", "kind: Secret\ndata:\n  a: YWJjZGVmZzE=\n", `"kty"`, `{"kty"`, `"kty":"d":`, "recovery code: ", "backup codes\n", "seed phrase: ",
		"seed phrase: kiln ", "PIN: ", "curl ", "curl -u ", "mysql -p ", "mysql -u a ", "machine ", "machine a login b ", ":5432:", ":*:", "a://b@", "a://b:c/", "a://b:c/d@",
		"YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWZnaGlqa2xt ", "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWZnaGlqa2xt", "LS0tLS1CRUdJTi", "IBAAKCAQEA", "MIIEIBAAKCAQEA\n",
		"---- BEGIN ", "authorization: ", "Basic YTpi ", "session=", "samlresponse=", "v2.local.", ":$2a$10$", "AAAA:AA:",
		"gh" + "p_abc**", "gh" + "p_abcdef1\n", "gh" + "p_abcdefgh1<b>", "gh" + "p_abcdef1\" + \"", "&amp;", "&amp", "&lowbar;", `\x41`, `\u00`, "a=\n", "word =\n",
		"sk" + "_live\n_aB3xY9zK4mN7pQ2rS5tU8vW1xY\n", "aB3xY9zK4mN7pQ2rS5tU8vW1xY\n", "gh" + "p_aB3\u00a0", "gh" + "p_abc-\n", "eyJabcdefghi\n", `\\`, `\\\\u005f`, "%25", "%252525", "\x1b[1", `\e[`, `\033`,
		"$2" + "b$12$", "hash: $2" + "b$12$", "pass: $1" + "$a$", "Login: a / b", "login: ", "admin:a", "set set ", "set -x -x ", "password - ", "password –", "password: a&b;c,d", "password: a&", "pw: (a)b", "password\n: ", "# key\n", "key\n===\n",
		"password {\ntype\n", "IDENTIFIED BY '", "kubectl create secret a=b ", "htpasswd a ", "WIFI:S:a;", ".login(a, ", "key || \"", "pw <- \"", "recovery codes\na-1b2c3\n", "key=&", "pw=&", "pw=!", "PIN=!", "token: !", "Basic aB3xY9zK4mN7pQ2rS5tU8vW1", "bearer:-", "machine a password ", "a:b:c:d:5432:", "-us1\n", "a1b2c3\n-us1\n", "ibm", "aws_",
	} {
		isLinear := false
		var half, whole time.Duration
		for try := 0; try < 4 && !isLinear; try++ { // a machine may stumble
			half, whole = timeOf(unit, size/2), timeOf(unit, size)
			isLinear = whole < 25*time.Millisecond || whole < 3*half
		}
		if !isLinear {
			t.Errorf("%q repeated: %v for %d KiB, %v for half of it", unit, whole, size>>10, half)
		}
	}
}
