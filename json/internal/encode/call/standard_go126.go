//go:build !(go1.27 && goexperiment.jsonv2)

package call

import (
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/rules"
)

type standardWriter struct{}

func (*standardWriter) forget() {}

func (e *encoder) standardStream(dst []byte, _ *encode.Ref, _ any) ([]byte, error) {
	return dst, rules.ErrDeclined
}
