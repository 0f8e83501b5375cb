package sensitivity_test

import (
	"errors"
	"strings"
	"testing"

	"quarry/internal/sensitivity"
)

func rulesOf(t *testing.T, configs ...sensitivity.Config) *sensitivity.Rules {
	t.Helper()
	rules, err := sensitivity.New(configs...)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestFolders(t *testing.T) {
	rules := rulesOf(t, sensitivity.Config{Folders: map[string]string{
		"Journal": "private", "journal/Open": "Public", "/journal/open/Cellar/": " secret ", `work\clients`: "private",
		"caf\u00e9": "private", "STRASSE": "private", "one.md": "secret", "./dots//more": "private",
	}})
	for path, want := range map[string]string{
		"journal/a.md": "private", "JOURNAL/deep/a.md": "private", "journal": "private", "journals/a.md": "", "a/journal/b.md": "",
		"journal.md": "", "journal/open/a.md": "public", "Journal/OPEN/cellar/x/a.md": "secret", "work/Clients/a.md": "private", "work/a.md": "",
		"cafe\u0301/a.md": "private", "CAFE\u0301/a.md": "private", "stra\u00dfe/a.md": "", "One.md": "secret", "dots/more/a": "private",
		"": "", "journal/../x.md": "private", "jour\u200cnal/a.md": "private",
	} {
		class, ok := rules.OfPath(path)
		if got := class.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %s (%v), want %q", path, got, ok, want)
		}
	}
	if class, ok := rulesOf(t, sensitivity.Config{Folders: map[string]string{".": "private", "a": "public"}}).OfPath("b.md"); !ok || class != sensitivity.Private {
		t.Errorf("the whole vault: %s", class)
	}
}

func TestFaults(t *testing.T) {
	for _, test := range []struct {
		config               sensitivity.Config
		option, entry, names string
	}{
		{sensitivity.Config{Default: "hidden"}, "default", "", "hidden"},
		{sensitivity.Config{Folders: map[string]string{"a": "privat", "b": "privat"}}, "folders", "a", "privat"},
		{sensitivity.Config{Folders: map[string]string{"../a": "private"}}, "folders", "../a", "outside"},
		{sensitivity.Config{Folders: map[string]string{"a/*": "private"}}, "folders", "a/*", "pattern"},
		{sensitivity.Config{Folders: map[string]string{" ": "private"}}, "folders", " ", "name"},
		{sensitivity.Config{Names: map[string]string{"mine": "own"}}, "names", "mine", "own"},
		{sensitivity.Config{Names: map[string]string{" ": "private"}}, "names", " ", "name"},
	} {
		_, err := sensitivity.New(sensitivity.Config{}, test.config)
		var fault *sensitivity.ConfigError
		if !errors.As(err, &fault) || fault.Option != test.option || fault.Entry != test.entry || !strings.Contains(err.Error(), test.names) {
			t.Errorf("%+v: error %v, want one about %s", test.config, err, test.names)
		}
	}
}

func TestDeclared(t *testing.T) {
	rules := rulesOf(t, sensitivity.Config{Names: map[string]string{"Confidential": "private", "private": "public", "Offen": "public"}})
	type object = map[string]any
	for name, test := range map[string]struct {
		properties    object
		want, unknown string
	}{
		"none":           {object{"title": "private"}, "", ""},
		"plain":          {object{"sensitivity": "private"}, "private", ""},
		"case, blanks":   {object{" Sensitivity": " PRIVATE\t"}, "private", ""},
		"two keys":       {object{"sensitivity": "public", "SENSITIVITY": "secret"}, "secret", ""},
		"list":           {object{"sensitivity": []any{"public", "Private", ""}}, "private", ""},
		"nested list":    {object{"sensitivity": []any{[]any{"secret"}}}, "secret", ""},
		"empty":          {object{"sensitivity": "  "}, "", ""},
		"null":           {object{"sensitivity": nil}, "", ""},
		"empty list":     {object{"sensitivity": []any{nil}}, "", ""},
		"further name":   {object{"sensitivity": "confidential"}, "private", ""},
		"no laxer":       {object{"sensitivity": "private"}, "private", ""},
		"laxer name":     {object{"sensitivity": "offen"}, "public", ""},
		"no class":       {object{"sensitivity": "privat"}, "private", "privat"},
		"one of list":    {object{"sensitivity": []any{"public", "hush"}}, "private", "hush"},
		"no width":       {object{"sensi\u200btivity": "pri\u2060vate"}, "private", ""},
		"look-alike":     {object{"sensitivity": "\u0440ublic"}, "private", "\u0440ublic"},
		"marker":         {object{"sensitivity": "[REDACTED:jwt]"}, "private", "[REDACTED:jwt]"},
		"number":         {object{"sensitivity": 3}, "private", "3"},
		"mapping":        {object{"sensitivity": object{"level": "public"}}, "private", "several values under names of their own"},
		"another's name": {object{"meta": object{"sensitivity": "private"}}, "", ""},
	} {
		got := rules.Declared(test.properties)
		if got.Name() != test.want || got.Unknown != test.unknown {
			t.Errorf("%s: %q, unknown %q, want %q, %q", name, got.Name(), got.Unknown, test.want, test.unknown)
		}
	}
	dotted := rulesOf(t, sensitivity.Config{Property: "Meta.Class"})
	for name, properties := range map[string]object{
		"within": {"meta": object{"class": "private"}}, "as a key": {"meta.class": "private"}, "case": {"META": object{"CLASS": "private"}},
	} {
		if got := dotted.Declared(properties); got.Name() != "private" {
			t.Errorf("%s: %q", name, got.Name())
		}
	}
	var none *sensitivity.Rules
	if got := none.Declared(object{"sensitivity": "private"}); got.Name() != "private" {
		t.Errorf("no rules: %q", got.Name())
	}
}

func TestOf(t *testing.T) {
	type config = sensitivity.Config
	folder := func(class string) config { return config{Folders: map[string]string{"a": class}} }
	for name, test := range map[string]struct {
		configs        []config
		declared, want string
	}{
		"nothing":                    {nil, "", "internal"},
		"empty":                      {[]config{{}}, "", "internal"},
		"property alone":             {[]config{{}}, "public", "public"},
		"damaged":                    {[]config{{}}, "nonsense", "private"},
		"folder":                     {[]config{folder("public")}, "", "public"},
		"folder and property":        {[]config{folder("public")}, "private", "private"},
		"property and folder":        {[]config{folder("private")}, "public", "private"},
		"default":                    {[]config{{Default: "private"}}, "", "private"},
		"default and property":       {[]config{{Default: "private"}}, "public", "public"},
		"default and folder":         {[]config{{Default: "private", Folders: map[string]string{"a": "public"}}}, "", "public"},
		"silent beside public":       {[]config{folder("public"), {}}, "", "public"},
		"strictest":                  {[]config{folder("public"), folder("private")}, "", "private"},
		"strictest, other way round": {[]config{folder("private"), folder("public")}, "", "private"},
		"default of the other":       {[]config{{Default: "private"}, folder("public")}, "", "private"},
		"default of the vault":       {[]config{folder("public"), {Default: "secret"}}, "", "secret"},
	} {
		rules := rulesOf(t, test.configs...)
		if got := rules.Of("a/b.md", test.declared).String(); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
	// The property of one configuration does not lift the default of another.
	rules := rulesOf(t, config{Default: "private"}, config{Property: "class"})
	if got := rules.Declared(map[string]any{"class": "public"}); got.Name() != "private" {
		t.Errorf("another's property: %s", got.Name())
	}
}

func TestStated(t *testing.T) {
	rules := rulesOf(t, sensitivity.Config{Property: "meta.caf\u00e9"}, sensitivity.Config{})
	for text, want := range map[string]string{
		"title: x\n": "", "sensitivity: private\n": "private", "Sensitivity :  'Secret'": "secret", "  \"sensitivity\": \"public\",": "public",
		"sensitivity = \"private\"": "private", "sensitivity:: private": "private", "sensitivity: [public, x]": "public", "sensitivity:\n": "private",
		"sensitivity: hush": "private", "sensitivity: public\nsensitivity: private": "private", "{\"a\":1,\"sensitivity\":\"secret\"}": "secret",
		"insensitivity: private": "", "sensitivity": "", "the sensitivity of it": "", "cafe\u0301: private": "private", "SENSITIVITY: public": "public",
		strings.Repeat("sensitivity: public\n", 2000): "private",
	} {
		if got := rules.Stated(text); got.Name() != want {
			t.Errorf("%.60q: %q, want %q", text, got.Name(), want)
		}
	}
}

func TestNamed(t *testing.T) {
	rules := rulesOf(t)
	for _, test := range [][3]string{
		{"sensitivity", "private", "private"},
		{"Sensitivity", ` "Secret" `, "secret"},
		{"sensitivity", "0.98", ""},
		{"sensitivity", "", ""},
		{"other", "private", ""},
	} {
		if got := rules.Named(test[0], test[1]); got.Name() != test[2] {
			t.Errorf("%s: %s is %q, want %q", test[0], test[1], got.Name(), test[2])
		}
	}
}

// TestReading holds that a change which asks for notes to be read anew is told from one that does not.
func TestReading(t *testing.T) {
	type config = sensitivity.Config
	base := rulesOf(t).Reading()
	hashes := map[string]string{}
	for name, test := range map[string]struct {
		config config
		same   bool
	}{
		"nothing":        {config{}, true},
		"folders":        {config{Folders: map[string]string{"a": "secret"}}, true},
		"default":        {config{Default: "private"}, true},
		"secret default": {config{Default: "secret"}, false},
		"property":       {config{Property: "class"}, false},
		"names":          {config{Names: map[string]string{"hush": "private"}}, false},
	} {
		if got := rulesOf(t, test.config).Reading(); (got == base) != test.same {
			t.Errorf("%s: same %v, want %v", name, got == base, test.same)
		}
		hash := rulesOf(t, test.config).Hash()
		if other := hashes[hash]; other != "" || hash != rulesOf(t, test.config).Hash() {
			t.Errorf("the hash of %s is that of %s", name, other)
		}
		hashes[hash] = name
	}
}

// FuzzDeclared holds that no text of a class is read as laxer than it is.
func FuzzDeclared(f *testing.F) {
	for _, seed := range []string{"private", " Secret", "public", "x", "", "\xff", "PRIVATE\u200b"} {
		f.Add(seed)
	}
	rules, err := sensitivity.New()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got := rules.Declared(map[string]any{"sensitivity": value})
		_, isName := sensitivity.Parse(value)
		switch {
		case strings.TrimSpace(value) == "":
			if got.Made {
				t.Errorf("%q says %s", value, got.Name())
			}
		case !isName && (got.Class != sensitivity.Private || got.Unknown == ""):
			t.Errorf("%q is %s", value, got.Name())
		}
		rules.Stated("sensitivity: " + value)
		rules.OfPath(value)
	})
}
