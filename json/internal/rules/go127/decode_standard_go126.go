//go:build !(go1.27 && goexperiment.jsonv2)

package go127

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// standardKey is never called, because types with methods for the standard library's streams exist
// only in builds with encoding/json/v2.
func standardKey(*v1.Decoder, int, reflect.Value) (fits bool, err error) {
	return false, rules.ErrDeclined
}
