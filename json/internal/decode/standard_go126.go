//go:build !(go1.27 && goexperiment.jsonv2)

package decode

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/rules"
)

// standardKey sets a key that reads from a stream of the standard library, of which there are none.
func (d *Decoder) standardKey(int, reflect.Value) (fits bool, err error) {
	return false, rules.ErrDeclined
}
