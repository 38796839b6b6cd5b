package json

import (
	"fmt"

	"github.com/hone-go/hone/internal/release"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules/go126"
	"github.com/hone-go/hone/json/internal/rules/go127"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// Rules identify the Go release whose encoding/json this package follows: in its output, in decoded
// values, and in the types, offsets and fields of errors. Programs that are built with different
// releases produce the same output if they use the same Rules:
//
//	var fleet = json.Config{Rules: json.Go126}
//
// Rules follow the newest patch of their release: Go 1.26.11 or Go 1.27.4. Package json/v2 has no
// such option, because it always follows Go 1.27.
//
// Three parts of the behavior depend on the linked release instead of the Rules:
//
//   - The error types. The linked release determines the message of a [*SyntaxError], and in Go 1.26
//     UnmarshalTypeError has no field Err.
//   - Marshal and unmarshal methods that call encoding/json, because they call the linked one.
//   - Methods that take the standard library's streams, which are only called with Go 1.27.
//
// docs/json.md has the details.
type Rules = option.Rules

// Values of [Rules].
const (
	// DefaultRules are the rules of the Go release that builds the program, including patches. If
	// the environment variable HONE_JSON is "go1.26" or "go1.27" at the start of the program, they
	// are the rules of this release.
	DefaultRules = release.Default
	// Go126 are the rules of Go 1.26, and of Go 1.27 with GOEXPERIMENT=nojsonv2.
	Go126 = release.Go126
	// Go127 are the rules of Go 1.27.
	Go127 = release.Go127
)

// RulesByDefault returns the rules that [DefaultRules] selects in this program.
func RulesByDefault() Rules {
	if r := release.Chosen.Rules; r != release.Default {
		return r
	}
	return release.Linked
}

// release returns the flags that select o.Rules.
func (o *Config) release() option.Flag {
	if o.Rules == DefaultRules {
		return option.ByDefault
	}
	return option.FlagsOf(o.Rules)
}

// encodings and decodings contain the rules of each release, by option.ReleaseIndex. No call has the last
// index, which would mean two releases at once.
var (
	encodings = [option.Releases]*v1.Encoding{&go127.Encoding, &go126.Encoding, &go127.NewestEncoding}
	decodings = [option.Releases]*v1.Decoding{&go127.Decoding, &go126.Decoding, &go127.NewestDecoding}
)

// encodingOf returns the rules of encoding that the given flags select.
func encodingOf(on option.Flag) *v1.Encoding { return encodings[option.ReleaseIndex(on)] }

// decodingOf returns the rules of decoding that the given flags select.
func decodingOf(on option.Flag) *v1.Decoding { return decodings[option.ReleaseIndex(on)] }

// otherRelease returns an error if the engine is encoding/json and Config.Rules are not the rules
// of the linked release. Rules from HONE_JSON cause no error, because an explicit engine takes
// precedence over the environment.
func (o *Config) otherRelease() error {
	if o.Rules == DefaultRules || o.Rules == release.Linked {
		return nil
	}
	return fmt.Errorf("json: Config.Rules is %v, but the engine is encoding/json, which has the rules of %v in this build", o.Rules, release.Linked)
}
