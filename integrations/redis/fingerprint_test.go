package redis_test

import (
	"errors"
	"testing"

	honeredis "github.com/hone-go/hone/integrations/redis"
	"github.com/hone-go/hone/wire"
)

type (
	trip    struct{ From, To string }
	swapped struct{ To, From string }
)

// TestFingerprints stores a value of one type and reads it as another type with fields of the same types.
func TestFingerprints(t *testing.T) {
	client, prefix := connect(t)
	codec, err := wire.ForAny().WithFingerprint(wire.Fingerprints{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		codec   honeredis.Codec
		refused bool
	}{
		"without":       {wire.ForAny(), false},
		"with":          {wire.Must(wire.ForAny().WithFingerprint()), true},
		"with, or none": {codec, true},
	} {
		key := prefix + name
		if err := honeredis.NewValues[trip](client, test.codec).Set(t.Context(), key, &trip{"Oslo", "Rome"}, 0); err != nil {
			t.Fatal(err)
		}
		same, err := honeredis.NewValues[trip](client, test.codec).Get(t.Context(), key)
		if err != nil || same.OrEmpty() != (trip{"Oslo", "Rome"}) {
			t.Errorf("%s: %v, %v", name, same, err)
		}
		other, err := honeredis.NewValues[swapped](client, test.codec).Get(t.Context(), key)
		var decode *honeredis.DecodeError
		var fingerprint *wire.FingerprintError
		if refused := errors.As(err, &decode) && errors.As(err, &fingerprint) && decode.Key == key; refused != test.refused {
			t.Errorf("%s: another type was read as %v, %v", name, other, err)
		}
	}
}
