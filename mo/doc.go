// Package mo provides optional values and related types: [Option], a T that may be absent;
// [Nullable], which may also be null; [Result], a T or an error; [Either] to [Either5], a value of
// one of several types; [Future], [Task] and [IO], computations; [State] and [Do]. Programs written
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
// The packages of Hone support Options: in JSON as null or the value, in the binary format as a
// byte and the value, in a query string as an optional parameter, and in a SQL column as NULL or
// the value.
//
// To change the type of a value, call a function of a subpackage, such as option.Map. On Go 1.27 there
// is a method for each of these functions, with the suffix To: o.MapTo(strconv.Itoa) is
// option.Map(strconv.Itoa)(o). Go 1.26 builds package mo without these methods.
//
// # Guarantees
//
//   - The zero Option is None. The zero Result is Ok with T's zero value.
//   - == on an Option of a comparable type compares presence and value.
//   - A failed decode does not change its target.
//
// # Allocations
//
// A function allocates only if its comment says so. Constructors, accessors, Map, FlatMap, Match
// and pipes do not allocate, but the functions that they call may. Arguments that must be retained
// are copied.
package mo
