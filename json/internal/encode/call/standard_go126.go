//go:build !(go1.27 && goexperiment.jsonv2)

package call

import (
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/rules"
)

// A standardWriter is a stream of the standard library that methods write to, one after the
// other.
type standardWriter struct{}

// forget removes the text and options of a call.
func (*standardWriter) forget() {}

// standardStream appends the value that a method writes to a stream of the standard library,
// which checks it. The stream is not kept after a panic, since the method may still hold it.
func (e *encoder) standardStream(dst []byte, _ *encode.Ref, _ any) ([]byte, error) {
	return dst, rules.ErrDeclined
}
