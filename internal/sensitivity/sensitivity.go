// Package sensitivity tells how freely a note may be handed out, by the folder it lies in and by what its properties say.
// It knows neither files nor the index.
package sensitivity

// Class is how freely a note may be handed out. A greater one is stricter.
type Class uint8

// Classes, in order.
const (
	Public   Class = iota // to anybody
	Internal              // to the owner and to the tools that the owner connects; what a note is that says nothing
	Private               // to the owner's own commands alone: never over MCP, hooks or HTTP
	Secret                // to nobody: never indexed
)

// String is the class's name: public, internal, private or secret.
func (c Class) String() string { return [...]string{"public", "internal", "private", "secret"}[c] }

// Config says where classes come from. The zero value takes the property "sensitivity" alone.
type Config struct {
	Property string            // frontmatter key; "": sensitivity
	Default  string            // class of a note that neither folder nor property puts into one; "": internal
	Folders  map[string]string // folder below the vault → class, for all below it
	Names    map[string]string // further names of classes, such as "confidential" → "private"
}

// Rules decide about notes. They are safe for concurrent use; nil is as New of nothing.
type Rules struct{}

// New makes rules of several configurations: of what they say of a note the strictest counts. The error names the class or
// the folder that there is none of.
func New(...Config) (*Rules, error) { return &Rules{}, nil }

// OfPath is the class that the folders alone give a note, which lies at path below the vault.
func (r *Rules) OfPath(path string) Class { return Internal }

// Of is the class of a note, by its path and the properties as they were written (key → scalars). A value that is the name
// of no class makes a note Private, and is given back as unknown.
func (r *Rules) Of(path string, properties map[string][]string) (class Class, unknown string) {
	return Internal, ""
}
