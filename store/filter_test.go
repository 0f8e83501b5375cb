package store_test

import (
	"reflect"
	"testing"

	"quarry/store"
)

// TestFilterNarrows sets each field of a filter by itself: all but two narrow.
func TestFilterNarrows(t *testing.T) {
	if (store.Filter{}).Narrows() || !(store.Filter{}).IsEmpty() {
		t.Error("an empty filter narrows")
	}
	kind := reflect.TypeFor[store.Filter]()
	for i := range kind.NumField() {
		var filter store.Filter
		field := reflect.ValueOf(&filter).Elem().Field(i)
		switch field.Kind() {
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		case reflect.Map:
			field.Set(reflect.MakeMap(field.Type()))
			field.SetMapIndex(reflect.ValueOf("a.md"), reflect.ValueOf(true))
		case reflect.String:
			field.SetString("2026-01-31")
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Int:
			field.SetInt(1)
		default:
			t.Fatalf("%s is of a kind that is not tried", kind.Field(i).Name)
		}
		name := kind.Field(i).Name
		if wanted := name != "ExcludeArchived" && name != "Hops"; filter.Narrows() != wanted {
			t.Errorf("%s alone: narrows is %t", name, filter.Narrows())
		}
		if wanted := name == "Hops"; filter.IsEmpty() != wanted {
			t.Errorf("%s alone: empty is %t", name, filter.IsEmpty())
		}
	}
}
