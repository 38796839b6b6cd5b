package mem

import (
	"reflect"
	"testing"
)

// TestAddressType makes an interface from an address. The interface must contain the pointer to
// this address.
func TestAddressType(t *testing.T) {
	v := [2]string{"a", "b"}
	size := reflect.TypeFor[string]().Size()
	p, ok := AddressTypeOf(reflect.TypeFor[string]()).Any(Of(&v), size).(*string)
	if !ok || p != &v[1] {
		t.Errorf("%v %v", p, ok)
	}
}

// TestOfAny stores through the address of a pointer in an interface. The pointer's target must
// change.
func TestOfAny(t *testing.T) {
	n := int64(5)
	Store(OfAny(&n), 0, int64(7))
	if n != 7 {
		t.Errorf("%d", n)
	}
	if a := OfAny((*int64)(nil)); !a.IsNil() {
		t.Error("OfAny of a nil pointer is not nil")
	}
}
