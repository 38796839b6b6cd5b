// Package limit checks values against the limits in the tags of their fields; see
// [shape.Field.Limits]. A type is compiled once. A check allocates nothing unless a limit is
// broken or a map has to be walked.
package limit

import (
	"github.com/hone-go/hone/shape"
)

// A Violation is a value that breaks a limit.
type Violation struct {
	Source shape.Source // source of a parameter; "" for a value in a body
	Path   string       // such as ".items[3].price", by the names in JSON, or "tags[3]" for a parameter
	Detail string       // such as "must be at least 1"
}

// MaxViolations is the maximum number of violations that a check lists.
const MaxViolations = 100

// A Program checks the values of one type.
type Program struct {
	root    *node
	tests   *tests // fast tests whether all limits hold; see fast_path.go
	methods bool   // some values have a Validate method
}

// A node checks the values of one field or element of a type.
type node struct {
	shape  *shape.Shape
	limits *limits // limits of the field that holds the value; nil for none
	whole  []*rule // rules for the value itself, such as for its length, and not for its elements
	length bool    // the field whole contains the rule of the tag length
	calls  bool    // the value has a Validate method
	// writable checks that JSON can write the value; nil if JSON can write every value of the shape.
	writable writable
	fields   []field
	cases    []field // cases of a union, or of an interface with declared cases, by number
	elem     *node   // nil if the values inside need no check
}

type field struct {
	name   string       // the path element of the field, such as ".price"
	source shape.Source // source of a parameter
	hops   []shape.Hop  // embedded pointers on the path to the field
	offset uintptr
	node   *node
	// mayLack is set if the input may lack the field, and its zero value breaks a limit. The check
	// skips a zero value, because decoders refuse it if the input has it; see package zero.
	mayLack bool
}
