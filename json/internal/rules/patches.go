package rules

import "github.com/hone-go/hone/json/internal/option"

// A Patch is a change to encoding/json in a patch release of Go. Build tags can distinguish Go 1.26
// and Go 1.27, but not Go 1.27.1 and Go 1.27.2, so [Patch.Applied] tests the behaviour of the
// linked standard library.
//
// With Go 1.26, which does not have encoding/json/v2, version 2 follows the newest patch.
type Patch uint8

const (
	// QuotedNull: a Go string whose field has the tag option "string" accepts the JSON string
	// "null" as null. Before, that was an error (golang/go#81061).
	QuotedNull Patch = iota
	// PlainKeys: the methods MarshalText and AppendText of a string type are not called for the
	// keys of a map in version 1 (golang/go#81355).
	PlainKeys
	// Overflow: a number that overflows a float leaves the float unchanged, and decodes to 0 in an
	// interface. Before, both became infinity.
	Overflow
	// ErrorValue: the field Value of an UnsupportedValueError contains the infinite or NaN float.
	// Before, it was not set (golang/go#81176).
	ErrorValue

	// Patches is the number of patches.
	Patches
)

// Standard reports whether the linked encoding/json has exactly the rules that the given flags
// select, including patches.
func Standard(on option.Flag) bool {
	if on&option.Release == option.Linked {
		return true
	}
	for p := range Patches {
		if !p.Applied() {
			return false
		}
	}
	return option.FollowsLinked(on)
}
