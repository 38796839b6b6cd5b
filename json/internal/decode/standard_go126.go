//go:build !(go1.27 && goexperiment.jsonv2)

package decode

import (
	"reflect"

	"github.com/hone-go/hone/json/internal/rules"
)

// standardKey fails, since no key can take a stream of the standard library before Go 1.27.
func (d *Decoder) standardKey(int, reflect.Value) (fits bool, err error) {
	return false, rules.ErrDeclined
}
