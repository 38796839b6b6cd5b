package json

import (
	"fmt"

	"github.com/hone-go/hone/internal/release"
	"github.com/hone-go/hone/json/internal/option"
)

// Rules are the rules of the encoding/json of one release of Go: the bytes that are written, the
// values that are read, and the types, offsets and fields of errors. Programs that are built with
// different releases write the same bytes if they choose the same Rules:
//
//	var fleet = json.Config{Rules: json.Go126}
//
// Rules follow the newest patch of their release: Go 1.26.11 or Go 1.27.4. Package json/v2 has no
// such option, since it has the rules of Go 1.27 on every release.
//
// Three things follow the linked release, whatever the Rules are. The types of errors are its
// types: it sets the message of a [*SyntaxError], and in Go 1.26 UnmarshalTypeError has no field
// Err. Marshal and unmarshal methods may call its encoding/json. Methods with the standard
// library's streams are called only if Go 1.27 is linked. docs/json.md has the list.
type Rules = option.Rules

// The rules.
const (
	// DefaultRules are the rules, including patches, of the Go that builds the program. If the
	// environment variable HONE_JSON is "go1.26" or "go1.27" when the program starts, they are the
	// rules of that release.
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

// release returns the flags that select the rules.
func (o *Config) release() option.Flag {
	if o.Rules == DefaultRules {
		return option.ByDefault
	}
	return option.FlagsOf(o.Rules)
}

// otherRelease returns an error if the engine is encoding/json and Config.Rules are not the rules
// of the linked release. HONE_JSON causes no such error, since an explicit engine takes precedence
// over the environment.
func (o *Config) otherRelease() error {
	if o.Rules == DefaultRules || o.Rules == release.Linked {
		return nil
	}
	return fmt.Errorf("json: Config.Rules is %v, but the engine is encoding/json, which has the rules of %v in this build", o.Rules, release.Linked)
}
