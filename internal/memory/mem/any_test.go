package mem

import (
	"reflect"
	"testing"
)

// TestAddressType makes interfaces of addresses, which are those of pointers.
func TestAddressType(t *testing.T) {
	v := [2]string{"a", "b"}
	size := reflect.TypeFor[string]().Size()
	p, ok := AddressTypeOf(reflect.TypeFor[string]()).Any(Of(&v), size).(*string)
	if !ok || p != &v[1] {
		t.Errorf("%v %v", p, ok)
	}
}

// TestOfAny finds what a pointer in an interface points to.
func TestOfAny(t *testing.T) {
	n := int64(5)
	Store(OfAny(&n), 0, int64(7))
	if n != 7 {
		t.Errorf("%d", n)
	}
	if a := OfAny((*int64)(nil)); !a.IsNil() {
		t.Error("a nil pointer is an address")
	}
}
