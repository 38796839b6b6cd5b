//go:build !(go1.27 && goexperiment.jsonv2)

package decode

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/rules"
)

// standardKey is never called, because types with methods for the standard library's streams exist
// only in builds with encoding/json/v2.
func (d *Decoder) standardKey(int, reflect.Value) (fits bool, err error) {
	return false, rules.ErrDeclined
}
