//go:build !(go1.27 && goexperiment.jsonv2)

package json

import (
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/json/jsontext"
)

// hasStandard is true if the standard library contains encoding/json/v2.
const hasStandard = false

func (c *encodeCall) appendByStd(dst []byte, v any) ([]byte, error) { return c.append(dst, v) }
func (c *encodeCall) encodeByStd(to *stream.Encoder, v any) error {
	return c.Call.MarshalEncode(to, v)
}
func (c *decodeCall) unmarshalByStd(data []byte, readErr error, v any) error {
	return c.Call.UnmarshalFailed(data, readErr, v)
}
func (c *decodeCall) decodeByStd(from *stream.Decoder, v any) error {
	return c.Call.UnmarshalDecode(from, v)
}

// Without encoding/json/v2 functions cannot be converted.
type (
	standardMarshalers   struct{}
	standardUnmarshalers struct{}
)

func joinStandardMarshalers([]*Marshalers) *standardMarshalers                          { return nil }
func joinStandardUnmarshalers([]*Unmarshalers) *standardUnmarshalers                    { return nil }
func standardMarshalFunc[T any](func(T) ([]byte, error)) *standardMarshalers            { return nil }
func standardMarshalToFunc[T any](func(*jsontext.Encoder, T) error) *standardMarshalers { return nil }
func standardUnmarshalFunc[T any](func([]byte, T) error) *standardUnmarshalers          { return nil }
func standardUnmarshalFromFunc[T any](func(*jsontext.Decoder, T) error) *standardUnmarshalers {
	return nil
}
