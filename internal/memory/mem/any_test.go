package mem

import (
	"reflect"
	"testing"
)

// TestAddressType makes interfaces from addresses and compares them with pointers.
func TestAddressType(t *testing.T) {
	v := [2]string{"a", "b"}
	size := reflect.TypeFor[string]().Size()
	p, ok := AddressTypeOf(reflect.TypeFor[string]()).Any(Of(&v), size).(*string)
	if !ok || p != &v[1] {
		t.Errorf("%v %v", p, ok)
	}
}

// TestOfAny reads the target of a pointer in an interface.
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
