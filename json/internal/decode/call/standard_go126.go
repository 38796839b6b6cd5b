//go:build !(go1.27 && goexperiment.jsonv2)

package call

import (
	"github.com/hone-go/hone/json/internal/rules"
)

// A standardReader stands for the standard library's stream, which a build without encoding/json/v2
// does not have.
type standardReader struct{}

// forget removes the text and options of a call.
func (*standardReader) forget() {}

// standardRead is never called, since a build without encoding/json/v2 has no streams of the
// standard library.
func (d *decoder) standardRead(any, []byte, bool) error { return rules.ErrDeclined }
