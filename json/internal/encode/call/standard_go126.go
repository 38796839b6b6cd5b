//go:build !(go1.27 && goexperiment.jsonv2)

package call

import (
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/rules"
)

// A standardWriter stands for the standard library's stream, which a build without encoding/json/v2
// does not have.
type standardWriter struct{}

// forget removes the text and options of a call.
func (*standardWriter) forget() {}

// standardStream is never called, since a build without encoding/json/v2 has no streams of the
// standard library.
func (e *encoder) standardStream(dst []byte, _ *encode.Ref, _ any) ([]byte, error) {
	return dst, rules.ErrDeclined
}
