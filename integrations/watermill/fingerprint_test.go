package watermill_test

import (
	"testing"

	honewatermill "github.com/hone-go/hone/integrations/watermill"
	"github.com/hone-go/hone/wire"
)

type (
	trip    struct{ From, To string }
	swapped struct{ To, From string }
)

// TestFingerprints reads a message as another type with fields of the same types. The table says which
// marshaler reads the messages of which.
func TestFingerprints(t *testing.T) {
	marshalers := map[string]*honewatermill.Marshaler{
		"without":       honewatermill.Wire(),
		"with":          wire.Must(honewatermill.Fingerprinted(wire.Fingerprints{})),
		"with, or none": wire.Must(honewatermill.Fingerprinted(wire.Fingerprints{Plain: true})),
	}
	type result struct{ same, swapped bool }
	want := map[[2]string]result{ // writer, reader
		{"without", "without"}: {true, true}, {"without", "with, or none"}: {true, true},
		{"with", "with"}: {true, false}, {"with", "with, or none"}: {true, false},
		{"with, or none", "with"}: {true, false}, {"with, or none", "with, or none"}: {true, false},
	}
	for writing, w := range marshalers {
		msg, err := w.Marshal(&trip{"Oslo", "Rome"})
		if err != nil {
			t.Fatal(err)
		}
		for reading, r := range marshalers {
			var same trip
			var other swapped
			err, otherErr := r.Unmarshal(msg, &same), r.Unmarshal(msg, &other)
			if got := (result{err == nil && same == trip{"Oslo", "Rome"}, otherErr == nil}); got != want[[2]string{writing, reading}] {
				t.Errorf("written %s, read %s: %v, %v, %v, %v", writing, reading, same, err, other, otherErr)
			}
			if err != nil && !honewatermill.IsBad(err) || otherErr != nil && !honewatermill.IsBad(otherErr) {
				t.Errorf("written %s, read %s: not a DecodeError: %v, %v", writing, reading, err, otherErr)
			}
		}
	}
}
