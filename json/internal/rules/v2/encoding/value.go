package encoding

import (
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// Time implements [encode.Rules].
func (compiler) Time(e *encode.Encoder, dst []byte, t *time.Time) ([]byte, error) {
	n := len(dst)
	fail := func(why string) ([]byte, error) {
		if e.Has(option.ReportErrorsWithLegacySemantics) {
			return dst[:n], rules.NewMarshalerError(reflect.TypeFor[*time.Time](), errors.New(why), "MarshalJSON")
		}
		return dst[:n], encode.NewFault(rules.TimeType, errors.New(why))
	}
	dst = t.AppendFormat(append(dst, '"'), time.RFC3339Nano)
	text := dst[n+1:]
	zone := text[len(text)-len("Z07:00"):]
	switch {
	case text[len("9999")] != '-':
		return fail("year outside of range [0,9999]")
	case text[len(text)-1] != 'Z' && (zone[0]-'0' <= 9 || rules.Digits(zone[1:]) >= 24):
		return fail("timezone hour outside of range [0,23]")
	}
	return append(dst, '"'), nil
}

// ThroughPointer implements [encode.Rules].
func (compiler) ThroughPointer(err error, _ reflect.Type) error { return err }

// Unsupported implements [encode.Rules].
func (compiler) Unsupported(v reflect.Value, cause error) error {
	return encode.NewFault(v.Type(), cause)
}

// NotFinite implements [encode.Rules].
func (compiler) NotFinite(e *encode.Encoder, v reflect.Value) error {
	if e.Has(option.ReportErrorsWithLegacySemantics) {
		return encode.NewFault(v.Type(), &notFinite{v})
	}
	return encode.NewFault(v.Type(), fmt.Errorf("unsupported value: %v", v.Float()))
}

// notFinite is the cause of an error about an infinite float or NaN. With legacy errors the error
// becomes an UnsupportedValueError with this value.
type notFinite struct{ value reflect.Value }

func (e *notFinite) Error() string { return fmt.Sprintf("unsupported value: %v", e.value.Float()) }

// NotNumber implements [encode.Rules].
func (compiler) NotNumber(e *encode.Encoder, _ string, cause error) error {
	if e.Has(option.ReportErrorsWithLegacySemantics) {
		return rules.NewMarshalerError(reflect.TypeFor[*rules.Number](), cause, "MarshalJSONTo")
	}
	return encode.NewFault(rules.NumberType, cause)
}
