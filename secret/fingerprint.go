package secret

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
)

// detectorVersion stands for what rules do in code: the view of a text, looks, checks, lists of words. Raise it whenever
// code finds more or less than before: what was read with an older one is then read anew.
const detectorVersion = 4

// Fingerprint stands for all that the table of rules finds: hex SHA-256 of every row and of the version of the code beside
// them. Where it differs from the one that a text was read with, the text may hold what was not known then. It does not
// depend on Options.
func Fingerprint() string { return tableFingerprint() }

var tableFingerprint = sync.OnceValue(func() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d\n%q\n%q\n", detectorVersion, codeNames, hashForms)
	for _, r := range slices.Concat(vendorRules(), genericRules) {
		fmt.Fprintf(sum, "%q %q %q %d %d %d %d %d %t %t %t\n", r.name, r.keywords, r.pattern, r.before, r.least, r.full, r.lengths, r.most, r.loose, r.anyCase, r.exact)
	}
	for _, row := range nearVendors {
		fmt.Fprintf(sum, "%q %q\n", row.form, row.services)
	}
	return hex.EncodeToString(sum.Sum(nil))
})
