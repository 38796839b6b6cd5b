package json

import "github.com/hone-go/hone/json/internal/option"

// Options are options of package v2. Each option makes one aspect of v2 behave like this package.
// This package itself takes its options in a [Config].
type Options = option.Options

// DefaultOptionsV1 returns the options that make package v2 behave like this package.
func DefaultOptionsV1() Options { return option.DefaultsV1() }
