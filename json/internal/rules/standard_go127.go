//go:build go1.27 && goexperiment.jsonv2

package rules

import (
	"github.com/hone-go/hone/json/internal/option"
)

// StandardOptions returns the options of a Set that the standard library has, without some
// flags. With stringed numbers are quoted.
func StandardOptions(set option.Set, without option.Flag, stringed bool) option.Options {
	set.On &^= without
	if stringed {
		set.Put(option.StringifyNumbers, true)
	}
	return set.Standard()
}
