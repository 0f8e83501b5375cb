package secret

// genericRules know a secret by what stands around it. Their names give way to those of vendors.
var genericRules = []rule{
	{name: "private-key", keywords: []string{"-----begin", "---- begin"}, loose: true, anyCase: true, most: 1, look: (*scan).pemKey},
	{name: "private-key", keywords: []string{"private-lines:"}, loose: true, anyCase: true, most: 1, look: (*scan).puttyKey},
	{name: "private-key", keywords: derStarts, loose: true, most: 1, look: (*scan).derKey},
	{name: "private-key", keywords: []string{"LS0tLS1CRUdJTi"}, loose: true, most: 1, look: (*scan).encodedKey},
	{name: "private-key", keywords: []string{`"kty"`, "kty:", "'kty'"}, loose: true, most: 1, look: (*scan).webKey},
	{name: "otpauth-secret", keywords: []string{"otpauth://"}, loose: true, anyCase: true, pattern: `(?i:otpauth://[^\s"'<>]{0,300}?[?&]secret=([a-z2-7]{10,}))`, least: 30, check: anything},
	{name: "otpauth-secret", keywords: []string{"otpauth-migration://"}, loose: true, anyCase: true, pattern: `(?i:otpauth-migration://offline\?data=([a-z0-9+/_-]{20,}={0,2}))`, least: 50, check: anything},
	{name: "wireguard-key", keywords: []string{"privatekey", "presharedkey"}, loose: true, anyCase: true, most: 80, pattern: `(?i:(?:private|preshared)key[ \t]{0,3}=[ \t]{0,3}([a-z0-9+/]{43}=))`, check: anything},
	{name: "jwt", keywords: []string{"eyJ"}, most: 1, look: (*scan).jwt},
	{name: "paseto", keywords: []string{".local.", ".public."}, before: 2, pattern: `v[1-4]\.(?:local|public)\.[A-Za-z0-9_-]{40,}(?:\.[A-Za-z0-9_-]+)?`, least: 45},
	{name: "saml-response", keywords: []string{"samlresponse="}, loose: true, anyCase: true, pattern: `(?i:samlresponse=([a-z0-9+/=%_-]{100,}))`, least: 110, check: anything},
	{name: "url-credentials", keywords: []string{"://"}, loose: true, most: 1, look: (*scan).urlCredentials},
	{name: "url-credentials", keywords: []string{"jdbc:oracle:"}, loose: true, anyCase: true, most: 160, pattern: `(?i:jdbc:oracle:(?:thin|oci8?):[^\s/@:"']{1,60}/([^\s@"'/]{3,60})@)`, check: notSimple},
	{name: "authorization-header", keywords: []string{"bearer ", "bearer:", "basic ", "authorization"}, anyCase: true, loose: true, most: 1, look: (*scan).authorization},
	{name: "curl-password", keywords: []string{"curl "}, anyCase: true, most: 1, look: (*scan).curlPassword},
	{name: "command-password", keywords: commandWords, most: 1, look: (*scan).commandPassword},
	{name: "command-password", keywords: []string{"-passin", "-passout"}, loose: true, most: maxTokenBytes, pattern: `-pass(?:in|out)[ =]{1,2}["']?pass:([^\s"']{4,})`, check: notSimple},
	{name: "password", keywords: []string{"securestring"}, loose: true, anyCase: true, most: maxTokenBytes, pattern: `(?i:securestring[ (]{1,3}(?:-string )?["']([^"'\n]{4,})["'])`, check: notSimple},
	{name: "password", keywords: []string{"networkcredential("}, loose: true, anyCase: true, most: maxTokenBytes, pattern: `(?i:networkcredential\([^,\n]{1,80}, {0,3}"([^"\n]{4,})")`, check: notSimple},
	{name: "netrc-password", keywords: []string{"machine "}, most: 1, look: (*scan).netrcPassword},
	{name: "pgpass-password", keywords: []string{":5432:", ":3306:", ":*:"}, loose: true, most: 1, look: (*scan).pgpassPassword},
	{name: "password-hash", keywords: hashWords, loose: true, anyCase: true, most: 1, look: (*scan).passwordHash},
	{name: "password", keywords: []string{
		"passw", "passphrase", "passcode", "pwd", "pass", "pw", "contraseña", "kennwort", "mot de passe", "senha", "wachtwoord", "lösenord", "hasło", "ароль", "psk",
		"密码", "密碼", "口令", "パスワード", "비밀번호",
	}, anyCase: true, loose: true, most: 1, look: (*scan).password},
	{name: "secret-assignment", keywords: []string{"secret", "token", "credential", "creds", "密钥", "令牌"}, anyCase: true, loose: true, most: 1, look: (*scan).assignedSecret},
	{name: "key-assignment", keywords: []string{"key", "_auth", `"auth"`}, anyCase: true, loose: true, most: 1, look: (*scan).assignedKey},
	{name: "session-cookie", keywords: []string{"session", "sessid", "connect.sid", "sid="}, anyCase: true, loose: true, most: 1, look: (*scan).session},
	{name: "kubernetes-secret", keywords: []string{"kind: secret", `kind: "secret"`, "kind: 'secret'", `"kind": "secret"`, `"kind":"secret"`}, anyCase: true, loose: true, most: 1, look: (*scan).kubernetesSecret},
	{name: "pin", keywords: []string{"PIN", "PUK"}, most: 1, look: (*scan).pin},
	{name: "recovery-code", keywords: codeWords, anyCase: true, loose: true, most: 1, look: (*scan).recoveryCodes},
	{name: "seed-phrase", keywords: seedWords, anyCase: true, loose: true, most: 1, look: (*scan).seedPhrase},
	{name: tableRule, keywords: []string{"|--", "| --", "--|", "-- |", "|:-", "| :-"}, loose: true, most: 1, look: (*scan).table},
}

func anything([]byte) bool { return true }
