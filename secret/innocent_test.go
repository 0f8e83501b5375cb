package secret_test

import (
	"strings"
	"testing"

	"quarry/secret"
)

// innocents are texts about secrets, of the form of secrets, and around the words for them, that hold none. {x} stands for
// random letters of an alphabet.
const innocents = `
Reset your password: open the settings and press Forgot.
The password is required to be at least 12 characters long.
The password is base64 encoded and the token is JWT.
The password is SHA-256-hashed with a 16-byte salt.
Your password is case-sensitive and expires in 90d.
The token is valid for 3600s after the 1st request.
password for example.org: see the vault
Password (optional): leave blank
The PIN is four digits long.
PIN: 1234
pin 13 = GPIO27
PIN 2031-01-02
Pinout: 4821
Enter the code 4821 to open page 4821.
Backup codes are printed once; keep them in a safe place.
Recovery codes: see page 12 of the 2031-01-02 minutes.
The backup code lives in backup_2031.sh and runs at 03:00.
A seed phrase is a list of words that stores all that is needed to recover funds on chain and it must be kept offline.
The mnemonic for the colours of the rainbow is an old sentence about a king and a battle that he lost.
Seed phrase: ask Ann for it
password = getpass()
password = getpass.getpass("Password: ")
password = input("Enter password2: ")
password = os.environ["DB_PASSWORD"]
password = os.getenv("DB_PASSWORD_2", "")
password: process.env.PASSWORD1
password: ${DB_PASSWORD1}
password: $DB_PASSWORD_1
password: {{ vault_db_password2 }}
password: "{{ lookup('env', 'DB_PASS2') }}"
password: <%= ENV["DB_PASS2"] %>
password: %DB_PASS2%
password: !vault |
password: !secret wifi_password
password: *default_password
password: string
password: String(255)
password: string;
password: null
password: ""
password: ''
password: ********
password: ••••••••
password: [hidden]
password: (unchanged)
password: your-password-1
password: <your password>
password: changeme123
password: xxxxxxxx1
password: hunter
password: NOT NULL VARCHAR(64)
password VARCHAR(255) NOT NULL
password_hash VARCHAR(60)
password-reset: https://app.local/reset
passwordField = findViewById(R.id.password_field2)
PasswordInput2 = styled.input
passwords:
passwords must match 2 of 3 rules
type="password" autocomplete="current-password"
<input type="password" id="password-field-1" name="password1" placeholder="Password123">
<label for="password2">Password</label>
<password>${env.PASSWORD1}</password>
const { password1, password2 } = req.body
if (password1 !== password2) return
user.password = hash(password1)
user.password = params[:password1]
expect(password).toBe(generatedPassword1)
pass: 12 fail: 3
--- PASS: TestName1 (0.00s)
    --- PASS: TestKiln/cold_{x}77 (12.34s)
--- PASS: ExampleKiln2_open (0.00s)
{"Action":"output","Output":"--- PASS: TestName1 (0.00s)\n"}
PASS: TestLogin1 (0.01s)
PASS: test_kiln_fires_in_2031 (12 ms)
PASS: test_login_2 (0.12s)
pass-through-2, bypass=mode2, compass: north2south
pwd: /srv/ann/projects2
$ pwd
echo $PWD/build2
pw_gid=1000
token: string
token: Token
token: ${{ secrets.GITHUB_TOKEN }}
token: <token>
token: YOUR_TOKEN_HERE
token = await getAccessToken2(user1)
token = response.data.access_token1
token = get_token_from_cache_v2(session)
token: null
tokens: 128000
max_tokens: 4096
max_tokens=4096, tokens_per_second=35.2
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased-2")
token_type: bearer
tokenUrl: https://auth.local/oauth2/v2.0/token
csrf token in the form
nextPageToken
secret: ${{ secrets.X }}
secret: ref+vault://apps/db#/password2
secretName: app-tls-2031
secretKeyRef: { name: db-credentials, key: password2 }
valueFrom:
client_secret: <client-secret>
client_secret=${CLIENT_SECRET}
Secret Santa: 24 December 2031
secrets.yaml, secrets-2.yaml
credentials: include
credentials: 'same-origin'
credential helper: osxkeychain2
api_key: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
api_key: 00000000000000000000000000000000
api_key=1234567890abcdef1234567890abcdef
api_key: EXAMPLEKEY1234567890
apiKey: process.env.API_KEY_2
api-key: "your-api-key-2"
API key: see 1Password
API keys: 3 of 5 used
key: value
key: app-config-2031-production
key='America/Argentina/Buenos_Aires'
key=session.user.email2
key: i18n.settings.profile.title2
key: ctrl+shift+alt+F12
primary_key=True, foreign_key="user2.id"
primary key: {h32}
cache-key: {h40}
cache_key: v2-linux-node-18-{h64}
public_key: {s64}
publicKey: {s43}=
partitionKey: {A24}
sortKey: 2031-01-02T03:04:05Z#ORDER#1234
idempotency-key: {h32}
objectKey: uploads/2031/01/{h32}.png
keyboard: qwerty2, monkey: bananas12, turkey: 12kg, donkey: abcd1234efgh
Hotkey: Cmd+Shift+4
ssh-rsa AAAAB3NzaC1yc2E{s200} ann@laptop
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{s43} ann@laptop
SHA256:{s43} ann@laptop (ED25519)
fingerprint: {h64}
MD5 ({h8}.iso) = {h32}
commit {h40}
Merge: {h7} {h7}
index {h7}..{h7} 100644
git checkout {h40}
@sha256:{h64}
image: app@sha256:{h64}
"integrity": "sha512-{s86}=="
"resolved": "https://registry.local/a/-/a-1.2.3.tgz#{h40}"
checksum = "{h64}"
h1:{s43}=
go.sum h1:{s43}=
ETag: "{h32}"
ETag: W/"{b27}"
If-None-Match: "{h40}"
{h8}-{h4}-4{h3}-a{h3}-{h12}
urn:uuid:{h8}-{h4}-4{h3}-a{h3}-{h12}
id: {h8}-{h4}-4{h3}-a{h3}-{h12}
sessionId: {h8}-{h4}-4{h3}-a{h3}-{h12}
request_id={h32} trace_id={h32} span_id={h16}
traceparent: 00-{h32}-{h16}-01
nonce: {s22}==
color: #{h6}, #{h8}
Qm{A44}
0x{h40}
tx 0x{h64}
data:image/png;base64,iVBORw0KGgo{s400}=
![](data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxMCI+PC9zdmc+)
aGVyZSBpcyBhIGxvbmcgYml0IG9mIHRleHQgYWJvdXQgdGhlIHBhc3N3b3JkIHBvbGljeSBhbmQgdG9rZW5z
https://app.local/a/b/c?id=12345&page=2&key=name&sort=asc
https://www.video.local/watch?v={b11}&list=PL{b32}
https://docs.local/document/d/{b44}/edit#gid=0
https://app.local:8443/@scope/package2
https://user:password@example.org/
https://user:pass@host/
https://user:$PASSWORD@host/path2
https://<user>:<password>@host/
https://${USER}:${PASS}@host/x2
postgres://postgres:postgres@localhost:5432/app
redis://localhost:6379/0
http://localhost:3000/users/2:archive@v2
mailto:ann@mail.local?subject=key:value
git@git.local:ann/repo2.git
ssh://git@git.local:22/ann/repo.git
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${TOKEN_2}
Authorization: Bearer YOUR_ACCESS_TOKEN_HERE
Authorization: Basic dXNlcm5hbWU6cGFzc3dvcmQ=
Authorization: Basic <credentials>
Authorization: Negotiate, Digest, NTLM
authorization: required for admin2 endpoints
Authorization code grant, implicit grant and PKCE.
Basic authentication over HTTPS, bearer authentication otherwise.
curl -u user:password https://api.local/
curl -u "$USER:$PASS" https://api.local/
curl -u ann https://api.local/
curl -H "Authorization: Bearer $TOKEN" https://api.local/v2
mysql -u root -p app2
mysql -uroot -p$MYSQL_PASSWORD app
mysql -h db -P 3306 -p
docker run -p 8080:80 --name app2 image
docker login -u ann --password-stdin
mongo -p 27017
ssh -p 2222 ann@host
sshpass -p "$PASS" ssh ann@host
unzip -P
mkdir -p /var/lib/app2
machine learning login page password reset
machine translation of logins
Cookie: theme=dark; lang=en; consent=2031-01-02
Set-Cookie: sessionid=; Max-Age=0
session: The future of glazes 2031
session_timeout=3600
Session 12: keynote about kilns
kind: Secret of the kiln
kind: ConfigMap
kind: SecretProviderClass
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
-----BEGIN PGP PUBLIC KEY BLOCK-----
-----BEGIN PGP SIGNATURE-----
The file starts with -----BEGIN RSA PRIVATE KEY----- and ends likewise.
{"kty":"RSA","n":"{b64}","e":"AQAB"}
eyJhbGciOiJIUzI1NiJ9
eyJhbGciOi...
$2a$10$ marks a bcrypt hash; $6$ one of crypt
echo "$1$2" and awk '{print $1}' and cut -d: -f1
Regex: /^(?=.*[A-Z])(?=.*\d)[A-Za-z\d@$!%*?&]{8,}$/
AccessTokenProvider, RefreshTokenBeforeExpiry2, SecretKeySpecFactory
com.example.security.TokenAuthenticationFilter2
import { SecretManagerServiceClient2 } from '@cloud/secret-manager'
X-Api-Key: <your key>
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
Subresource integrity: sha384-{s64}
kubectl create secret generic db --from-literal=password=$PASS
vault kv get -field=password secret/db2
op://vault/item2/password
aws secretsmanager get-secret-value --secret-id prod/db2
| Key | Action |
| ctrl+k | open2 |
password manager: Bitwarden2031
"passwordId":"0a1b2c3d4e5f"
{"passwordID": "0a1b2c3d4e5f", "passwordHint": "blue7Kettle#42", "passwordLength": "12letters!"}
{"pwdId":"0a1b2c3d4e5f6a7b","passcodeLabel":"blue7Kettle#42","pass_id":"0a1b2c3d4e5f6a7b"}
{"tokenId":"{h28}","secretId":"{h28}","apiKeyId":"{h28}","credentialTypeId":"{h28}"}
PASSWORD_ID=0a1b2c3d4e5f
Passwort-ID: 0a1b2c3d4e5f
gpg --recv-keys {V40}
gpg --keyserver hkps://keys.local --recv-keys 0x{V40}
gpg --export-secret-keys {V40} > key.asc
gpg --list-keys {V16} and --edit-key {V40}
git config user.signingkey {V16}
signingkey = {V40}
https://abc:xyz@host
https://abc:xyz@host/path
https://username:hunter2@example.com/
https://abcd:efgh@hostname/
ftp://anonymous:kiln@files.local/
Passwort vergessen? Seite 2.
Das Passwort ist 12 Zeichen lang.
Le mot de passe est obligatoire.
密码是必填项
パスワードは8文字以上です
`

// blocks are innocents of several lines.
var blocks = []string{
	"| Password | Strength |\n|---|---|\n| required | 12 characters |\n| optional | see above |\n",
	"| Token | Meaning |\n|---|---|\n| identifier | a name |\n| YYYY-MM-DD | a date |\n| `{{name}}` | a variable |\n",
	"| Key | Value |\n|---|---|\n| ctrl+shift+k | delete line |\n| editor.fontSize2 | 14 |\n",
	"| key | hash |\n|---|---|\n| a | {h40} |\n",
	"password:\n  type: string\n  minLength: 8\n",
	"password:\n  valueFrom:\n    secretKeyRef:\n      name: db2\n",
	"token:\n  description: A token that is used 2 times\n",
	"tokens:\n  - identifier\n  - number\n  - whitespace\n",
	"secrets:\n  - source: db_password2\n    target: password2\n",
	"passwords:\n\n- [ ] change them in 2031\n- [ ] tell Ann\n",
	"## Password\n\nIt must have 12 characters.\n",
	"The password:\n\n1. must be long\n2. must be changed in 90d\n",
	"kind: Secret\nmetadata:\n  name: app2\ntype: Opaque\ndata:\n  login: <base64>\n  other: ${LOGIN2}\n",
	"kind: ConfigMap\ndata:\n  app.properties: YWJj\n  mode: production2\n",
	"```compressed-json\n{s150}\n{s150}\n```",
	"-----BEGIN CERTIFICATE-----\nMIID{s60}\n{s64}\n-----END CERTIFICATE-----\n",
	"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQEN{s60}\n{s64}\n=Ab3d\n-----END PGP PUBLIC KEY BLOCK-----\n",
	"Recovery codes:\n\nThey are made when you turn it on.\nPrint them on 2031-01-02.\n",
	"-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----\n",
	"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----\n",
	"-----BEGIN PRIVATE KEY-----\n<your private key goes here>\n-----END PRIVATE KEY-----\n",
	"```yaml\nenv:\n  - name: PASSWORD\n    value: $(PASSWORD2)\n  - name: TOKEN\n    value: {{ .Values.token2 }}\n```\n",
	"func login(user string, password string) error {\n\treturn check(user, password, salt2)\n}\n",
	"export interface Credentials {\n  password: string;\n  token?: string;\n  apiKey: ApiKeyV2;\n}\n",
	"package-lock.json\n\"node_modules/a\": {\n  \"version\": \"1.2.3\",\n  \"integrity\": \"sha512-{s86}==\"\n}\n",
	"a,password,token\n1,required,optional\n",
}

func TestNoAlarms(t *testing.T) {
	m := newMaker(61)
	alphabets := map[byte]string{'h': hex, 'V': strings.ToUpper(hex), 's': base64, 'b': url, 'A': alnum}
	fill := func(text string) string {
		for {
			open := strings.IndexByte(text, '{')
			for open >= 0 && (open+2 >= len(text) || alphabets[text[open+1]] == "" || !strings.Contains(digits, text[open+2:open+3])) {
				next := strings.IndexByte(text[open+1:], '{')
				if next < 0 {
					return text
				}
				open += 1 + next
			}
			if open < 0 {
				return text
			}
			size, end := 0, open+2
			for ; text[end] != '}'; end++ {
				size = 10*size + int(text[end]-'0')
			}
			text = text[:open] + m.of(alphabets[text[open+1]], size) + text[end+1:]
		}
	}
	for range 30 {
		for _, text := range append(strings.Split(strings.TrimSpace(innocents), "\n"), blocks...) {
			for _, around := range []string{"%s", "Before.\n\n%s\n\nAfter.", "```\n%s\n```", "- %s", "> %s"} {
				if around == "- %s" && strings.Contains(text, "\n") {
					continue
				}
				filled := strings.ReplaceAll(around, "%s", fill(text))
				if redacted, counts := secret.Redact(filled); redacted != filled {
					t.Errorf("%q became %q: %v", filled, redacted, counts)
				}
			}
		}
		if t.Failed() {
			break
		}
	}
}
