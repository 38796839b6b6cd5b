//go:build !(go1.27 && goexperiment.jsonv2)

package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// successor returns the decoder that goes on after an error, by the rules from Go 1.27 on.
func (d *Decoder) successor() standard {
	in, calls := d.unread()
	second := &secondDecoder{useNumber: d.options.UseNumber}
	second.in.Reset(in)
	second.in.Given, second.in.On = option.V1, option.V1
	return read(second, calls)
}

// A secondDecoder reads values and tokens as the Decoder of encoding/json does from Go 1.27 on, in
// a build whose encoding/json does not. It decodes raw values alone.
type secondDecoder struct {
	in        stream.Decoder
	err       error // of all further calls
	useNumber bool
	// The last call was one of More, or a call of Token that met the end of the stream.
	asked, ended bool
}

func (d *secondDecoder) UseNumber()             { d.useNumber = true }
func (d *secondDecoder) DisallowUnknownFields() {}

// Buffered returns the input that has been read and not decoded.
func (d *secondDecoder) Buffered() io.Reader { return bytes.NewReader(d.in.UnreadBuffer()) }

// Decode reads the next value into *v, a RawMessage.
func (d *secondDecoder) Decode(v any) error {
	if d.err != nil {
		return d.err
	}
	text, err := d.in.ReadValue()
	if err != nil {
		if s, ok := err.(*stream.SyntacticError); ok && s.Err == io.ErrUnexpectedEOF {
			d.err = io.ErrUnexpectedEOF
		} else {
			d.err = d.legacy(err)
		}
		return d.err
	}
	d.asked, d.ended = false, false
	*v.(*RawMessage) = slices.Clone(RawMessage(text))
	return nil
}

// Token returns the next token.
func (d *secondDecoder) Token() (Token, error) {
	if d.err != nil {
		return nil, d.err
	}
	t, err := d.in.ReadToken()
	if err != nil {
		// A text that ends too early is the end of the stream between two tokens.
		if _, failed := err.(*stream.IOError); errors.Is(err, io.ErrUnexpectedEOF) && !failed {
			if len(bytes.Trim(d.in.UnreadBuffer(), " \r\n\t,:")) > 0 {
				return nil, io.ErrUnexpectedEOF
			}
			d.ended = true
			return nil, io.EOF
		}
		return nil, d.legacy(err)
	}
	d.asked, d.ended = false, false
	switch kind := t.Kind(); kind {
	case 'n':
		return nil, nil
	case 't', 'f':
		return kind == 't', nil
	case '"':
		return t.String(), nil
	case '0':
		if d.useNumber {
			return Number(t.String()), nil
		}
		f, err := strconv.ParseFloat(t.String(), 64)
		if err != nil {
			return nil, &UnmarshalTypeError{Value: "number " + t.String(), Type: reflect.TypeFor[float64](), Offset: d.InputOffset()}
		}
		return f, nil
	default:
		return Delim(kind), nil
	}
}

// More reports whether the array or object that is being read has another element.
func (d *secondDecoder) More() bool {
	d.asked = true
	kind := d.in.PeekKind()
	if kind == 0 {
		if d.err == nil {
			_, err := d.in.ReadToken()
			d.err = d.legacy(err)
		}
		return d.err != io.EOF
	}
	return kind != ']' && kind != '}'
}

// InputOffset returns the position after the last value or token. After a call of More it is the
// start of the next token, and at the end of the stream it is after a comma or colon.
func (d *secondDecoder) InputOffset() int64 {
	offset := d.in.InputOffset()
	if d.asked || d.ended {
		unread := d.in.UnreadBuffer()
		if rest := bytes.TrimLeft(unread, " \r\n\t"); len(rest) > 0 {
			offset += int64(len(unread) - len(rest))
			if d.ended && (rest[0] == ',' || rest[0] == ':') {
				offset++
			}
		}
	}
	return offset
}

// legacy returns an error of the stream as encoding/json has it. Only encoding/json can set the
// message of a SyntaxError, so it is asked at the same place.
func (d *secondDecoder) legacy(err error) error {
	e, ok := err.(*stream.SyntacticError)
	if !ok {
		return rules.LegacySyntax(err)
	}
	if failed, ok := e.Err.(*stream.IOError); ok {
		return failed.Err
	}
	made, ok := rules.SyntaxErrorOf(nil, option.Linked).(*SyntaxError)
	if e.Err != io.ErrUnexpectedEOF {
		to := reach[d.place()]
		at := read(json.NewDecoder(strings.NewReader(to.text+string(d.in.UnreadBuffer()))), to.calls)
		_, failed := at.Token()
		if s, is := failed.(*SyntaxError); is {
			made = s
		}
	}
	if ok {
		made.Offset = e.ByteOffset
	}
	return made
}

// place returns the place of d in the grammar.
func (d *secondDecoder) place() place { return placeIn(&d.in, d.in.StackDepth()) }

// placeIn returns the place in the i-th open array or object.
func placeIn(in *stream.Decoder, i int) place {
	kind, count := in.StackIndex(i)
	switch {
	case i == 0:
		return atTop
	case kind == '[' && count == 0:
		return atFirstElem
	case kind == '[':
		return afterElem
	case count == 0:
		return atFirstName
	case count%2 == 1:
		return afterName
	}
	return afterMember
}

// std is [Decoder.Std] for d, which reads from r.
func (d *secondDecoder) std(r io.Reader, options *Config) *json.Decoder {
	var opened strings.Builder
	calls := 0
	for i := range d.in.StackDepth() + 1 {
		p := placeIn(&d.in, i)
		if kind, _ := d.in.StackIndex(i); i < d.in.StackDepth() && i > 0 {
			if p = atMember; kind == '[' { // the place before the value that is open
				p = atElem
			}
		}
		opened.WriteString(reach[p].text)
		calls += reach[p].calls
	}
	if d.err != nil {
		r = failed{d.err}
	}
	return read(options.newStdDecoder(io.MultiReader(strings.NewReader(opened.String()), d.Buffered(), r)), calls)
}
