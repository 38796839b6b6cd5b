// Package release defines the releases of Go whose encoding/json the toolkit follows, and reads the
// environment variable HONE_JSON.
package release

import (
	"fmt"
	"os"
)

// Rules are the rules of the encoding/json of one release.
type Rules uint8

// The rules. Default selects the rules of the environment, or of the linked encoding/json.
const (
	Default Rules = iota
	Go126
	Go127
)

// String returns the name of the release.
func (r Rules) String() string {
	switch r {
	case Default:
		return "the default"
	case Go126:
		return "Go 1.26"
	case Go127:
		return "Go 1.27"
	}
	return fmt.Sprintf("Rules(%d)", uint8(r))
}

// A Switch is the meaning of a value of HONE_JSON.
type Switch struct {
	Std   bool  // encoding/json encodes and decodes
	Rules Rules // the rules of version 1; Default for the linked encoding/json
}

// Chosen is the switch that the environment sets for this program.
var Chosen = Named(os.Getenv("HONE_JSON"))

// Named returns the switch for a value of HONE_JSON. It reports an unknown value on the standard
// error.
func Named(value string) Switch {
	switch value {
	case "", "hone":
	case "std":
		return Switch{Std: true}
	case "go1.26":
		return Switch{Rules: Go126}
	case "go1.27":
		return Switch{Rules: Go127}
	default:
		fmt.Fprintf(os.Stderr, "json: HONE_JSON=%q is ignored: the values are std, hone, go1.26 and go1.27\n", value)
	}
	return Switch{}
}

// First reports whether the rules of Go 1.26 determine the members of structs, unless a call
// selects other rules.
func First() bool {
	return Chosen.Rules == Go126 || Chosen.Rules == Default && Linked == Go126
}
