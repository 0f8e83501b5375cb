package httpserver

import (
	"encoding/json"
	"strconv"
	"testing"
)

// FaultsOf tells where an answer is not as the description of the API has it.
func FaultsOf(t *testing.T, described, path string, status int, answer string) []string {
	t.Helper()
	var file struct {
		Paths map[string]struct {
			Get struct {
				Responses map[string]struct {
					Content map[string]struct{ Schema any }
				}
			}
		}
		Components struct{ Schemas object }
	}
	if err := json.Unmarshal([]byte(described), &file); err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal([]byte(answer), &document); err != nil {
		return []string{err.Error()}
	}
	response, ok := file.Paths[path].Get.Responses[strconv.Itoa(status)]
	if !ok {
		return []string{"this status is not described"}
	}
	return faultsOf("answer", document, response.Content["application/json"].Schema, file.Components.Schemas)
}
