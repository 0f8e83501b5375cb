package secret

import "strings"

// VendorShape is a form of token of the tables with what the tests have to know of it.
type VendorShape struct {
	Name, Shape string
	Anchored    bool // begins with its keyword and holds bytes of tokens only: it may be wrapped
	Worded      bool // words in its place are none
	Exact       bool // no length but those of the shape is one
	Before      int  // bytes in front of its keyword
}

// VendorShapes are those of all tables but the one of services beside values.
func VendorShapes() []VendorShape {
	var list []VendorShape
	for _, table := range [][]vendor{
		modelVendors, cloudVendors, hostingVendors, chatVendors, paymentVendors, operationVendors, appVendors, sharedVendors,
	} {
		for _, row := range table {
			for _, text := range strings.Fields(row.shapes) {
				shape, r := readShape(text), row.rule(readShape(text))
				list = append(list, VendorShape{
					Name: row.name, Shape: text, Anchored: shape.before == 0 && !shape.split, Exact: !strings.Contains(row.shapes, "+"), Before: shape.before,
					Worded: r.check != nil && !r.check([]byte("ex_the-kiln-was-fired-slowly-and-the-glaze-ran-down-over-the-foot-of-the-bowl")),
				})
			}
		}
	}
	return list
}

// NearForms are the rows of the table of services: form and services.
func NearForms() [][2]string {
	var list [][2]string
	for _, row := range nearVendors {
		list = append(list, [2]string{row.form, row.services})
	}
	return list
}

// VendorNames are the names of the rules of the tables, as often as they stand there.
func VendorNames() []string {
	var names []string
	for _, r := range vendorRules() {
		names = append(names, r.name)
	}
	return names
}
