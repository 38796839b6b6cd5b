//go:build !(go1.27 && goexperiment.jsonv2)

package decoding

import (
	"github.com/hone-go/hone/json/internal/rules"
)

// A standardReader is an empty placeholder for the standard library's stream, which requires
// encoding/json/v2.
type standardReader struct{}

// forget does nothing, because an empty standardReader has no references to drop.
func (*standardReader) forget() {}

// standardRead is never called, because types with methods for the standard library's streams exist
// only in builds with encoding/json/v2.
func (d *decoder) standardRead(any, []byte, bool) error { return rules.ErrDeclined }
