package web

import (
	stdjson "encoding/json"
	"testing"
)

// TestServiceSizes checks that the sizes of the order and the invoice are equal to the sizes in the
// report.
func TestServiceSizes(t *testing.T) {
	o := someOrder()
	in, err := stdjson.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	out, err := stdjson.Marshal(o.invoice(&Terms{42, "EUR", 0.25}))
	if err != nil {
		t.Fatal(err)
	}
	if len(in) < 1700 || len(in) > 2300 || len(out) < 3600 || len(out) > 4400 {
		t.Errorf("%d bytes come in, %d go out", len(in), len(out))
	}
}
