// Package mo has optional values and related types: [Option], a T that may be absent;
// [Nullable], which can be null as well; [Result], a T or an error; [Either] to [Either5], one
// of several types; [Future], [Task] and [IO], computations; [State] and [Do]. Programs written
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
// Every package of Hone supports Options: as null or the value in JSON, as a byte and the value
// in the binary format, as an optional parameter in a query string, and as NULL or the value in
// a SQL column.
//
// # Guarantees
//
//   - The zero Option is None, the zero Result is Ok of T's zero value.
//   - == on an Option of a comparable type compares presence and value.
//   - A decode that fails does not change its target.
//
// # Allocations
//
// Functions allocate only if their comment says so. Constructors, accessors, Map, FlatMap,
// Match and pipes allocate nothing except in the functions that they call. Inputs that are
// retained are copied.
package mo
