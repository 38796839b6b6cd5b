//go:build !(go1.27 && goexperiment.jsonv2)

package call

import (
	"github.com/hone-go/hone/json/internal/rules"
)

// A standardReader stands for the standard library's stream, which Go 1.26 does not have.
type standardReader struct{}

// forget removes the text and options of a call.
func (*standardReader) forget() {}

// standardRead fails, since no method can take a stream of the standard library before Go 1.27.
func (d *decoder) standardRead(any, []byte, bool) error { return rules.ErrDeclined }
