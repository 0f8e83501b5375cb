package httpserver

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write openapi.json anew")

type object = map[string]any

// TestOpenAPI makes the description of the API out of the endpoints and the types of their answers, and asks that the file says so.
func TestOpenAPI(t *testing.T) {
	schemas := object{"Error": schemaOf(reflect.TypeFor[problem](), object{})}
	paths := object{}
	for path, one := range endpoints {
		paths[path] = object{"get": operation(path, one, schemas)}
	}
	described := object{
		"openapi": "3.1.0",
		"info": object{
			"title": "quarry", "version": "1", "summary": "Find the right passage in a folder of Markdown notes",
			"description": "Answers are the documents that the commands print with --json, as to a client: private notes are not there.",
		},
		"servers":    []any{object{"url": "http://127.0.0.1:7777"}},
		"security":   []any{object{}, object{"token": []any{}}},
		"paths":      paths,
		"components": object{"schemas": schemas, "securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "the token of the server, where it has one"}}},
	}
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(described); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", want.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(bytes.ReplaceAll(openAPI, []byte("\r\n"), []byte("\n")), want.Bytes()) {
		t.Error("openapi.json is not what the endpoints are; `go test ./internal/httpserver -run TestOpenAPI -update` writes it anew")
	}
}

func operation(path string, one endpoint, schemas object) object {
	described := []any{}
	for _, p := range one.parameters {
		schema := object{"type": p.kind}
		if p.kind == "array" {
			schema["items"] = object{"type": "string"}
		}
		if p.allowed != nil {
			schema["enum"] = p.allowed
		}
		if p.least != p.most {
			schema["minimum"], schema["maximum"] = p.least, p.most
		}
		text := p.description
		if p.otherwise != "" {
			text += " (default: " + p.otherwise + ")"
		}
		described = append(described, object{"name": p.name, "in": "query", "required": p.isRequired, "description": text, "schema": schema})
	}
	var answers []any
	for _, answer := range one.answers {
		answers = append(answers, schemaOf(reflect.TypeOf(answer), schemas))
	}
	schema := answers[0]
	if len(answers) > 1 {
		schema = object{"anyOf": answers}
	}
	said := func(text string, schema any) object {
		return object{"description": text, "content": object{"application/json": object{"schema": schema}}}
	}
	fault := object{"$ref": "#/components/schemas/Error"}
	return object{
		"operationId": strings.TrimPrefix(path, apiPath), "summary": one.summary, "description": one.description, "parameters": described,
		"responses": object{
			"200": said("the answer", schema), "400": said("a parameter is wrong, or there is none of its name", fault), "401": said("a token is needed", fault),
			"403": said("the Host or the Origin is foreign", fault), "404": said("there is no such note, or no such part of it", fault),
			"409": said("several notes are called so", fault), "429": said("the address asks too often; Retry-After says when to go on", fault),
			"500": said("the question could not be answered", fault), "503": said("there is no index yet, it is being built, or the server has too much to do", fault),
			"504": said("it took too long", fault),
		},
	}
}

// schemaOf describes what encoding/json makes of a type. Structs that have a name go into the schemas.
func schemaOf(kind reflect.Type, schemas object) any {
	switch kind.Kind() {
	case reflect.Pointer:
		schema, ok := schemaOf(kind.Elem(), schemas).(object)
		if scalar, isText := schema["type"].(string); ok && isText {
			return object{"type": []any{scalar, "null"}}
		}
		return schema
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(kind.Elem(), schemas)}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": schemaOf(kind.Elem(), schemas)}
	case reflect.Struct:
		return structSchema(kind, schemas)
	}
	panic(fmt.Sprintf("no schema for %s", kind))
}

// namedTypes are the types by the names that they have in the description.
var namedTypes = map[string]reflect.Type{}

// nullable are the fields of types that encode themselves, of which they make null.
var nullable = map[string][]string{"Plan": {"lexical_weight", "vector_weight", "k"}}

func structSchema(kind reflect.Type, schemas object) any {
	name := strings.ToUpper(kind.Name()[:1]) + kind.Name()[1:]
	reference := object{"$ref": "#/components/schemas/" + name}
	if _, known := schemas[name]; known {
		if namedTypes[name] != kind {
			panic(fmt.Sprintf("%s and %s would have one name", namedTypes[name], kind))
		}
		return reference
	}
	namedTypes[name] = kind
	properties, required := object{}, []string{}
	schema := object{"type": "object", "properties": properties}
	schemas[name] = schema
	addFields(kind, schemas, properties, &required, true)
	for _, field := range nullable[name] {
		properties[field] = object{"type": []any{properties[field].(object)["type"], "null"}}
	}
	slices.Sort(required)
	schema["required"] = required
	if kind == reflect.TypeFor[problem]() {
		return schema
	}
	return reference
}

func addFields(kind reflect.Type, schemas, properties object, required *[]string, isSure bool) {
	for i := range kind.NumField() {
		field := kind.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			inner, isPointer := field.Type, field.Type.Kind() == reflect.Pointer
			if isPointer {
				inner = inner.Elem()
			}
			addFields(inner, schemas, properties, required, isSure && !isPointer)
			continue
		case !field.IsExported() || name == "-":
			continue
		}
		properties[name] = schemaOf(field.Type, schemas)
		if isSure && !strings.HasPrefix(options, "omit") {
			*required = append(*required, name)
		}
	}
}

// faultsOf tells where a document is not as a schema has it: what is missing, of another type, or not told of.
func faultsOf(at string, document, schema any, schemas object) []string {
	described, _ := schema.(object)
	if reference, ok := described["$ref"].(string); ok {
		return faultsOf(at, document, schemas[strings.TrimPrefix(reference, "#/components/schemas/")], schemas)
	}
	if several, ok := described["anyOf"].([]any); ok {
		var faults []string
		for _, one := range several {
			found := faultsOf(at, document, one, schemas)
			if len(found) == 0 {
				return nil
			}
			faults = append(faults, found...)
		}
		return faults
	}
	switch value := document.(type) {
	case object:
		return objectFaults(at, value, described, schemas)
	case []any:
		if described["type"] != "array" {
			return []string{at + " is a list"}
		}
		var faults []string
		for i, item := range value {
			faults = append(faults, faultsOf(fmt.Sprintf("%s[%d]", at, i), item, described["items"], schemas)...)
		}
		return faults
	}
	isWhole := kindOf(document) == "integer" && described["type"] == "number"
	if !isWhole && !strings.Contains(fmt.Sprint(described["type"]), kindOf(document)) {
		return []string{fmt.Sprintf("%s is %s, not %v", at, kindOf(document), described["type"])}
	}
	return nil
}

func objectFaults(at string, value, described, schemas object) []string {
	var faults []string
	properties, _ := described["properties"].(object)
	required, _ := described["required"].([]any)
	for _, name := range required {
		if _, ok := value[fmt.Sprint(name)]; !ok {
			faults = append(faults, fmt.Sprintf("%s has no %v", at, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(value)) {
		schema, ok := properties[name]
		if !ok {
			schema, ok = described["additionalProperties"], described["additionalProperties"] != nil
		}
		if !ok {
			faults = append(faults, fmt.Sprintf("%s.%s is not told of", at, name))
			continue
		}
		faults = append(faults, faultsOf(at+"."+name, value[name], schema, schemas)...)
	}
	return faults
}

func kindOf(value any) string {
	switch value := value.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case nil:
		return "null"
	case float64:
		if value == float64(int(value)) {
			return "integer"
		}
	}
	return "number"
}
