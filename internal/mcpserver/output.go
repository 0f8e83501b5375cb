package mcpserver

import (
	"reflect"
	"strings"
)

type object = map[string]any

// outputSchema describes the answers of a tool by the type of their document: the keys, and those of what its lists hold. Some are left
// out of some answers, and an error has others, so none is required. What can be null is not named, since it would take a union, which some
// clients refuse. What several lists share is described once, by the first: clients hand these schemas on, and each word of them is paid for.
func outputSchema(document reflect.Type) object {
	d := describer{shared: map[reflect.Type]bool{}}
	return object{"type": "object", "properties": d.properties(document)}
}

// describer knows what structs it has described among the items of a list.
type describer struct{ shared map[reflect.Type]bool }

func (d describer) properties(kind reflect.Type) object {
	properties := object{}
	for i := range kind.NumField() {
		field := kind.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case field.Anonymous && name == "":
			inner := field.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			if d.shared[inner] {
				continue
			}
			for key, schema := range d.properties(inner) {
				if _, isHidden := properties[key]; !isHidden {
					properties[key] = schema
				}
			}
		case field.IsExported() && !isNullable(field.Type):
			properties[name] = d.schema(field.Type)
		}
	}
	return properties
}

// isNullable tells of a value that is null where there is none; structs are left out then.
func isNullable(kind reflect.Type) bool {
	return kind.Kind() == reflect.Pointer && kind.Elem().Kind() != reflect.Struct
}

func (d describer) schema(kind reflect.Type) object {
	switch kind.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		items := d.schema(kind.Elem())
		if kind.Elem().Kind() == reflect.Struct {
			items["properties"] = d.properties(kind.Elem())
			d.shared[kind.Elem()] = true
		}
		return object{"type": "array", "items": items}
	case reflect.Pointer:
		return d.schema(kind.Elem())
	case reflect.Struct, reflect.Map:
		return object{"type": "object"}
	}
	panic("no schema for " + kind.String()) //nolint:forbidigo // a mistake of the programmer: a document has a type that is not known here
}
