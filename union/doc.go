// Package union declares the types of the values that an interface can hold, so that a value of the
// interface can be decoded.
//
// The declaration is written after the interface type:
//
//	type Event interface{ isEvent() }
//
//	var _ = union.Internal[Event]("type",
//		union.Case[Created]("created", 1),
//		union.Case[*Deleted]("deleted", 2))
//
// Every field, element, map value and target of a pointer of type Event then has the JSON form
//
//	{"type":"created","id":1}
//
// in packages json and json/v2. The cases need only the methods of the interface, and no code is
// generated. [Adjacent] and [External] declare other JSON forms. The number of a case is for binary
// formats.
//
// # Declarations
//
// A declaration applies to the whole program, like the methods of a type, so an interface has one
// declaration. Write it in the package that declares the interface: package initialization then
// guarantees that the declaration precedes every use in another package. An invalid declaration, a
// second declaration, and a declaration after the first use of the interface panic with the reason
// and the position of the declaration. So every program with such a mistake fails when it starts.
//
// # Eithers
//
// [Internal], [Adjacent] and [External] also declare the cases of an mo.Either. For an Either,
// [Untagged] is the form without a tag: its JSON is the JSON of the value alone.
//
// # Values
//
// A nil interface is encoded as null, and so is a nil pointer in it. The static type must be the
// interface: json.Marshal of a Created writes no tag, but json.Marshal of a pointer to an Event, or
// of a []Event, does. Decoding always stores a new value. If the JSON text names no case, or a case
// that is not declared, the error is or wraps a [CaseError]. A case made by [Default] keeps such
// values instead.
package union
