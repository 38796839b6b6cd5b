package wire

import (
	"io"
	"reflect"
	"testing"
)

// keeper keeps the arguments of its methods.
type keeper struct{ V byte }

var kept []*keeper

func (k *keeper) MarshalBinary() ([]byte, error) {
	kept = append(kept, k)
	return []byte{k.V}, nil
}

func (k *keeper) UnmarshalBinary(b []byte) error {
	if len(b) != 1 {
		return io.ErrUnexpectedEOF
	}
	k.V = b[0]
	kept = append(kept, k)
	return nil
}

// TestKept checks that memory which a method has seen is not reused.
func TestKept(t *testing.T) {
	kept = nil
	in := map[string]keeper{"a": {1}, "b": {2}, "c": {3}}
	data, err := Marshal(&in)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]keeper
	if err := Unmarshal(data, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Fatalf("%v, %v", out, err)
	}
	sum, seen := 0, map[*keeper]bool{}
	for _, k := range kept {
		sum += int(k.V)
		seen[k] = true
	}
	if len(seen) != 6 || sum != 12 {
		t.Errorf("%d of 6 kept values are distinct, their sum is %d, not 12", len(seen), sum)
	}
}
