//go:build !(go1.27 && goexperiment.jsonv2)

package go127

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/encode"
)

// standardName is never called, because types with methods for the standard library's streams exist
// only in builds with encoding/json/v2.
func standardName(e *encode.Encoder, dst []byte, t reflect.Type, key reflect.Value) (string, error) {
	return anyName(e, dst, t, key)
}
