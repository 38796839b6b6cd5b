package api

import (
	"bytes"
	"errors"
	"io"
	"reflect"

	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

// A recentText keeps the text that it has read since an offset, because the path of an error is found in
// the text of the element.
type recentText struct {
	from  io.Reader
	text  []byte
	start int64 // the offset of text in the body
	since int64 // text before this offset is not needed
}

func (r *recentText) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if drop := min(max(r.since-r.start, 0), int64(len(r.text))); drop > 0 {
		r.text, r.start = append(r.text[:0], r.text[drop:]...), r.start+drop
	}
	r.text = append(r.text, p[:n]...)
	return n, err
}

// between returns the text between two offsets in the body.
func (r *recentText) between(from, to int64) []byte {
	if from < r.start || to > r.start+int64(len(r.text)) || from > to {
		return nil
	}
	return r.text[from-r.start : to-r.start]
}

// inText returns the text of the element that Decode has read from the given offset on, and the error
// of decoding this text, which replaces err, because the position in err may be one in the body. It
// returns other errors than those about the type of a value unchanged.
func (r *elementReader) inText(err error, from int64) ([]byte, error) {
	if r.recent == nil || !errors.As(err, new(*json.UnmarshalTypeError)) && !errors.As(err, new(*jsonv2.SemanticError)) {
		return nil, err
	}
	text := bytes.TrimLeft(r.recent.between(from, r.d.InputOffset()), ", \t\r\n")
	if len(text) == 0 {
		return nil, err
	}
	v := reflect.New(r.rules.elem).Interface()
	again := r.rules.config.Unmarshal
	if r.rules.options != nil {
		again = func(data []byte, v any) error { return jsonv2.Unmarshal(data, v, r.rules.options) }
	}
	if found := again(text, v); found != nil {
		return text, found
	}
	return text, err
}
