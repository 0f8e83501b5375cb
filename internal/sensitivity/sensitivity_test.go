package sensitivity_test

import (
	"errors"
	"slices"
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
		{sensitivity.Config{Names: map[string]string{"Private": "public"}}, "names", "Private", "laxer"},
		{sensitivity.Config{Names: map[string]string{"hush": "private"}, Default: "hus"}, "default", "", "secret, hush)"},
	} {
		_, err := sensitivity.New(sensitivity.Config{}, test.config)
		var fault *sensitivity.ConfigError
		if !errors.As(err, &fault) || fault.Option != test.option || fault.Entry != test.entry || !strings.Contains(err.Error(), test.names) {
			t.Errorf("%+v: error %v, want one about %s", test.config, err, test.names)
		}
	}
}

func TestDeclared(t *testing.T) {
	rules := rulesOf(t, sensitivity.Config{Names: map[string]string{"Confidential": "private", "internal": "private", "Offen": "public", "Top-secret": "secret"}})
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
		"empty":          {object{"sensitivity": "  "}, "private", "empty"},
		"no width alone": {object{"sensitivity": "\u200b"}, "private", "empty"},
		"null":           {object{"sensitivity": nil}, "private", "empty"},
		"no list":        {object{"sensitivity": []any{}}, "private", "empty"},
		"empty list":     {object{"sensitivity": []any{nil, ""}}, "private", "empty"},
		"empty item":     {object{"sensitivity": []any{nil, "public"}}, "public", ""},
		"further name":   {object{"sensitivity": "confidential"}, "private", ""},
		"stricter name":  {object{"sensitivity": "internal"}, "private", ""},
		"remark":         {object{"sensitivity": "public (mostly)"}, "private", "public (mostly)"},
		"strict remark":  {object{"sensitivity": "secret, and private"}, "secret", "secret, and private"},
		"own strict one": {object{"sensitivity": "[[top-secret]]"}, "secret", "[[top-secret]]"},
		"laxer name":     {object{"sensitivity": "offen"}, "public", ""},
		"no class":       {object{"sensitivity": "privat"}, "private", "privat"},
		"one of list":    {object{"sensitivity": []any{"public", "hush"}}, "private", "hush"},
		"no width":       {object{"sensi\u200btivity": "pri\u2060vate"}, "private", ""},
		"soft hyphen":    {object{"sensi\u00adtivity": "pri\u00advate"}, "private", ""},
		"full width":     {object{"\uff53ensitivity": "\uff53ecret"}, "secret", ""},
		"look-alike":     {object{"sensitivity": "\u0440ublic"}, "private", "\u0440ublic"},
		"marker":         {object{"sensitivity": "[REDACTED:jwt]"}, "private", "[REDACTED:jwt]"},
		"number":         {object{"sensitivity": 3}, "private", "3"},
		"mapping":        {object{"sensitivity": object{"level": "public"}}, "private", "several values under names of their own"},
		"another's name": {object{"meta": object{"sensitivity": "private"}}, "", ""},
	} {
		got := rules.Declared(sensitivity.Said{Properties: test.properties})
		if unknown := got.Unknown; got.Empty {
			got.Unknown = "empty" + unknown
		}
		if got.Name() != test.want || got.Unknown != test.unknown {
			t.Errorf("%s: %q, unknown %q, want %q, %q", name, got.Name(), got.Unknown, test.want, test.unknown)
		}
	}
	dotted := rulesOf(t, sensitivity.Config{Property: "Meta.Class"})
	for name, properties := range map[string]object{
		"within": {"meta": object{"class": "private"}}, "as a key": {"meta.class": "private"}, "case": {"META": object{"CLASS": "private"}},
	} {
		if got := dotted.Declared(sensitivity.Said{Properties: properties}); got.Name() != "private" {
			t.Errorf("%s: %q", name, got.Name())
		}
	}
	var none *sensitivity.Rules
	if got := none.Declared(sensitivity.Said{Properties: object{"sensitivity": "private"}}); got.Name() != "private" {
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
}

// TestNoLaxer holds that no second configuration makes a note laxer than the first has it, wherever the note says something.
func TestNoLaxer(t *testing.T) {
	type config = sensitivity.Config
	type said = sensitivity.Said
	fields := func(key, value string) said { return said{Fields: []sensitivity.Field{{Key: key, Value: value}}} }
	user := config{Property: "klass", Default: "private"}
	for name, test := range map[string]struct {
		configs []config
		said    said
		want    string
	}{
		"own name made laxer":          {[]config{{}, {Names: map[string]string{"confidential": "public"}}}, fields("sensitivity", "confidential"), "private"},
		"name of the first made laxer": {[]config{{Names: map[string]string{"hush": "secret"}}, {Names: map[string]string{"hush": "public"}}}, fields("sensitivity", "hush"), "secret"},
		"name of the first":            {[]config{{Names: map[string]string{"offen": "public"}}, {Folders: map[string]string{"a": "private"}}}, fields("sensitivity", "offen"), "public"},
		"field of another property":    {[]config{user, {Property: "visibility"}}, fields("visibility", "public"), "private"},
		"another property":             {[]config{user, {Property: "visibility"}}, said{Properties: map[string]any{"visibility": "public"}}, "private"},
		"text of another property":     {[]config{user, {Property: "visibility"}}, said{Doubtful: "visibility: public"}, "private"},
		"both properties":              {[]config{user, {Property: "visibility"}}, said{Doubtful: "visibility: public\nklass: public"}, "public"},
		"stricter property":            {[]config{user, {Property: "visibility"}}, said{Doubtful: "visibility: secret\nklass: public"}, "secret"},
		"no property of its own":       {[]config{user, {Folders: map[string]string{"a": "private"}}}, fields("klass", "public"), "public"},
		"default of the second":        {[]config{{}, {Property: "visibility", Default: "private"}}, fields("sensitivity", "public"), "private"},
	} {
		if got := rulesOf(t, test.configs...).Declared(test.said); got.Name() != test.want {
			t.Errorf("%s: %q, want %q", name, got.Name(), test.want)
		}
	}
}

// TestOwnNames holds that names of the user's own are known wherever a class is named.
func TestOwnNames(t *testing.T) {
	names := map[string]string{"Hush": "secret", "nur wir": "private"}
	rules := rulesOf(t, sensitivity.Config{Names: names, Default: "nur wir", Folders: map[string]string{"a": "hush"}})
	if a, b := rules.Of("a/x.md", ""), rules.Of("x.md", ""); a != sensitivity.Secret || b != sensitivity.Private || !rules.HasSecret() {
		t.Errorf("the folder is %s, the default %s", a, b)
	}
}

func TestUnmatched(t *testing.T) {
	rules := rulesOf(t, sensitivity.Config{Folders: map[string]string{"Journal": "private", "jurnal/": "private", ".": "internal", "a/b": "secret"}},
		sensitivity.Config{Folders: map[string]string{"one.md": "private", "x/y": "private"}})
	got := strings.Join(rules.Unmatched(slices.Values([]string{"journal/a.md", "A/B/c/d.md", "one.md", "x/yy.md"})), " ")
	if want := "jurnal/ x/y"; got != want {
		t.Errorf("unmatched: %s, want %s", got, want)
	}
	var none *sensitivity.Rules
	if got := none.Unmatched(slices.Values([]string{"a"})); len(got) > 0 {
		t.Errorf("no rules: %s", got)
	}
}

func TestDoubtful(t *testing.T) {
	rules := rulesOf(t, sensitivity.Config{Property: "meta.caf\u00e9"}, sensitivity.Config{Property: "sensitivity"})
	for text, want := range map[string]string{
		"title: x\n": "", "sensitivity: private\n": "private", "Sensitivity :  'Secret'": "secret", "  \"sensitivity\": \"public\",": "public",
		"sensitivity = \"private\"": "private", "sensitivity:: private": "private", "sensitivity: [public, x]": "private", "sensitivity:\n": "private",
		"sensitivity: hush": "private", "sensitivity: public\nsensitivity: private": "private", "{\"a\":1,\"sensitivity\":\"secret\"}": "secret",
		"insensitivity: private": "", "sensitivity": "", "the sensitivity of it": "", "cafe\u0301: private": "private", "SENSITIVITY: public": "public",
		"sensitivity: [public, secret]": "secret", "sensitivity: public\r\ntitle: x": "public", "sensi\u200btivity: secret": "secret", "\u017fensitivity: secret": "secret",
		"sensitivity\uff1a secret": "secret", "\uff53\uff45nsi\u00adtivity\uff1a private": "private",
		strings.Repeat("sensitivity: public\n", 2000): "private", "sensitivity: public " + strings.Repeat("x", 1<<16): "private",
	} {
		if got := rules.Declared(sensitivity.Said{Doubtful: text}); got.Name() != want {
			t.Errorf("%.60q: %q, want %q", text, got.Name(), want)
		}
	}
}

func TestLine(t *testing.T) {
	rules := rulesOf(t, sensitivity.Config{}, sensitivity.Config{Property: "klass"})
	for text, want := range map[string]int{
		"": 0, "title: x": 0, "sensitivity: x": 1, "a\nSensitivity: x\n": 2, "\n\nklass = x\nsensitivity: y": 3, "caf\u00e9\n[sensitivity:: x]": 2,
	} {
		if got := rules.Line(text); got != want {
			t.Errorf("%q: line %d, want %d", text, got, want)
		}
	}
}

func TestFields(t *testing.T) {
	rules := rulesOf(t)
	for _, test := range [][3]string{
		{"sensitivity", "private", "private"},
		{"Sensitivity", ` "Secret" `, "secret"},
		{"sensitivity", "public", "public"},
		{"sensitivity", "privat", "private"},
		{"sensitivity", "private (family)", "private"},
		{"sensitivity", "private, secret", "secret"},
		{"sensitivity", "[[private]]", "private"},
		{"sensitivity", "#public", "private"},
		{"sensitivity", "0.98", "private"},
		{"sensitivity", "", "private"},
		{"other", "private", ""},
	} {
		got := rules.Declared(sensitivity.Said{Fields: []sensitivity.Field{{Key: test[0], Value: test[1]}}})
		if got.Name() != test[2] {
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

// TestReadingOfSeveral holds that a second configuration asks for notes to be read anew only where they may say something else
// to it.
func TestReadingOfSeveral(t *testing.T) {
	type config = sensitivity.Config
	for name, test := range map[string]struct {
		first, second config
		same          bool
	}{
		"nothing":                 {config{}, config{}, true},
		"folders":                 {config{}, config{Folders: map[string]string{"a": "secret"}}, true},
		"folders beside names":    {config{Property: "klass", Names: map[string]string{"hush": "private"}}, config{Folders: map[string]string{"a": "private"}}, true},
		"folders beside default":  {config{Default: "private"}, config{Folders: map[string]string{"a": "public"}}, true},
		"default":                 {config{}, config{Default: "private"}, true},
		"secret default":          {config{}, config{Default: "secret"}, false},
		"secret default already":  {config{Default: "secret"}, config{Default: "public"}, true},
		"property":                {config{}, config{Property: "klass"}, false},
		"names":                   {config{}, config{Names: map[string]string{"hush": "private"}}, false},
		"property of the default": {config{Default: "private"}, config{Property: "klass"}, false},
	} {
		one, both := rulesOf(t, test.first), rulesOf(t, test.first, test.second)
		if (one.Reading() == both.Reading()) != test.same {
			t.Errorf("%s: same %v, want %v", name, !test.same, test.same)
		}
	}
	strict := rulesOf(t, config{Default: "private"}, config{Property: "klass"}).Reading()
	if strict == rulesOf(t, config{}, config{Property: "klass"}).Reading() {
		t.Error("a default that stands in what notes declare does not count")
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
		got := rules.Declared(sensitivity.Said{Properties: map[string]any{"sensitivity": value}})
		if _, isName := sensitivity.Parse(value); !isName && (got.Class < sensitivity.Private || got.Unknown == "" && !got.Empty) {
			t.Errorf("%q is %s", value, got.Name())
		}
		if got := rules.Declared(sensitivity.Said{Doubtful: "sensitivity: " + value}); !got.Made {
			t.Errorf("%q in a text says nothing", value)
		}
		rules.Line(value)
		rules.OfPath(value)
	})
}
