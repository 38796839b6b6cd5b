package rules

import "github.com/hone-go/hone/json/internal/option"

// A Patch is a point in which a patch release of Go has changed encoding/json. Build tags know
// Go 1.27 and not 1.27.2, so [Patch.Applied] asks the standard library that is linked.
//
// The rules of version 2 on Go 1.26, where there is no encoding/json/v2, are the rules of the
// newest patch.
type Patch uint8

const (
	// QuotedNull: the text null in a JSON string, for a string with the tag option string, is
	// null and not an error (golang/go#81061).
	QuotedNull Patch = iota
	// PlainKeys: the methods MarshalText and AppendText of a string type are not called for the
	// keys of a map in version 1 (golang/go#81355).
	PlainKeys
	// Overflow: a float is left alone if the number is too large for it, and an interface gets
	// 0. Before, both became an infinity.
	Overflow
	// ErrorValue: an UnsupportedValueError has the float that is not finite (golang/go#81176).
	ErrorValue

	// Patches is the number of patches.
	Patches
)

// Standard reports whether the encoding/json that is linked has the rules of a call, to the patch.
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

// In reports whether the rules of a call have the patch: the rules of the newest patch do, and all
// other rules follow the encoding/json that is linked.
func (p Patch) In(on option.Flag) bool { return on&option.NewestPatch != 0 || p.Applied() }
