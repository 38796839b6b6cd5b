package document_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hone-go/hone/json/document"
)

// mergeAny is the pseudocode of RFC 7396, section 2.
func mergeAny(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	object, ok := target.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	for name, value := range changes {
		if value == nil {
			delete(object, name)
		} else {
			object[name] = mergeAny(object[name], value)
		}
	}
	return object
}

// FuzzPatch applies any text to any other, as a merge patch, which is compared with the pseudocode of the
// RFC, and as a JSON Patch, whose result must be valid.
func FuzzPatch(f *testing.F) {
	f.Add([]byte(`{"a":{"b":1},"c":[1,2]}`), []byte(`{"a":{"b":null,"d":{"e":null}},"c":3}`))
	f.Add([]byte(`{"a":[1,2]}`), []byte(`[{"op":"copy","from":"/a","path":"/a/1"},{"op":"move","from":"/a/0","path":"/b"},{"op":"test","path":"/b","value":1.0}]`))
	f.Add([]byte(`[]`), []byte(`[{"op":"add","path":"/-","value":{}},{"op":"replace","path":"/0","value":1},{"op":"remove","path":"/0"}]`))
	f.Fuzz(func(t *testing.T, data, patch []byte) {
		got, err := document.MergePatch(data, patch)
		if err == nil {
			x, _ := anyOf(data)
			change, _ := anyOf(patch)
			if y, err := anyOf(got); err != nil || !reflect.DeepEqual(y, mergeAny(x, change)) {
				t.Fatalf("%q with %q: %q, %v", data, patch, got, err)
			}
		} else if json.Valid(data) && json.Valid(patch) {
			t.Fatalf("%q with %q: %v", data, patch, err)
		}
		if got, err := document.Patch(data, patch, document.PatchOptions{MaxCopy: 1 << 20}); err == nil && !json.Valid(got) || err != nil && got != nil {
			t.Fatalf("%q with %q: %q, %v", data, patch, got, err)
		}
	})
}
