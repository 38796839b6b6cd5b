package json

import (
	"fmt"

	"github.com/hone-go/hone/internal/release"
	"github.com/hone-go/hone/json/internal/option"
)

// Rules are the rules of the encoding/json of one release of Go: the bytes that are written, the
// values that are read, and the types, offsets and fields of errors. A service whose parts are built
// with several releases writes one set of bytes by one of them:
//
//	var fleet = json.Config{Rules: json.Go126}
//
// A release stands for its newest patch: Go 1.26.11 or Go 1.27.4. Package json/v2 has the rules of
// Go 1.27 on every release, and no such option.
//
// The types of errors are the ones of the encoding/json that is linked, which has private fields:
// the text of a [*SyntaxError] is always its text, and Go 1.26 has no UnmarshalTypeError.Err.
// Marshal and unmarshal methods that call encoding/json follow the linked release. Methods with the
// standard library's streams are called where Go 1.27 is linked, by its rules. docs/json.md has the list.
type Rules = option.Rules

// The rules.
const (
	// DefaultRules are the rules of the Go that builds the program, to the patch, or of the release
	// that the environment variable HONE_JSON names when the program starts: "go1.26" or "go1.27".
	DefaultRules = release.Default
	// Go126 are the rules of Go 1.26, and of Go 1.27 with GOEXPERIMENT=nojsonv2.
	Go126 = release.Go126
	// Go127 are the rules of Go 1.27.
	Go127 = release.Go127
)

// RulesByDefault returns the rules that [DefaultRules] stands for in this program.
func RulesByDefault() Rules {
	if r := release.Chosen.Rules; r != release.Default {
		return r
	}
	return release.Linked
}

// release returns the flags for the rules.
func (o *Config) release() option.Flag {
	if o.Rules == DefaultRules {
		return option.ByDefault
	}
	return option.FlagsOf(o.Rules)
}

// otherRelease returns the error of a call by encoding/json under rules that it does not have. An
// engine that a call names outweighs the rules of the environment.
func (o *Config) otherRelease() error {
	if o.Rules == DefaultRules || o.Rules == release.Linked {
		return nil
	}
	return fmt.Errorf("json: Config.Rules asks for the rules of %v, and the standard library of this build, which the engine is, has those of %v", o.Rules, release.Linked)
}
