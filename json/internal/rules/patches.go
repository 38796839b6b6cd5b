package rules

import "github.com/hone-go/hone/json/internal/option"

// A Patch is a change of encoding/json in a patch release of Go. Build tags distinguish Go 1.26 and
// Go 1.27, but not Go 1.27.1 and Go 1.27.2, so [Patch.Applied] tests the linked standard library.
//
// On Go 1.26, which has no encoding/json/v2, version 2 has the rules of the newest patch.
type Patch uint8

const (
	// QuotedNull: a Go string whose field has the tag option string accepts the JSON string "null"
	// as null. Before, that was an error (golang/go#81061).
	QuotedNull Patch = iota
	// PlainKeys: the methods MarshalText and AppendText of a string type are not called for the
	// keys of a map in version 1 (golang/go#81355).
	PlainKeys
	// Overflow: if a number is too large for a float, the float is unchanged, and an interface gets
	// 0. Before, both became an infinity.
	Overflow
	// ErrorValue: an UnsupportedValueError contains the infinite or NaN float (golang/go#81176).
	ErrorValue

	// Patches is the number of patches.
	Patches
)

// Standard reports whether the linked encoding/json has exactly the rules of the call's flags,
// including patches.
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

// In reports whether the call's flags include the patch. With the flag NewestPatch they do.
// Otherwise the linked encoding/json decides.
func (p Patch) In(on option.Flag) bool { return on&option.NewestPatch != 0 || p.Applied() }
