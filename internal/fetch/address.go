package fetch

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// blockedPorts are of services that are no web, which a request could still set going.
var blockedPorts = map[int]string{
	0: "reserved", 7: "echo", 9: "discard", 13: "daytime", 19: "chargen", 20: "FTP", 21: "FTP", 22: "SSH", 23: "Telnet", 25: "SMTP", 53: "DNS", 69: "TFTP", 79: "finger",
	110: "POP3", 111: "RPC", 119: "NNTP", 123: "NTP", 135: "RPC", 137: "NetBIOS", 138: "NetBIOS", 139: "NetBIOS", 143: "IMAP", 161: "SNMP", 179: "BGP", 389: "LDAP", 445: "SMB",
	465: "SMTP", 512: "rexec", 513: "rlogin", 514: "syslog", 515: "printing", 548: "AFP", 554: "RTSP", 563: "NNTP", 587: "SMTP", 631: "printing", 636: "LDAP", 873: "rsync",
	993: "IMAP", 995: "POP3", 1433: "SQL Server", 1521: "Oracle", 1723: "PPTP", 2049: "NFS", 2181: "ZooKeeper", 2375: "Docker", 2376: "Docker", 2379: "etcd", 2380: "etcd",
	3306: "MySQL", 3389: "RDP", 4222: "NATS", 5060: "SIP", 5061: "SIP", 5432: "PostgreSQL", 5672: "AMQP", 5900: "VNC", 5984: "CouchDB", 6000: "X11", 6379: "Redis", 6443: "Kubernetes",
	6665: "IRC", 6666: "IRC", 6667: "IRC", 6668: "IRC", 6669: "IRC", 6697: "IRC", 8500: "Consul", 9042: "Cassandra", 9092: "Kafka", 9200: "Elasticsearch", 9300: "Elasticsearch",
	10250: "Kubernetes", 11211: "memcached", 27017: "MongoDB", 27018: "MongoDB", 50070: "Hadoop",
}

// innerNames end names that are of no public server.
var innerNames = []string{".localhost", ".local", ".internal", ".intranet", ".lan", ".home", ".corp", ".private", ".home.arpa", ".localdomain", ".onion"}

// check reads an address that is to be asked: http or https, a host, a port that is of no other service. A host that is a number in
// another form than four decimal parts is refused, since resolvers read it differently. Where the host leads is checked on connecting.
func check(address string) (*url.URL, error) {
	if len(address) > maxAddressBytes {
		return nil, fmt.Errorf("%w: it is longer than %d bytes", ErrForbidden, maxAddressBytes)
	}
	parsed, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, fmt.Errorf("%w: it is not understood", ErrForbidden)
	}
	parsed.Scheme = strings.ToLower(parsed.Scheme)
	host := strings.TrimSuffix(strings.ToLower(parsed.Hostname()), ".")
	switch {
	case parsed.Scheme != "http" && parsed.Scheme != "https":
		return nil, fmt.Errorf("%w: %s: is neither http nor https", ErrForbidden, parsed.Scheme)
	case parsed.Opaque != "" || host == "":
		return nil, fmt.Errorf("%w: it names no host", ErrForbidden)
	case parsed.User != nil:
		return nil, fmt.Errorf("%w: it holds a name or password", ErrForbidden)
	}
	if port := parsed.Port(); port != "" {
		number, err := strconv.ParseUint(port, 10, 16)
		if service := blockedPorts[int(number)]; err != nil || service != "" {
			return nil, fmt.Errorf("%w: port %s (%s)", ErrForbidden, port, service)
		}
	}
	if err := checkHost(host); err != nil {
		return nil, err
	}
	parsed.Fragment, parsed.RawFragment = "", ""
	return parsed, nil
}

func checkHost(host string) error {
	if _, err := netip.ParseAddr(host); err == nil {
		return nil // checked on connecting, as any other
	}
	if host == "localhost" {
		return nil // likewise
	}
	for _, end := range innerNames {
		if strings.HasSuffix(host, end) {
			return fmt.Errorf("%w: %s names no public server", ErrForbidden, host)
		}
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if isNumber(last) || strings.ContainsAny(host, "%\\/@ \t\r\n\x00") {
		return fmt.Errorf("%w: %s is no name", ErrForbidden, strconv.Quote(host))
	}
	return nil
}

// isNumber tells a part of a host that some resolver reads as a number: decimal, octal or hexadecimal.
func isNumber(part string) bool {
	if part == "" {
		return true
	}
	if rest, ok := strings.CutPrefix(part, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return strings.Trim(part, "0123456789") == ""
}

// closed are the networks that are not of the public web, by the special-purpose registries of IANA and the forms that hold an IPv4
// address in an IPv6 one.
var closed = parsePrefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
	"192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"::/8", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16",
	"fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
)

// open is what is assigned of IPv6; all else of it is closed.
var open = netip.MustParsePrefix("2000::/3")

func parsePrefixes(texts ...string) []netip.Prefix {
	prefixes := make([]netip.Prefix, 0, len(texts))
	for _, text := range texts {
		prefixes = append(prefixes, netip.MustParsePrefix(text))
	}
	return prefixes
}

// checkIP refuses what is not of the public web. An IPv4 address within an IPv6 one is refused in every form, whatever it is.
func checkIP(ip netip.Addr, allowLoopback bool) error {
	ip = ip.WithZone("")
	if allowLoopback && ip.Unmap().IsLoopback() {
		return nil
	}
	isClosed := !ip.IsValid() || ip.Is6() && !open.Contains(ip)
	for _, prefix := range closed {
		isClosed = isClosed || prefix.Contains(ip)
	}
	if isClosed {
		return fmt.Errorf("%w: %s is of a closed network", ErrForbidden, ip)
	}
	return nil
}
