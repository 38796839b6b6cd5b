//go:build !(go1.27 && goexperiment.jsonv2)

package decode

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/rules"
)

// standardKey returns an error. It is never called, since a build without encoding/json/v2 has no
// streams of the standard library.
func (d *Decoder) standardKey(int, reflect.Value) (fits bool, err error) {
	return false, rules.ErrDeclined
}
