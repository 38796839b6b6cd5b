//go:build !(go1.27 && goexperiment.jsonv2)

package encoding

import (
	"github.com/hone-go/hone/json/internal/rules"
)

// A standardWriter is an empty placeholder for the standard library's stream, which requires
// encoding/json/v2.
type standardWriter struct{}

// forget does nothing, because an empty standardWriter has no references to drop.
func (*standardWriter) forget() {}

// standardStream is never called, because types with methods for the standard library's streams
// exist only in builds with encoding/json/v2.
func (e *encoder) standardStream(dst []byte, _ *methodsRow, _ any) ([]byte, error) {
	return dst, rules.ErrDeclined
}
