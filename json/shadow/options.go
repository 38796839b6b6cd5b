package shadow

import "github.com/hone-go/hone/json"

// Options are options of package json/v2.
type Options = json.Options

// DefaultOptionsV1 returns the options by which package json/v2 behaves as this package does.
func DefaultOptionsV1() Options { return json.DefaultOptionsV1() }
