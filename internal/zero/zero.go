// Package zero tells decoders which fields have limits that their zero values break.
//
// A field of a Go struct is zero both if its member is absent and if the member has the zero value.
// Only a decoder can distinguish the two: it knows which members the input has. So checks of limits
// skip the zero value of a member that may be absent, and decoders report such a value if it was
// in the input.
package zero

import "github.com/hone-go/hone/shape"

// A Fault is a limit that a zero value breaks.
type Fault struct {
	Path   string // the place in the value, such as ".size"; "" for the value itself
	Detail string // such as "must be at least 1"
}

// check is set by package internal/limit, which decoders do not link, because it links regexp.
var check func(f *shape.Field) []Fault

// Register sets the function that computes the result of Faults. An init function calls it.
func Register(faults func(f *shape.Field) []Fault) { check = faults }

// Faults returns the limits that the zero value of f breaks. It returns nil in programs that do not
// check limits, and for a field with an invalid tag.
func Faults(f *shape.Field) []Fault {
	if check == nil {
		return nil
	}
	return check(f)
}
