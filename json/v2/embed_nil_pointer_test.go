package json

import (
	"strings"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
)

type unexported struct {
	M map[string]int `json:",embed"`
	A int
}

type unexportedRaw struct {
	M jsontext.Value `json:",embed"`
}

// TestEmbedBelowNilPointer decodes members for a map below a nil embedded pointer to an unexported
// struct, which package reflect cannot set. They must be refused in any order of the members, and the
// pointer must stay nil. (encoding/json/v2 panics.)
func TestEmbedBelowNilPointer(t *testing.T) {
	byHone(t)
	type holder struct {
		*unexported
		B int
	}
	type rawHolder struct {
		*unexportedRaw
		B int
	}
	for _, text := range []string{`{"x":1}`, `{"x":1,"A":2}`, `{"A":2,"x":1}`, `{"B":1,"x":2}`, `{"x":1,"B":2}`, `{"x":null}`} {
		var v holder
		if err := Unmarshal([]byte(text), &v); err == nil || !strings.Contains(err.Error(), "cannot set embedded pointer to unexported struct") || v.unexported != nil {
			t.Errorf("%s: %v, error %v", text, v.unexported, err)
		}
		v = holder{unexported: new(unexported)}
		if err := Unmarshal([]byte(text), &v); err != nil || len(v.M) != 1 {
			t.Errorf("%s with a pointer: %v, error %v", text, v.M, err)
		}
		var raw rawHolder
		if err := Unmarshal([]byte(text), &raw); err == nil || raw.unexportedRaw != nil {
			t.Errorf("%s into a text: %v, error %v", text, raw.unexportedRaw, err)
		}
	}
	var v holder
	if err := Unmarshal([]byte(`{"B":3}`), &v); err != nil || v.B != 3 || v.unexported != nil {
		t.Errorf("%+v, %v", v, err)
	}
}
