// Package bind fills structs from the path, query, header, cookies and form of
// an HTTP request. It works on any *http.Request and needs no framework.
//
//	type Search struct {
//		Host  string              `param:"host"`
//		Tags  []string            `query:"tag"`
//		Limit int                 `query:"limit"`
//		Since mo.Option[time.Time] `query:"since"`
//		Trace string              `header:"X-Request-Id"`
//	}
//
//	s := Search{Limit: 100} // kept if the request says nothing else
//	if err := bind.Request(r, &s); err != nil { … }
//
// A type is compiled once into a program and reused. Binding scans the query
// string once, looks each key up in a table made for the type, and stores the
// value at its offset: its cost is linear in the length of the query, whatever
// the number of fields, and it allocates nothing but what the struct keeps.
//
// # Tags
//
// `query:"name"`, `header:"Name"`, `cookie:"name"`, `form:"name"` and
// `param:"name"` (or `path:"name"`) name where a field comes from. A field with
// several of these is set by each that the request has: header, cookie, query,
// form, then path, so that a query cannot change what the path said. A field
// without any is left alone, but for a struct, whose fields are bound in its
// place; an embedded pointer to one is set when one of its fields has a value.
// `format:"2006-01-02"` gives the layout of a time.Time, which is otherwise
// RFC 3339.
//
// A name in the query or the form stands for the field that has it, or else for
// one whose name differs only in the case of its ASCII letters.
//
// # Values
//
// Fields may be bools, numbers, strings, time.Time, time.Duration ("1m30s", or a
// whole number of nanoseconds), types that implement
// [encoding.TextUnmarshaler], UnmarshalParam(string) error or
// UnmarshalParams([]string) error,
// types defined from these, and pointers to, slices and mo.Option of them. A
// slice takes every value of a repeated key, anything else the first. Numbers
// are decimal. The empty value of a bool, a number or a duration is its zero;
// inside an Option it is None, as it is of a time.
//
// A key that the request lacks leaves its field as it was: an Option None, a
// slice nil, a default in place.
//
// # The other way
//
// An [Encoder] writes a value as the parts of a request from which it binds, for
// clients.
//
// # Guarantees
//
//   - No input makes it panic.
//   - The query is read as [net/url.ParseQuery] reads it, up to 10,000
//     parameters. Parameters that nothing asks for may be malformed; a
//     malformed value of a field is an error.
//   - Errors are [Errors], one [*Error] for each field that could not be set.
//     The other fields are set.
package bind
