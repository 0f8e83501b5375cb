package secret

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"strconv"
	"strings"
)

// The checks below know a token that is beyond doubt. They only raise confidence: one that fails is withheld too, unless
// it looks like a sample; one that holds is withheld even then.

// sound makes the check of a rule whose tokens can be known by themselves.
func sound(valid, check func([]byte) bool) func([]byte) bool {
	if check == nil {
		check = notSample
	}
	return func(token []byte) bool { return check(token) || valid(token) }
}

const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// hasBase62Sum: behind a prefix that ends with "_", the last six characters are the CRC-32 of those before in Base62.
// GitHub, npm and NetBird make their tokens so.
func hasBase62Sum(token []byte) bool {
	prefix := strings.IndexByte(string(token), '_') + 1
	body := token[prefix:]
	if len(body) != 36 {
		return false
	}
	sum := crc32.ChecksumIEEE(body[:30])
	var digits [6]byte
	for i := 5; i >= 0; i-- {
		digits[i] = base62Digits[sum%62]
		sum /= 62
	}
	return string(body[30:]) == string(digits[:])
}

// hasGitLabSum: a routable token ends with the CRC-32 of all before it, in seven digits of base 36.
func hasGitLabSum(token []byte) bool {
	const digits = 7
	dot := strings.LastIndexByte(string(token), '.')
	if dot < 0 || len(token) < dot+1+2+digits {
		return false
	}
	end := len(token) - digits
	sum := strconv.FormatUint(uint64(crc32.ChecksumIEEE(token[:end])), 36)
	return string(token[end:]) == strings.Repeat("0", digits-len(sum))+sum
}

// hasGrafanaSum: the last eight hex digits are the CRC-32 of what stands before "_", its low byte first.
func hasGrafanaSum(token []byte) bool {
	line := strings.LastIndexByte(string(token), '_')
	if line < 0 {
		return false
	}
	sum, err := hex.DecodeString(string(token[line+1:]))
	return err == nil && len(sum) == 4 && binary.LittleEndian.Uint32(sum) == crc32.ChecksumIEEE(token[:line])
}

// hasAtlassianSum: behind "=" the CRC-32 of all before it, in eight upper-case hex digits.
func hasAtlassianSum(token []byte) bool {
	equals := strings.LastIndexByte(string(token), '=')
	return equals > 0 && string(token[equals+1:]) == strings.ToUpper(hexSum(token[:equals+1]))
}

// hasCloudflareSum: behind the prefix 40 characters and their CRC-32 in hex.
func hasCloudflareSum(token []byte) bool {
	body := token[strings.IndexByte(string(token), '_')+1:]
	return len(body) == 48 && string(body[40:]) == hexSum(body[:40])
}

// hexSum is the CRC-32 of text in eight hex digits.
func hexSum(text []byte) string {
	return hex.EncodeToString(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(text)))
}

// hasBech32Sum is the check of BIP 173 for a text in one case, with the part before the last "1" in it.
func hasBech32Sum(token []byte) bool {
	const digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	text := strings.ToLower(string(token))
	one := strings.LastIndexByte(text, '1')
	if one < 1 {
		return false
	}
	sum := uint32(1)
	for i := range one {
		sum = bech32Step(sum, uint32(text[i]>>5))
	}
	sum = bech32Step(sum, 0)
	for i := range one {
		sum = bech32Step(sum, uint32(text[i]&31))
	}
	for i := one + 1; i < len(text); i++ {
		value := strings.IndexByte(digits, text[i])
		if value < 0 {
			return false
		}
		sum = bech32Step(sum, uint32(value))
	}
	return sum == 1
}

func bech32Step(sum, value uint32) uint32 {
	top := sum >> 25
	sum = sum&0x1ffffff<<5 ^ value
	for i, generator := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
		if top>>i&1 == 1 {
			sum ^= generator
		}
	}
	return sum
}

// holdsJSON: a part of the token is Base64 of a JSON object, as in those of Sentry, Grafana and 1Password.
func holdsJSON(token []byte) bool {
	start := strings.Index(string(token), "eyJ")
	if start < 0 {
		return false
	}
	text := strings.NewReplacer("-", "+", "_", "/").Replace(string(token[start:]))
	for _, part := range []string{text, text[:max(0, strings.LastIndexByte(text, '/'))]} {
		plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(part, "="))
		var object map[string]any
		if err == nil && json.Unmarshal(plain, &object) == nil && len(object) > 0 {
			return true
		}
	}
	return false
}
