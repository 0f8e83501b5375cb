package secret_test

import (
	base64enc "encoding/base64"
	"fmt"
	"strings"
	"testing"

	"quarry/secret"
)

// planted is a text with a secret in it, whose place "%s" marks.
type planted struct{ name, text string }

// checkPlanted puts value into the texts and wants it gone, and what stands around it left.
func checkPlanted(t *testing.T, value string, list []planted) {
	t.Helper()
	for _, p := range list {
		for _, around := range []string{"%s", "Before.\n\n%s\n\nAfter.", "a line\r\n%s\r\nanother"} {
			text := strings.ReplaceAll(around, "%s", strings.ReplaceAll(p.text, "%s", value))
			redacted, counts := secret.Redact(text)
			if strings.Contains(redacted, value[len(value)-6:]) || !named(counts, p.name) {
				t.Errorf("%s in %.70q: %v, left %.90q", p.name, p.text, counts, redacted)
			}
			checkRedacted(t, text, redacted)
		}
	}
}

func TestPasswordPlaces(t *testing.T) {
	m := newMaker(31)
	value := "q" + m.of(alnum, 11) + "7"
	checkPlanted(t, value, []planted{
		// settings
		{"password", "password: |\n  %s"},
		{"password", "password: >-\n  %s\nuser: ann"},
		{"password", "db:\n  password:\n    %s"},
		{"password", "db:\n  password:\n    value: %s"},
		{"password", "password:\n\n    %s"},
		{"password", "passwords:\n  - %s"},
		{"password", "passwords: ['%s']"},
		{"password", "\"passwords\": [\n  \"%s\"\n]"},
		{"password", "passwords = [ \"%s\" ]"},
		{"password", "export DB_PASSWORD=%s"},
		{"password", "export DB_PASSWORD='%s'"},
		{"password", "set DB_PASS=%s"},
		{"password", "$env:DB_PASSWORD = \"%s\""},
		{"password", "PGPASSWORD=%s psql -h db"},
		{"password", "- name: DB_PASSWORD\n  value: %s"},
		{"password", "- name: \"DB_PASSWORD\"\n  value: \"%s\""},
		{"password", "{\"name\": \"DB_PASSWORD\", \"value\": \"%s\"}"},
		{"password", "{\"password\": \"%s\"}"},
		{"password", "{\"password\":\"%s\",\"user\":\"ann\"}"},
		{"password", "{\\\"password\\\": \\\"%s\\\"}"},
		{"password", "spring.datasource.password=%s"},
		{"password", "bind-password: %s"},
		{"password", "requirepass %s1aB2cD3eF4gH"},
		{"password", "_password=%s"},
		{"password", "psk=\"%s\" passphrase=\"%s\""},
		// marked-up text
		{"password", "<password>%s</password>"},
		{"password", "<password>\n  %s\n</password>"},
		{"password", "<user name=\"ann\" password=\"%s\"/>"},
		{"password", "<add key=\"Password\" value=\"%s\" />"},
		{"password", "<property name=\"db.password\" value=\"%s\"/>"},
		{"password", "<property name=\"db.password\">%s</property>"},
		{"password", "<b>Password:</b> %s"},
		{"password", "<td>Password</td><td>%s</td>"},
		{"password", "**Password**: `%s`"},
		{"password", "**Password:** %s"},
		{"password", "- Password: %s"},
		{"password", "Password:\n- %s"},
		{"password", "Password:\n```\n%s\n```"},
		{"password", "password:: %s"},
		{"password", "| user | password |\n|---|---|\n| ann | %s |"},
		{"password", "user | pw\n--- | ---\nann | %s"},
		{"password", "> | user | Kennwort |\n> |:--|--:|\n> | ann | `%s` |"},
		{"password", "| site | user | パスワード |\n| --- | --- | --- |\n| a | b | %s |\n| c | d | none |"},
		// code
		{"password", "password = \"%s\""},
		{"password", "String password = \"%s\";"},
		{"password", "var password string = \"%s\""},
		{"password", "const password: string = '%s'"},
		{"password", "password := `%s`"},
		{"password", "'password' => '%s',"},
		{"password", "define('DB_PASSWORD', '%s');"},
		{"password", "user.setPassword(\"%s\")"},
		{"password", "os.environ[\"DB_PASSWORD\"] = \"%s\""},
		{"password", "if password == '%s':"},
		{"password", "ConvertTo-SecureString \"%s\" -AsPlainText -Force"},
		{"password", "new NetworkCredential(\"ann\", \"%s\")"},
		{"password", "--password=%s"},
		{"password", "--password %s"},
		{"password", "--db-password '%s'"},
		{"password", "wget --user=ann --password=%s https://files.local/"},
		// strings of connections
		{"password", "Server=db;Database=app;User Id=sa;Password=%s;Encrypt=true"},
		{"password", "Driver={ODBC};Server=db;Uid=app;Pwd=%s;"},
		{"password", "jdbc:mysql://db:3306/app?user=app&password=%s"},
		{"password", "host=db user=app password=%s dbname=app"},
		{"netrc-password", "machine git.local login ann password %s"},
		{"netrc-password", "machine git.local\n  login ann\n  password %s"},
		{"pgpass-password", "db.local:5432:app:ann:%s"},
		{"pgpass-password", "*:*:*:ann:%s"},
		{"url-credentials", "postgres://ann:%s@db:5432/app"},
		{"url-credentials", "redis://:%s@cache:6379/0"},
		{"url-credentials", "amqps://ann:%s@queue.local/vhost"},
		{"url-credentials", "smtp://ann%40mail.local:%s@mail.local:587"},
		{"url-credentials", "ldap://cn=admin:%s@dir.local"},
		{"url-credentials", "ftp://ann:p%40ss%2F%s@files.local/x"},
		{"url-credentials", "https://ann:x@y%s@host.local/"},
		{"url-credentials", "https://ann:a/b%s@host.local/"},
		{"url-credentials", "jdbc:oracle:thin:ann/%s@db.local:1521/app"},
		// command lines
		{"command-password", "mysql -u root -p%s app"},
		{"command-password", "mysqldump -uroot -p'%s' app > dump.sql"},
		{"command-password", "sshpass -p %s ssh ann@host"},
		{"command-password", "sshpass -p '%s' ssh ann@host"},
		{"command-password", "redis-cli -h cache -a %s ping"},
		{"command-password", "docker login -u ann -p %s registry.local"},
		{"command-password", "ldapsearch -x -D cn=admin -w %s -b dc=local"},
		{"command-password", "smbclient //host/share -U ann%%s"},
		{"command-password", "openssl rsa -in key.pem -passin pass:%s"},
		{"curl-password", "curl -u ann:%s https://api.local/"},
		{"curl-password", "curl -X POST \\\n  -H 'a: b' \\\n  --user 'ann:%s' https://api.local/"},
		{"curl-password", "curl -uann:%s https://api.local/"},
		// sentences
		{"password", "My wifi password is %s."},
		{"password", "The password for the guest network is %s and that is it."},
		{"password", "Password (guest): %s"},
		{"password", "pw: %s"},
		{"password", "PW = %s"},
		{"password", "Das Passwort lautet %s."},
		{"password", "Das Kennwort ist: %s"},
		{"password", "Le mot de passe est %s."},
		{"password", "La contraseña es %s."},
		{"password", "A senha é %s."},
		{"password", "密码是%s。"},
		{"password", "密码：%s"},
		{"password", "パスワードは%s です"},
		{"password", "비밀번호는 %s"},
		{"password", "Пароль: %s"},
	})
}

func TestListsOfSecrets(t *testing.T) {
	m := newMaker(33)
	for _, shape := range []string{
		"tokens:\n  - %s\n  - %s\n  - %s\n", "tokens: [%s, %s, %s]", "\"tokens\": [\"%s\", \"%s\", \"%s\"]", "api_keys = [\n  '%s',\n  '%s',\n  '%s',\n]",
		"Tokens:\n* `%s`\n* `%s`\n* `%s`\n", "| name | token |\n|---|---|\n| a | %s |\n| b | %s |\n| c | %s |\n", "1. Tokens:\n   1. %s\n   2. %s\n   3. %s\n",
	} {
		values := []any{m.of(alnum, 23) + "4a1", m.of(alnum, 23) + "5b2", m.of(alnum, 23) + "6c3"}
		text := fmt.Sprintf(shape, values...)
		redacted, _ := secret.Redact(text)
		for i, value := range values {
			if strings.Contains(redacted, value.(string)[10:]) {
				t.Errorf("%q: value %d is left in %q", shape, i, redacted)
			}
		}
		checkRedacted(t, text, redacted)
	}
}

func TestTokenPlaces(t *testing.T) {
	m := newMaker(35)
	value := m.of(alnum, 36) + "8k3"
	checkPlanted(t, value, []planted{
		{"secret-assignment", "client_secret: >\n  %s"},
		{"secret-assignment", "token:\n  %s"},
		{"key-assignment", "api_key:\n  %s"},
		{"key-assignment", "API key:\n\n`%s`"},
		{"key-assignment", "X-Api-Key: %s"},
		{"key-assignment", "-H 'X-API-Key: %s'"},
		{"key-assignment", "Ocp-Apim-Subscription-Key: %s"},
		{"secret-assignment", "X-Auth-Token: %s"},
		{"secret-assignment", "PRIVATE-TOKEN: %s"},
		{"secret-assignment", "export ACME_TOKEN=%s"},
		{"secret-assignment", "ACME_TOKEN ?= \"%s\""},
		{"secret-assignment", "acme_token :::= \"%s\""},
		{"secret-assignment", "$acmeToken .= \"%s\""},
		{"secret-assignment", "System.setProperty(\"ACME_TOKEN\", \"%s\")"},
		{"secret-assignment", "<acmeToken>\n    %s\n</acmeToken>"},
		{"secret-assignment", "var acmeToken string = \"%s\""},
		{"secret-assignment", "https://app.local/cb?a=b&amp;access_token=%s&amp;c=d"},
		{"secret-assignment", "{\"url\":\"https://app.local/?x=y\\u0026access_token\\u003d%s\"}"},
		{"authorization-header", "Authorization: Bearer %s"},
		{"authorization-header", "Authorization: token %s"},
		{"authorization-header", "authorization: '%s'"},
		{"authorization-header", "Proxy-Authorization: Bearer %s"},
		{"authorization-header", "\"Authorization\": \"Bearer %s\""},
		{"authorization-header", "headers.Authorization = `Bearer %s`"},
		{"session-cookie", "Cookie: theme=dark; sessionid=%s; lang=en"},
		{"session-cookie", "Set-Cookie: session=%s; HttpOnly"},
		{"session-cookie", "Cookie: PHPSESSID=%s"},
		{"session-cookie", "curl -b 'connect.sid=%s' https://app.local/"},
		{"npm-token", "//registry.local/:_authToken=%s"},
		{"curl-password", "curl https://api.local/ -u %s:"},
		{"url-credentials", "https://%s@git.local/ann/repo.git"},
		{"url-credentials", "https://%s:@git.local/ann/repo.git"},
		{"url-credentials", "https://oauth2:%s@git.local/ann/repo.git"},
	})
}

func TestUUIDAsToken(t *testing.T) {
	m := newMaker(37)
	uuid := m.of(hex, 8) + "-" + m.of(hex, 4) + "-4" + m.of(hex, 3) + "-a" + m.of(hex, 3) + "-" + m.of(hex, 12)
	checkPlanted(t, uuid, []planted{
		{"secret-assignment", "acme_token: %s"}, {"key-assignment", "ACME_API_KEY=\"%s\""}, {"authorization-header", "Authorization: Bearer %s"},
	})
}

func TestEncodedSecrets(t *testing.T) {
	m := newMaker(39)
	encode := func(text string) string { return base64enc.StdEncoding.EncodeToString([]byte(text)) }
	token := "gh" + "p_" + m.of(alnum, 36)
	checkPlanted(t, encode("ann:blue"+m.of(alnum, 6)+"42"), []planted{
		{"authorization-header", "Authorization: Basic %s"},
		{"authorization-header", "Proxy-Authorization: basic %s"},
		{"key-assignment", "{\"auths\": {\"registry.local\": {\"auth\": \"%s\"}}}"},
		{"key-assignment", "//registry.local/:_auth=%s"},
	})
	checkPlanted(t, encode("{\"token\": \""+token+"\"}"), []planted{
		{"github-token", "%s"}, {"github-token", "config: %s"}, {"github-token", "[it](data:application/json;base64,%s)"},
	})
	checkPlanted(t, encode("blue"+m.of(alnum, 4)+"9"), []planted{
		{"kubernetes-secret", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  login: %s\n"},
		{"kubernetes-secret", "apiVersion: v1\ndata:\n    login: %s\nkind: Secret\nmetadata:\n  name: db\n"},
		{"kubernetes-secret", "{\"kind\": \"Secret\", \"data\": {\"login\": \"%s\"}}"},
	})
	checkPlanted(t, encode("-----BEGIN "+"RSA PRIVATE KEY-----\n"+m.of(base64, 64)+"\n"+m.of(base64, 64)+"\n"), []planted{
		{"private-key", "users:\n- user:\n    client-key-data: %s\n"}, {"private-key", "KEY=%s"},
	})
}

func TestPrivateKeys(t *testing.T) {
	m := newMaker(41)
	body := m.of(base64, 64) + "\n" + m.of(base64, 64) + "\n" + m.of(base64, 31) + "="
	frame := func(label, body string) string {
		return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----"
	}
	texts := map[string]string{
		"footerless quoted": "> " + strings.ReplaceAll("-----BEGIN "+"PRIVATE KEY-----\n"+body, "\n", "\n> ") + "\n\nAnd on.",
		"in code":           "key = \"" + strings.ReplaceAll(frame("PRIVATE KEY", body), "\n", "\\n\" +\n  \"") + "\"",
		"in HTML":           "<pre>" + strings.ReplaceAll(frame("PRIVATE KEY", body), "\n", "<br>\n") + "</pre>",
		"escaped twice":     strings.ReplaceAll(frame("PRIVATE KEY", body), "\n", `\\n`),
		"escaped dashes":    strings.ReplaceAll(frame("PRIVATE KEY", body), "-----", `\-\-\-\-\-`),
		"comment":           "# " + strings.ReplaceAll(frame("PRIVATE KEY", body), "\n", "\n# "),
		"SSH2":              "---- BEGIN SSH2 ENCRYPTED " + "PRIVATE KEY ----\n" + body + "\n---- END SSH2 ENCRYPTED " + "PRIVATE KEY ----",
		"OpenVPN":           frame("OpenVPN Static "+"key V1", m.of(hex, 32)+"\n"+m.of(hex, 32)),
		"PuTTY 2":           "PuTTY-User-Key-File-2: ssh-rsa\nPublic-Lines: 1\n" + "AAAA" + m.of(base64, 40) + "\nPrivate-" + "Lines: 3\n" + body + "\nPrivate-MAC: " + m.of(hex, 40),
		"without a frame":   "MIIE" + "vQIBADANBgkqhkiG9w0BAQEF" + m.of(base64, 36) + "\n" + body,
		"in a setting":      "PRIVATE_KEY=MIIE" + "pAIBAAKCAQEA" + m.of(base64, 300),
		"P-256":             "MHcC" + "AQEEI" + m.of(base64, 120) + "==",
	}
	for _, label := range []string{"PRIVATE KEY", "RSA PRIVATE KEY", "DSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"} {
		texts[label] = frame(label, body)
		texts[label+" in JSON"] = "{\"key\": \"" + strings.ReplaceAll(frame(label, body), "\n", `\n`) + "\"}"
		texts[label+" indented"] = "key: |\n    " + strings.ReplaceAll(frame(label, body), "\n", "\n    ")
	}
	for name, text := range texts {
		redacted, counts := secret.Redact("Before.\n\n" + text + "\n\nAfter.\n")
		if strings.Contains(redacted, body[20:50]) || strings.Contains(redacted, body[len(body)-12:len(body)-1]) || !named(counts, "private-key") {
			t.Errorf("%s: %v, left %q", name, counts, redacted)
		}
		if !strings.HasSuffix(redacted, "\nAfter.\n") {
			t.Errorf("%s: what follows is gone: %q", name, redacted)
		}
	}
}

func TestWebKeys(t *testing.T) {
	m := newMaker(43)
	private, public := m.of(url, 42)+"4", m.of(url, 42)+"5"
	for _, text := range []string{
		`{"kty":"EC","crv":"P-256","x":"` + public + `","d":"` + private + `"}`,
		"{\n  \"d\": \"" + private + "\",\n  \"kty\": \"OKP\",\n  \"x\": \"" + public + "\"\n}",
		"const key = { kty: 'oct', k: '" + private + "' };",
		`{"keys":[{"kty":"RSA","n":"` + public + `","e":"AQAB"},{"kty":"RSA","n":"` + public + `","d":"` + private + `"}]}`,
	} {
		redacted, counts := secret.Redact(text)
		if strings.Contains(redacted, private) || !named(counts, "private-key") {
			t.Errorf("%q became %q", text, redacted)
		}
	}
	jwks := `{"keys":[{"kty":"RSA","kid":"a1","n":"` + public + `","e":"AQAB"}]}`
	if redacted, counts := secret.Redact(jwks); redacted != jwks {
		t.Errorf("public keys: %v", counts)
	}
}

func TestTokensOfStandards(t *testing.T) {
	m := newMaker(45)
	part := func(text string) string { return base64enc.RawURLEncoding.EncodeToString([]byte(text)) }
	for name, text := range map[string]string{
		"jwt":            part(`{"alg":"HS256"}`) + "." + part(`{"a":1}`) + "." + m.of(url, 11),
		"jwt ":           part(`{"typ":"JWT","alg":"none"}`) + "." + part(`{"sub":"ann","n":12}`) + ".",
		"paseto":         "v4.local." + m.of(url, 90),
		"paseto ":        "v2.public." + m.of(url, 90) + "." + m.of(url, 20),
		"saml-response":  "https://sp.local/acs?SAMLResponse=" + m.of(base64, 300) + "&RelayState=x",
		"otpauth-secret": "otpauth://totp/Acme:ann?issuer=Acme&amp;secret=" + m.of(base32, 32),
		"password-hash":  "ann:$2y$10$" + m.of(alnum, 53),
		"password-hash ": "root:$6$" + m.of(alnum, 12) + "$" + m.of(alnum, 86) + ":19000:0:99999:7:::",
	} {
		redacted, counts := secret.Redact("It is " + text + " here.")
		if strings.Contains(redacted, text[len(text)*2/3:len(text)*2/3+6]) || !named(counts, strings.TrimSpace(name)) {
			t.Errorf("%s: %v, left %q", name, counts, redacted)
		}
	}
}

func TestCodes(t *testing.T) {
	m := newMaker(47)
	for range 10 {
		code := func() string {
			return m.of("abcdefghjkmnpqrstuvwxyz", 3) + m.of(digits, 2) + "-" + m.of(hex, 3) + m.of(digits, 2)
		}
		number := m.of("3456789", 1) + m.of(digits, 2) + "7" + m.of("13579", 1)
		for name, text := range map[string]string{
			"recovery-code":    "Recovery codes:\n\n- " + code() + "\n- " + code() + "\n- " + code() + "\n\nKeep them.",
			"recovery-code  ":  "## Backup codes\n```\n" + code() + "\n" + code() + "\n```\n",
			"recovery-code   ": "backup code: " + code(),
			"pin":              "My PIN is " + number + ".",
			"pin ":             "SIM PIN: " + number,
			"pin  ":            "| PUK | " + number + "82 |",
		} {
			redacted, counts := secret.Redact(text)
			if !named(counts, strings.TrimSpace(name)) || strings.ContainsAny(strings.ReplaceAll(redacted, "2fa", ""), "0123456789") {
				t.Errorf("%q became %q: %v", text, redacted, counts)
			}
			checkRedacted(t, text, redacted)
		}
	}
}

func TestSeedPhrases(t *testing.T) {
	words := strings.Fields("kiln glaze river copper anchor velvet marble onion lemon tiger canvas rocket window planet garden silver hollow button candle forest mirror pepper saddle tunnel")
	for _, count := range []int{12, 24} {
		list := words[:count]
		for _, text := range []string{
			"Seed phrase: " + strings.Join(list, " "), "Mnemonic:\n\n" + strings.Join(list, " ") + "\n", "recovery phrase = \"" + strings.Join(list, " ") + "\"",
			"助记词：" + strings.Join(list, " "), "My seed phrase:\n1. " + strings.Join(list, "\n1. ") + "\n",
		} {
			redacted, counts := secret.Redact(text)
			if !named(counts, "seed-phrase") || strings.Contains(redacted, list[count-1]) || strings.Contains(redacted, list[0]) {
				t.Errorf("%q became %q", text, redacted)
			}
		}
	}
}

// TestLongOrdinaryTexts: tables, minified data and logs are read to their end.
func TestLongOrdinaryTexts(t *testing.T) {
	m := newMaker(49)
	row := func() string {
		return "| " + m.of(digits, 4) + " | ann@mail.local | key: value, token: none, password: see the vault | https://app.local/a?b=c&d=e |\n"
	}
	event := func() string {
		return `{"time":"2031-01-02T03:04:05Z","level":"info","key":"` + m.of(hex, 8) + `","token":null,"password":"","url":"https://app.local/v1/keys?key=a&token=b","pass":true},`
	}
	line := func() string {
		return "2031-01-02 03:04:05 INFO auth: token accepted for user=ann key=a1 session=none pass=1 pwd=/srv/app password=\n"
	}
	config := func() string {
		return "      key: value\n      tokenTtl: 30\n      passwordPolicy: strict\n      secretName: app\n"
	}
	links := func() string { return "- https://a.co/x" + m.of(digits, 1) + "\n- <https://b.co:81/@y/z>\n" }
	keys := func() string {
		return `{"kty":"EC","crv":"P-256","kid":"` + m.of(digits, 3) + `","x":"` + m.of(url, 43) + `","y":"` + m.of(url, 43) + `"},`
	}
	for name, piece := range map[string]func() string{"links": links, "public keys": keys, "table": row, "minified JSON": event, "log": line, "settings": config} {
		m = newMaker(52) // the same texts in whatever order
		var text strings.Builder
		if name == "table" {
			text.WriteString("| id | mail | notes | link |\n|---|---|---|---|\n")
		}
		for text.Len() < 300_000 {
			text.WriteString(piece())
		}
		if redacted, counts := secret.Redact(text.String()); redacted != text.String() {
			t.Errorf("%s: %v", name, counts)
		}
	}
}

// TestWholeValues: of a long value nothing is left, and what follows it stays.
func TestWholeValues(t *testing.T) {
	m := newMaker(71)
	for _, size := range []int{500, 511, 512, 513, 600, 1500, 9000, 40_000} {
		value := m.of(alnum, size-3) + "8k3"
		for _, text := range []string{
			"password = \"%s\"; x = 1", "password: %s\nx = 1", "token = '%s', x = 1", "ACME_TOKEN=%s\nx = 1", "api_key: `%s` x = 1", "tokens:\n  - %s\n  - %s\nx = 1",
			"Authorization: Bearer %s\nx = 1", "Cookie: session=%s; x = 1", "{\"password\": \"%s\", \"x = 1\": 2}", "| token |\n|---|\n| %s |\n\nx = 1", "curl -u ann:%s https://api.local/ x = 1",
			"mysql -u root -p%s x = 1", "machine git.local login ann password %s x = 1", "kind: Secret\ndata:\n  login: %s\n\nx = 1", "--password %s x = 1", "db.local:5432:app:ann:%s\nx = 1",
			"https://a.local/?access_token=%s&x = 1", "<password>%s</password> x = 1", "xai-%s x = 1", "ya29.%s x = 1", "https://ann:%s@host.local/ x = 1",
		} {
			if size > 900 && (strings.Contains(text, ":5432:") || strings.Contains(text, "@host.local")) || size > 7000 && strings.Contains(text, "kind:") {
				continue // longer than such a thing may be
			}
			redacted, _ := secret.Redact(strings.ReplaceAll(text, "%s", value))
			if strings.Contains(redacted, value[size-6:]) || strings.Contains(redacted, value[size/2:size/2+6]) || !strings.Contains(redacted, "x = 1") || len(redacted) > 200 {
				t.Errorf("%d bytes in %q: left %d, %.120q", size, text, len(redacted), redacted)
			}
			checkRedacted(t, text, redacted)
		}
		document := string(secret.Default().RedactJSON([]byte(`{"password":"` + value + `","x":"1"}`)))
		if want := `{"password":"` + secret.Marker("password") + `","x":"1"}`; document != want {
			t.Errorf("%d bytes in JSON: %.120q", size, document)
		}
	}
}

func TestURLUsers(t *testing.T) {
	m := newMaker(73)
	token := m.of(hex, 38) + "a1"
	for _, text := range []string{
		"git+https://%s:x-oauth-basic@github.com/ann/kiln.git#v1", "https://%s:@git.local/", "https://%s:x@git.local/", "https://%s@git.local/ann.git", "https://x-token-auth:%s@git.local/",
	} {
		if redacted, counts := secret.Redact(strings.ReplaceAll(text, "%s", token)); strings.Contains(redacted, token[:8]) || strings.Contains(redacted, token[30:]) {
			t.Errorf("%q: %v, left %q", text, counts, redacted)
		}
	}
}

// TestGuessablePasswords: words that examples have, too, with what people add to them.
func TestGuessablePasswords(t *testing.T) {
	for _, value := range []string{"mySecret" + "789", "Secret" + "2031!", "password" + "4711", "Admin" + "2031"} {
		for _, text := range []string{"password: " + value, "mongodb://ann:" + value + "@db.local:27017/kiln"} {
			if redacted, _ := secret.Redact(text); strings.Contains(redacted, value) {
				t.Errorf("%q is left", text)
			}
		}
	}
}

// TestWrappedValues: Base64 that was wrapped goes with all its lines, and the text below stays.
func TestWrappedValues(t *testing.T) {
	m := newMaker(75)
	for _, rest := range []int{3, 20, 59} {
		lines := []string{m.of(base64, 63) + "1", m.of(base64, 64), m.of(base64, 64), m.of(base64, 64), m.of(base64, 64), m.of(base64, rest) + "7a8="}
		for _, text := range []string{"client_secret: |\n  %s\nuser: ann\n", "token = \"%s\"\nuser: ann\n", "> password:\n> %s\n> user: ann\n", "TOKEN=%s\nuser: ann\n", "TOKEN=%s\nannotations\nuser: ann\n"} {
			indent := text[strings.LastIndexByte(text[:strings.IndexByte(text, '%')], '\n')+1 : strings.IndexByte(text, '%')]
			if strings.Trim(indent, " >") != "" {
				indent = ""
			}
			whole := strings.ReplaceAll(text, "%s", strings.Join(lines, "\n"+indent))
			redacted, counts := secret.Redact(whole)
			for _, line := range lines {
				if strings.Contains(redacted, line) {
					t.Errorf("%q: %v, left %q", text, counts, redacted)
				}
			}
			if !strings.HasSuffix(redacted, text[strings.Index(text, "%s")+2:]) && !strings.Contains(text, "\"") {
				t.Errorf("%q: what follows is gone: %q", text, redacted)
			}
			checkRedacted(t, whole, redacted)
		}
	}
}
