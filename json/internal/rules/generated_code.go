package rules

import (
	"fmt"
	"os"
	"reflect"
	"sync"

	"github.com/hone-go/hone/shape"
)

// A Code is generated code for a struct type: a function of type F that encodes or decodes one value.
type Code[F any] struct {
	// Type is the type for which the code was generated.
	Type reflect.Type
	// Fingerprint is the fingerprint of the compiled type at that time.
	Fingerprint uint64
	// Run is the function.
	Run F
	// Inner is the generated code of the types to which the fields of this type refer.
	Inner []Code[F]
}

// Codes maps struct types to their generated code.
type Codes[F any] map[reflect.Type]Code[F]

// Add adds the generated code of the type of s, and the generated code of the types to which its
// fields refer. Add calls the function method with a nil pointer to the type. If the type has a
// generated method, the function calls that method and returns its result. Otherwise the function
// returns false.
func (c Codes[F]) Add(s *shape.Shape, method func(pointer any) (Code[F], bool)) {
	if s.Kind != shape.Struct || s.Type == nil {
		return
	}
	// A generated method does not use its receiver. If the type has inherited its method from an
	// embedded pointer, the call panics; ignore this method, because it belongs to another type.
	defer func() { _ = recover() }()
	code, ok := method(reflect.Zero(reflect.PointerTo(s.Type)).Interface())
	if !ok || code.Type != s.Type {
		return
	}
	c[s.Type] = code
	for _, inner := range code.Inner {
		// If c already has the code of the inner type, that code is the same.
		if _, found := c[inner.Type]; !found {
			c[inner.Type] = inner
		}
	}
}

// stale contains the types whose generated code is out of date.
var stale sync.Map

// ReportStale prints that the generated code of t is out of date. It prints one message for each type.
func ReportStale(t reflect.Type) {
	if _, again := stale.LoadOrStore(t, true); !again {
		fmt.Fprintf(os.Stderr, "json: the generated code of %v is not used, because it was made for another version of the type or of Hone: run go generate\n", t)
	}
}
