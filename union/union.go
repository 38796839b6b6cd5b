package union

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/shape"
)

// A Union describes the declared cases of an interface or an mo.Either.
type Union struct{ sum *shape.Sum }

// Type returns the interface type, or the type of the mo.Either.
func (u Union) Type() reflect.Type { return u.sum.Type }

// String returns the type and the names of its cases.
func (u Union) String() string { return fmt.Sprintf("%v: %s", u.sum.Type, u.sum.Names()) }

// A Variant is one case of a declaration. [Case] and [Default] make them.
type Variant struct {
	typ     reflect.Type
	name    string
	number  uint32
	unknown bool
}

// Case returns the case for values of type V, a type that is not an interface. The name identifies
// the case in JSON and in documents, and the number identifies it in binary formats. The number
// must not be 0, which represents nil.
func Case[V any](name string, number uint32) Variant {
	return Variant{typ: reflect.TypeFor[V](), name: name, number: number}
}

// Default returns the case for values whose name is not declared. V is a struct that embeds
// [Unknown], or a pointer to one.
func Default[V any]() Variant { return Variant{typ: reflect.TypeFor[V](), unknown: true} }

// An Unknown keeps a value whose case has an unknown name. A struct that embeds it is a case for
// [Default].
type Unknown struct {
	// Name is the name of the case.
	Name string
	// Text is the JSON of the whole value, with the name. It is encoded unchanged, except for white
	// space and escapes.
	Text []byte
}

// A CaseError reports a value whose case is missing or not declared.
type CaseError = shape.CaseError

// Internal declares that the values of the interface I have one of the given types, and that JSON
// names the type by the member tag, in the same object as the members of the value:
// {"type":"created","id":1}. Each type is a struct or a pointer to a struct, without methods for
// JSON or text, and without a member that has the name of the tag. An invalid declaration panics;
// see the package comment.
func Internal[I any](tag string, cases ...Variant) Union {
	return declare(reflect.TypeFor[I](), shape.SumInternal, tag, "", cases)
}

// Adjacent is like [Internal], for the form {"type":"created","data":{"id":1}}. The value of a case
// can be any JSON. If the member for the value is missing, the value is the zero value.
func Adjacent[I any](tag, value string, cases ...Variant) Union {
	return declare(reflect.TypeFor[I](), shape.SumAdjacent, tag, value, cases)
}

// External is like [Internal], for the form {"created":{"id":1}}. The value of a case can be any
// JSON.
func External[I any](cases ...Variant) Union {
	return declare(reflect.TypeFor[I](), shape.SumExternal, "", "", cases)
}

// Untagged declares that the JSON of the [mo.Either] E is the JSON of the value that it holds: "a"
// or ["a","b"] for an Either of a string and a []string. A reader recognizes the case by the kind of
// the JSON: bool, number, string, array or object. If several cases are structs, each must have a
// member that is always written and that no other case has; a reader recognizes the case by this
// member. Untagged panics if a reader could confuse two of the types.
//
// [mo.Either]: https://pkg.go.dev/github.com/hone-go/hone/mo#Either
func Untagged[E any]() Union {
	var cases []Variant
	for i, t := range shape.EitherTypes(reflect.TypeFor[E]()) {
		cases = append(cases, Variant{typ: t, number: uint32(i + 1)})
	}
	return declare(reflect.TypeFor[E](), shape.SumUntagged, "", "", cases)
}
