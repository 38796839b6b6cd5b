package json

import (
	"errors"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules/v2/decoding"
	"github.com/hone-go/hone/json/internal/rules/v2/encoding"
	"github.com/hone-go/hone/json/internal/stream"
)

// An encodeCall encodes with the options of one call, and a decodeCall decodes with them.
type (
	encodeCall struct{ encoding.Call }
	decodeCall struct{ decoding.Call }
)

// setOf converts options to a Set.
func setOf(opts []Options) (set option.Set) {
	if len(opts) > 0 {
		set.Join(opts...)
	}
	return set
}

func encodeBy(set option.Set) encodeCall {
	to, _ := set.Marshalers.(*Marshalers)
	return encodeCall{encoding.New(set, to.functions())}
}

func decodeBy(set option.Set) decodeCall {
	from, _ := set.Unmarshalers.(*Unmarshalers)
	return decodeCall{decoding.New(set, from.functions())}
}

// append appends the JSON of v, with white space if the options require it.
func (c *encodeCall) append(dst []byte, v any) ([]byte, error) {
	if !c.Set.Has(option.Whitespace) {
		return c.Call.Append(dst, v)
	}
	to := stream.Encoder{Set: c.Set}
	to.Lines()
	to.On |= option.OneValue
	to.SetPart(dst, 0, 0, nil)
	spaced := c.Call
	spaced.Set = to.Set
	if err := spaced.MarshalEncode(&to, v); err != nil {
		c.Part = spaced.Part
		return dst, err
	}
	return to.Buffer(), nil
}

var (
	errNames      = errors.New("cannot change duplicate name checks after a JSON object has already begun processing")
	errUTF8       = errors.New("cannot change UTF-8 checks after a JSON object has already begun processing")
	errWhitespace = errors.New("cannot change whitespace formatting within a MarshalEncode call")
)

// changes compares the options before a call, held, with the options of the call, set. It
// returns an error if the call is inside an object and changes an option that must not change
// there.
func changes(held, set *option.Set, inObject bool) error {
	switch changed := held.On ^ set.On; {
	case !inObject:
	case changed&option.AllowDuplicateNames != 0:
		return errNames
	case changed&option.AllowInvalidUTF8 != 0:
		return errUTF8
	}
	return nil
}
