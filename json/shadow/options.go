package shadow

import "github.com/hone-go/hone/json"

// Options are options of package json/v2.
type Options = json.Options

// DefaultOptionsV1 returns the options that make package json/v2 behave like this package.
func DefaultOptionsV1() Options { return json.DefaultOptionsV1() }
