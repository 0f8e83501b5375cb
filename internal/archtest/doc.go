// Package archtest holds the layering of the module, and the measures of its code, as tests. It has no code of its own:
// layers_test.go is the table of who may import whom, code_test.go the rules for the code itself.
package archtest
