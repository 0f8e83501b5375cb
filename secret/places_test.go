package secret_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"quarry/secret"
)

// TestWholePasswords: a password goes with all its signs, and nothing that follows it.
func TestWholePasswords(t *testing.T) {
	for _, sign := range strings.Split(`& ; , < > ( ) " ' | ] [ { } ! # $ % ^ * + = ~ ? : . / @ &&  ;# !& `+"`", " ") {
		value := "Tr0ub4" + "dor" + sign + "3xY!"
		for _, text := range []string{
			"Wifi password: %s", "password: %s\nnext line", "The wifi password is %s and more.", "- Password: %s\n- next", "| x\npassword: %s", "DB_PASSWORD=%s\nX=1",
			"password → %s", "pwd: %s, and so on", "> pass: %s", "password:\n%s\n",
		} {
			if strings.ContainsAny(sign, ">") && strings.HasPrefix(text, ">") {
				continue
			}
			whole := strings.ReplaceAll(text, "%s", value)
			want := strings.ReplaceAll(text, "%s", secret.Marker("password"))
			if got, _ := secret.Redact(whole); got != want {
				t.Errorf("%q became %q", whole, got)
			}
		}
	}
	for _, value := range []string{"Xk9" + "vmQ;7pLw", "Xk9" + "vmQ2k(7pLwe8", "$Xk9" + "mQ2k7pLwe8", "Xk9" + "mQ2k7", "aB3" + "!xY9#"} {
		for _, text := range []string{"password: %s", "pw = %s", "password \"%s\"", "PASSWORD=%s\n"} {
			whole := strings.ReplaceAll(text, "%s", value)
			if got, _ := secret.Redact(whole); strings.Contains(got, value[4:]) {
				t.Errorf("%q became %q", whole, got)
			}
		}
	}
}

// TestValuesEnd: signs behind a password that end it.
func TestValuesEnd(t *testing.T) {
	for _, text := range []string{
		"Server=db;User Id=sa;Password=%s;Encrypt=true", "Password=%s;Trusted Connection=True", "https://a.local/?user=ann&password=%s&x=y", "user=ann&password=%s&remember",
		"{password:%s,user:ann}", "{user: ann, password: %s}", "(password: %s)", "[x](password:%s)", "f(password=%s, x)", "<password>%s</password>", "password: %s<br>next", "\"password: %s\"",
		"'password: %s' and", "`password: %s` and", "| password: %s|", "password=%s,user=ann", "host=a;password=%s;", "**password: %s**", "password: %s.", "password: “%s”", "password: «%s».",
		"password: %s&quot;", "passwords: [%s]",
	} {
		value := "Tr0ub4" + "dor3xY7"
		whole := strings.ReplaceAll(text, "%s", value)
		got, counts := secret.Redact(whole)
		got = strings.Replace(got, secret.Marker("password"), "%s", 1)
		if strings.TrimRight(got, "*") != strings.TrimRight(text, "*") {
			t.Errorf("%q became %q: %v", whole, got, counts)
		}
	}
}

// TestPasswordHashes: behind a key or a user they are found, in teaching text they are not.
func TestPasswordHashes(t *testing.T) {
	m := newMaker(71)
	hashes := []string{
		"$2" + "b$12$" + m.of(alnum, 53),
		"$2" + "y$10$" + m.of(alnum, 53),
		"$ap" + "r1$" + m.of(alnum, 8) + "$" + m.of(alnum, 22),
		"$" + "1$" + m.of(alnum, 8) + "$" + m.of(alnum, 22),
		"$" + "5$" + m.of(alnum, 16) + "$" + m.of(alnum, 43),
		"$" + "6$rounds=5000$" + m.of(alnum, 16) + "$" + m.of(alnum, 86),
		"$" + "y$j9T$" + m.of(alnum, 22) + "$" + m.of(alnum, 43),
		"$arg" + "on2id$v=19$m=65536,t=3,p=4$" + m.of(alnum, 22) + "$" + m.of(alnum, 43),
		"$pbk" + "df2-sha256$29000$" + m.of(alnum, 22) + "$" + m.of(alnum, 43),
		"pbk" + "df2_sha256$600000$" + m.of(alnum, 22) + "$" + m.of(base64, 43) + "=",
		"pbk" + "df2:sha256:260000$" + m.of(alnum, 16) + "$" + m.of(hex, 64),
		"scr" + "ypt:32768:8:1$" + m.of(alnum, 16) + "$" + m.of(hex, 128),
		"{SS" + "HA}" + m.of(base64, 38) + "==",
	}
	for _, value := range hashes {
		for _, text := range []string{
			"password_hash: %s", "\"hash\": \"%s\",", "ann:%s", "root:%s:19000:0:99999:7:::", "user: %s", "passwordHash = \"%s\"", "'encrypted_password' => '%s'", "| user | hash |\n|--|--|\n| ann | %s |",
			"rootpw --iscrypted %s", "The hash of ann is %s", "digest=%s",
		} {
			whole := strings.ReplaceAll(text, "%s", value)
			if got, counts := secret.Redact(whole); strings.Contains(got, value[len(value)-9:]) {
				t.Errorf("%q became %q: %v", whole, got, counts)
			}
		}
		for _, text := range []string{"It prints %s and ends.", "```\n%s\n```", "=> \"%s\"", " '%s' ="} {
			whole := strings.ReplaceAll(text, "%s", value)
			if got, counts := secret.Redact(whole); named(counts, "password-hash") && value[0] != '{' {
				t.Errorf("%q became %q", whole, got)
			}
		}
	}
}

// TestFurtherPlaces: settings, commands and notes in which a short strong value stands behind what tells that it is one.
func TestFurtherPlaces(t *testing.T) {
	m := newMaker(73)
	short := "Xk9" + "mQ2k7pL"
	long := "Xk9" + "mQ2k7pLwe8Jn3"
	commit := m.of(hex, 39) + "7"
	for _, list := range []struct {
		value string
		texts []string
	}{
		{commit, []string{"https://%s:x-oauth-basic@github.com/a/b.git", "https://%s@github.com/a/b.git"}},
		{short, []string{
			"WIFI:S:Home;T:WPA;P:%s;;", "WIFI:T:WPA;S:My Home;P:%s;H:true;;", "ALTER USER ann IDENTIFIED BY '%s';", "CREATE USER ann IDENTIFIED WITH caching_sha2_password BY '%s'", "CREATE USER ann WITH PASSWORD '%s';",
			"password <- \"%s\"", "password = ENV[\"DB_PASSWORD\"] || \"%s\"", "const password = process.env.DB_PASSWORD ?? '%s'", "password = os.getenv(\"DB_PASSWORD\") or \"%s\"", "password = \"\" + \"%s\"",
			"variable \"db_password\" { default = \"%s\" }", "variable \"db_password\" {\n  type = string\n  sensitive = true\n  default = \"%s\"\n}",
			"password: “%s”", "password: „%s“", "password: «%s»", "password: ‘%s’", "password: 「%s」", "password → %s", "password -> %s", "password – %s", "password — %s", "password - %s", "password => %s",
			"### Password\n\n%s\n\nnext", "## Password\n```\n%s\n```", "Password\n========\n\n%s\n", "## Password\n\n- `%s`\n", "Password\n:   %s", "Login: bob / %s", "Login: bob, %s", "**Login:** bob / `%s`", "- admin:%s", "root:%s\n",
			"htpasswd -b f bob %s", "htpasswd -nb bob %s", "openssl enc -aes-256-cbc -k %s -in a", "openssl enc -pass pass:%s -in a", "net use x: \\\\s\\d /user:bob %s", "net use x: \\\\s\\d %s /user:bob", "net user bob %s /add",
			"amqp://user:ab/cd+%s@mq/vhost", "password: ~~%s~~", "password: ~~/%s~~", "password: ==%s==", "password: <mark>%s</mark>", "password:\u00a0%s", "Mot de passe\u00a0: %s", "smtp.login(\"bob\", \"%s\")", "requests.get(u, auth=(\"bob\", \"%s\"))",
			"set password %s", "portal pwd %s", "password %s",
		}},
		{long, []string{
			"api_key <- \"%s\"", "const k = process.env.API_KEY || \"%s\"", "const k = apiKey ?? \"%s\"", "api_key = \"\" + \"%s\"", "## API key\n\n%s\n\nnext", "API key\n: %s", "gh secret set API_X --body %s", "gh secret set API_X -b \"%s\"",
			"chiave API: %s", "clé API : %s", "clé API\u00a0: %s", "clave de API: %s", "API-Schlüssel: %s", "chave da API: %s", "klucz API: %s", "ключ API: %s", "APIキー: %s", "API密钥：%s",
			"kubectl create secret generic x --from-literal=foo=%s", "kubectl create secret generic x --from-literal=foo='%s'", "vault kv put secret/x foo=%s", "dotnet user-secrets set \"ApiKey\" \"%s\"", "set -gx API_KEY %s", "setenv API_KEY %s", "set API_KEY %s",
		}},
		{"Xk7!" + "qL#2z$pQ9w", []string{"API_KEY=%s", "client_secret = \"%s\""}},
		{"Xk7!" + "qweLpo#2z", []string{"API_KEY=\"%s\"", "client_secret = \"%s\""}},
		{"AK" + "IA" + m.of(base32, 16), []string{"%sEnd", "%sNext one"}},
		{"sn" + "tryu_" + m.of(hex, 64), []string{"%sEnd"}},
	} {
		for _, text := range list.texts {
			whole := strings.ReplaceAll(text, "%s", list.value)
			got, counts := secret.Redact(whole)
			if strings.Contains(got, list.value[len(list.value)/2:]) {
				t.Errorf("%q became %q: %v", whole, got, counts)
			}
			checkRedacted(t, whole, got)
		}
	}
}

// TestNotInPlaces: what stands in such places and is none.
func TestNotInPlaces(t *testing.T) {
	m := newMaker(75)
	for _, text := range []string{
		"_acme-challenge IN TXT \"" + m.of(url, 43) + "\"", "a.local. 300 IN TXT \"" + m.of(base64, 43) + "=\"", "site key: 6Le" + m.of(alnum, 37), "data-sitekey=\"6Le" + m.of(alnum, 37) + "\"",
		"Recovery codes\n\nThe router has the serial number ab12cd34-77 and runs version 7f3a91c2 of it.", "Backup codes:\n\nsee the page of release 20310102 for how they are made",
		"Login: see page 12", "login: ann / see the vault", "Login: https://app.local/Login2", "admin: Ann Lee", "admin:user2", "root:x:0:0:root:/root:/bin/bash", "account: 12345678, name", "Login: ann, Password2",
		"## API key\n\nCall it with your own.\n", "### Password\n\nAt least 12Characters2 long.\n", "Password\n========\n\nIt is asked for twice.", "API key\n: A string of 40 characters.",
		"set password on", "set token to \"abc\"", "password - at least 8 characters", "password – min. 8 characters, max. 64", "token → access token", "password -> hashed_password2", "IDENTIFIED BY 'password'",
		"auth.login(user, password2)", "client.login(username, \"password\")", "net use z: \\\\server\\share2 /persistent:yes", "net user ann /add", "htpasswd -c /etc/nginx/htpasswd2 ann", "openssl req -keyout server2.key -out server2.csr",
		"openssl enc -pass env:PASS2 -in a", "kubectl create secret generic db --from-file=ssh-privatekey=~/.ssh/id_rsa2", "vault kv put secret/x ttl=30m", "gh secret set NAME --body \"$VALUE2\"", "WIFI:S:Home;T:nopass;;",
		"const key = process.env.API_KEY || \"\"", "password = os.environ.get(\"PASSWORD\") or \"password\"", "variable \"db_password\" {\n  type = string\n}", "api_key <- Sys.getenv(\"API_KEY_2\")", "grep -c \"x\" a\\b && c:\\\\new\\\\table",
		"<input name=\"token\" />\n- **Password** - *string2*", "password: [REDACTED:password]", "sed 's/\\(.*\\)\\1/\\1/' \\0", "keys [1;2m and a[0m", "the arrow key → moves 10px",
	} {
		if got, counts := secret.Redact(text); got != text {
			t.Errorf("%q became %q: %v", text, got, counts)
		}
	}
}

// TestFingerprint asks another process, too: the order of a map must not come into it.
func TestFingerprint(t *testing.T) {
	const variable = "SECRET_TEST_FINGERPRINT"
	got := secret.Fingerprint()
	if os.Getenv(variable) != "" {
		t.Log(got)
		return
	}
	if len(got) != 64 {
		t.Errorf("%q", got)
	}
	processes := 4
	if testing.Short() {
		processes = 1
	}
	for range processes {
		command := exec.Command(os.Args[0], "-test.run=^TestFingerprint$", "-test.v")
		command.Env = append(os.Environ(), variable+"=1")
		if output, err := command.CombinedOutput(); err != nil || !strings.Contains(string(output), got) {
			t.Errorf("another process: %v, %s", err, output)
		}
	}
}
