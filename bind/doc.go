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
//	s := Search{Limit: 100} // the default, kept if the request has no limit
//	if err := bind.Request(r, &s); err != nil { … }
//
// A type is compiled once into a program and reused. Binding scans the query string
// once, looks each key up in a table made for the type, and stores the value at the
// field's offset. Its cost is linear in the length of the query and does not depend on
// the number of fields. It allocates only the values that the struct retains.
//
// # Tags
//
// `query:"name"`, `header:"Name"`, `cookie:"name"`, `form:"name"` and `param:"name"` (or
// `path:"name"`) name the source of a field. A field with several sources is set from each source
// that the request has, in the order header, cookie, query, form, path. So a query cannot
// override the path. A field without a source is not changed, except that the fields of a struct
// are bound as if they were fields of the enclosing struct. An embedded pointer to a struct is
// set when one of the struct's fields has a value, unless [Input.SkipNil] is set.
// `format:"2006-01-02"` sets the layout of a time.Time, which is otherwise RFC 3339. In a slice of
// times only [ForDocument] uses it. The names of OpenAPI's formats for times can be used
// instead of layouts: "date-time", "date-time-local", "date", "time" and "time-local". A layout
// without any element of a time is an error.
//
// A name in the query or the form matches the field with that name, or else a field whose name
// differs only in upper and lower case, as [strings.EqualFold] compares. Such values count only if
// the request does not have the field's own name. In a parsed form these values are in the sorted
// order of their names, because a map has no order.
//
// # Values
//
// Fields may be bools, numbers, strings, time.Time, time.Duration ("1m30s", or a whole number of
// nanoseconds), types that implement [encoding.TextUnmarshaler], UnmarshalParam(string) error or
// UnmarshalParams([]string) error, types defined from these, and pointers, slices and Options of
// all these types. A slice receives every value of a repeated key, header field or cookie. Any other
// field receives the first value. [ForDocument] reads lists and some other values differently. Numbers are decimal. An empty value sets a bool, a number or a duration to zero. It
// sets an Option of a bool, a number, a duration or a time to None.
//
// If the request does not have a key, the field is not changed: an Option stays None, a slice
// stays nil, and a default that the program has set is kept.
//
// # Encoding
//
// An [Encoder] encodes a value as parts of a request. Binding this request yields the value.
// Encoders are for clients.
//
// # Guarantees
//
//   - No input makes binding panic.
//   - The query is read as [net/url.ParseQuery] reads it, up to 10,000 parameters.
//     Parameters that match no field may be malformed. A malformed value of a field is
//     an error.
//   - Errors are [Errors], with one [*Error] for each field that could not be set. The
//     other fields are set.
package bind
