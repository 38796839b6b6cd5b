package wire

import (
	"reflect"
	"testing"
)

// TestReuse decodes into a value that is not zero. The result must be the encoded value, except
// that fields without an encoding keep their values.
func TestReuse(t *testing.T) {
	v, got := full(t), full(t)
	got.Strs, got.Tree.Kids, got.M, got.O = make([]string, 0, 9), nil, map[int]int{1: 1}, v.O
	got.Skipped, got.hidden = "kept", 7
	data, err := Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	if err := Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Skipped != "kept" || got.hidden != 7 {
		t.Error("fields that are not on the wire were changed")
	}
	got.Skipped, got.hidden, got.T = "", 0, v.T
	if !reflect.DeepEqual(got, v) {
		t.Errorf("got  %+v\nwant %+v", got, v)
	}
	var zero everything
	if data, err = Marshal(&zero); err != nil {
		t.Fatal(err)
	}
	if err := Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, zero) {
		t.Errorf("after a zero value: %+v", got)
	}
}
