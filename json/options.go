package json

import "github.com/hone-go/hone/json/internal/option"

// Options are options of package v2. The functions that return them make v2 behave as this
// package does, each in one point. Calls of this package have their options in a [Config].
type Options = option.Options

// DefaultOptionsV1 returns the options by which package v2 behaves as this package does.
func DefaultOptionsV1() Options { return option.DefaultsV1() }
