//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	"github.com/hone-go/hone/json/internal/option"
)

// StandardOptions returns what the standard library knows of a Set, without some of its
// flags.
func StandardOptions(set option.Set, without option.Flag, stringed bool) option.Options {
	set.On &^= without
	if stringed {
		set.Put(option.StringifyNumbers, true)
	}
	return set.Standard()
}
