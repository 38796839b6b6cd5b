//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	"encoding/json"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"io"
	"math"
	"sync"
)

// A probe tests whether the linked encoding/json has a patch, by calling a function that the patch
// changes.
type probe struct {
	// the last release that was tested without the patch, and the first one with it
	missing, applied string
	test             func() bool
	once             sync.Once
	answer           bool
}

var probes = [...]probe{
	QuotedNull: {missing: "go1.27.0", applied: "go1.27.1", test: func() bool {
		var v struct {
			S string `json:",string"`
		}
		return jsonv2.Unmarshal([]byte(`{"S":"null"}`), &v, json.StringifyWithLegacySemantics(true)) == nil
	}},
	PlainKeys: {missing: "go1.27.1", applied: "go1.27.2", test: func() bool {
		name := stdtext.NewEncoder(io.Discard, json.CallMethodsWithLegacySemantics(true))
		_ = name.WriteToken(stdtext.BeginObject)
		err := jsonv2.MarshalEncode(name, probedKey("key"))
		return err == nil && name.StackPointer() == "/key"
	}},
	Overflow: {missing: "go1.27.1", applied: "go1.27.2", test: func() bool {
		var f float64
		_ = json.Unmarshal([]byte("1e400"), &f) // returns an error in all releases
		return f == 0
	}},
	ErrorValue: {missing: "go1.27.1", applied: "go1.27.2", test: func() bool {
		_, err := json.Marshal(math.Inf(1))
		e, ok := err.(*UnsupportedValueError)
		return ok && e.Value.IsValid()
	}},
}

// A probedKey is a string type whose MarshalText method does not return the string itself.
type probedKey string

func (probedKey) MarshalText() ([]byte, error) { return []byte("text"), nil }

// Applied reports whether the linked encoding/json has the patch. It runs the test on the first
// call.
func (p Patch) Applied() bool {
	probe := &probes[p]
	probe.once.Do(func() { probe.answer = probe.test() })
	return probe.answer
}
