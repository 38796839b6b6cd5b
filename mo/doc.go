// Package mo has optional values and related types: [Option], a T that may be
// absent; [Nullable], which can be null as well; [Result], a T or the error
// that stands in its place; [Either] to [Either5], one of several types;
// [Future], [Task] and [IO], computations; [State] and [Do]. Programs written
// for github.com/samber/mo compile after changing the import.
//
//	type User struct {
//		Name  string
//		Email mo.Option[string]
//	}
//
//	u := User{Name: "Ada", Email: mo.Some("ada@example.org")}
//	if mail, ok := u.Email.Get(); ok {
//		send(mail)
//	}
//
// An Option is one thing in every room of Hone: null or the value in JSON, a
// byte and the value in the binary codec, a parameter that may be missing in a
// query string, NULL or the value in a SQL column.
//
// # Guarantees
//
//   - The zero Option is None, the zero Result is Ok of T's zero value.
//   - == on an Option of a comparable type compares presence and value.
//   - A decode that fails leaves its target as it was.
//
// # Allocations
//
// Functions allocate only if their comment says so. Constructors, accessors,
// Map, FlatMap, Match and their pipes work on values, and cost no more than the
// functions that they call. Inputs are copied if they are kept.
package mo
