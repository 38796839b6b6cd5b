package spec_test

import (
	"testing"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/internal/program"
)

// Pairs of types that differ by little.
type (
	order1 = struct{ A, B int }
	order2 = struct{ B, A int }
	kind1  = struct{ A int32 }
	kind2  = struct{ A int64 }
	tag1   = struct{ A uint16 }
	tag2   = struct {
		A uint16 `wire:",fixed"`
	}
	array1 = struct{ A [256]bool }
	array2 = struct{ A [512]bool }
)

// moved returns the fingerprints of two structs, both named Outer. In the first, the inner struct
// has the encoded field C. In the second, the outer struct has it.
func moved(t *testing.T) (a, b uint64) {
	t.Helper()
	inside := func() uint64 {
		type Inner struct {
			B int
			C string
		}
		type Outer struct {
			In Inner
			C  string `wire:"-"`
		}
		return fingerprint[Outer](t)
	}
	outside := func() uint64 {
		type Inner struct {
			B int
			C string `wire:"-"`
		}
		type Outer struct {
			In Inner
			C  string
		}
		return fingerprint[Outer](t)
	}
	return inside(), outside()
}

func fingerprint[T any](t *testing.T) uint64 {
	t.Helper()
	return (*program.Codec[T])(wire.Must(wire.For[T]())).Runner().Root.Fingerprint()
}

// TestFingerprint computes the fingerprints of types that differ by one detail. All of them must be
// different.
func TestFingerprint(t *testing.T) {
	all := map[uint64]string{}
	ends1, ends2 := moved(t)
	for name, f := range map[string]uint64{
		"ends1": ends1, "ends2": ends2, "order1": fingerprint[order1](t), "order2": fingerprint[order2](t),
		"kind1": fingerprint[kind1](t), "kind2": fingerprint[kind2](t), "tag1": fingerprint[tag1](t), "tag2": fingerprint[tag2](t),
		"array1": fingerprint[array1](t), "array2": fingerprint[array2](t),
	} {
		if other, same := all[f]; same {
			t.Errorf("%s and %s have the fingerprint %x", name, other, f)
		}
		all[f] = name
	}
	if again, _ := moved(t); again != ends1 {
		t.Error("one type has two fingerprints")
	}
}
