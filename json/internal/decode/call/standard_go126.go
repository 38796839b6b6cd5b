//go:build !(go1.27 && goexperiment.jsonv2)

package call

import (
	"github.com/hone-go/hone/json/internal/rules"
)

// A standardReader is a stream of the standard library that methods read from, one after the
// other.
type standardReader struct{}

// forget removes the text and options of a call.
func (*standardReader) forget() {}

// standardRead lets a method read the value from a stream of the standard library.
func (d *decoder) standardRead(any, []byte, bool) error { return rules.ErrDeclined }
