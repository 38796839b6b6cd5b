package api

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"

	"github.com/hone-go/hone/api/internal/message"
	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/json"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/wire"
)

// An elementReader decodes the elements of a body.
type elementReader struct {
	rules  *elementRules
	limits *limit.Program
	d      message.ElementDecoder // nil for the wire format
	wire   *wire.Decoder
	body   *bodyStream
	recent *recentText // the text of the current element; nil for the wire format
	array  bool        // the body is a JSON array; otherwise it is a sequence of JSON values
	begun  bool
	n      int // the index of the next element
	// budget bounds the time for matching patterns, in all elements together. It grows with the
	// bytes read from the body.
	budget  limit.Budget
	counted int64 // number of bytes for which the budget has grown
	ended   bool  // no more elements can be read
}

// elementRules are the rules for the elements of an operation's body.
type elementRules struct {
	elem    reflect.Type
	config  json.Config    // the configuration for JSON by the rules of encoding/json
	options jsonv2.Options // the options for JSON by the rules of encoding/json/v2; nil means that config is used
	limits  *limit.Program // the limits of an element in JSON
	records *limit.Program // the limits of an element in the wire format
}

func newElementReader(rules *elementRules, from *bodyStream, mediaType string) *elementReader {
	r := &elementReader{rules: rules, limits: rules.limits, body: from, array: mediaType == message.JSON, budget: limit.NewBudget(0)}
	if mediaType == MediaTypeWireStream {
		r.wire = wire.NewDecoder(from, message.MaxElement)
		r.wire.Limits.AtMost = message.MaxMemory
		r.limits = rules.records
		return r
	}
	r.recent = &recentText{from: from}
	r.d = message.NewElementDecoder(r.recent, rules.config, rules.options)
	return r
}

// fill sets target to the sequence of r's elements.
func (r *elementReader) fill(ctx context.Context, target message.Elements) {
	target.Fill(func(v any) (more bool, err error) {
		if !r.begun {
			r.begun = true
			if err := r.open(); err != nil {
				return false, err
			}
		}
		if !r.more() {
			return false, cmp.Or(r.close(), io.EOF)
		}
		err = r.next(v)
		if err == io.EOF {
			return false, cmp.Or(r.close(), io.EOF)
		}
		faults, members := memberFaults(err, false)
		if err == nil || members {
			err = r.check(ctx, v, faults)
		}
		r.n++
		return !r.ended, err
	}, func() {})
}

// check returns a problem if an element breaks its limits or a Validate method refuses it. faults
// are the faults already found in the element's members.
func (r *elementReader) check(ctx context.Context, v any, faults []FieldProblem) error {
	name := r.name()
	for i := range faults {
		faults[i].Name = name + faults[i].Name
	}
	r.budget.Grow(r.body.n - r.counted)
	r.counted = r.body.n
	if found := r.limits.Check(v, &r.budget); found != nil || faults != nil {
		return notAllowed(name, found, faults)
	}
	return invalid(name, r.limits.Validate(ctx, v))
}

func (r *elementReader) open() error {
	if !r.array {
		return nil
	}
	r.body.allowed = message.MaxElement
	start, err := r.d.Token()
	if err != nil {
		return r.bad(err, 0)
	}
	if start != json.Delim('[') {
		return unreadable(nil, FieldProblem{In: "body", Detail: "not an array"})
	}
	return nil
}

func (r *elementReader) more() bool {
	if r.wire != nil {
		return true // the wire decoder finds the end only when it reads the next record
	}
	r.body.allowed = message.MaxElement
	return !r.array || r.d.More()
}

// next decodes the next element. The error is io.EOF at the end.
func (r *elementReader) next(v any) error {
	if r.wire != nil {
		return r.nextRecord(v)
	}
	before := r.d.InputOffset()
	r.recent.since = before
	err := r.d.Decode(v)
	switch {
	case err == nil:
		return nil
	case errors.As(err, new(*json.MembersError)):
		return err
	case err == io.EOF && !r.array:
		return io.EOF
	}
	// Decoding can continue only after a value that was read to its end.
	r.ended = r.d.InputOffset() == before || r.body.err != nil ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, new(*json.SyntaxError))
	return r.bad(err, before)
}

// nextRecord is like next, for a body of wire records.
func (r *elementReader) nextRecord(v any) error {
	err := r.wire.Decode(v)
	switch {
	case err == nil:
		return nil
	case err == io.EOF:
		return io.EOF
	}
	// Decoding can continue after a record that was skipped, unless it was too large.
	var skipped *wire.RecordError
	r.ended = r.body.err != nil || !errors.As(err, &skipped) || errors.Is(err, wire.ErrLimit)
	if errors.As(err, new(*wire.LengthError)) {
		return NewProblem(http.StatusRequestEntityTooLarge, "an element of the request body is too large")
	}
	return r.bad(err, 0)
}

// close reads the end of the array, and the end of the body.
func (r *elementReader) close() error {
	if !r.array {
		return nil
	}
	_, err := r.d.Token()
	at := r.d.InputOffset()
	if err == nil {
		r.body.allowed = message.MaxElement
		if _, err = r.d.Token(); err == io.EOF {
			return nil
		}
		if err == nil {
			return unreadable(nil, FieldProblem{In: "body", Detail: "something follows the array", Offset: at})
		}
	}
	return r.bad(err, at)
}

// endOfInput is the text of encoding/json's SyntaxError for truncated input.
const endOfInput = "unexpected end of JSON input"

// bad returns a problem with the place in the body at which reading stopped.
func (r *elementReader) bad(err error, offset int64) error {
	if r.body.err != nil {
		return r.body.err
	}
	var syntax *json.SyntaxError
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax) && syntax.Error() == endOfInput {
		return unreadable(io.ErrUnexpectedEOF, FieldProblem{In: "body", Name: r.name(), Detail: "the body ends too early", Offset: offset})
	}
	text, err := r.inText(err, offset)
	err = badBody(err, r.rules.elem, text)
	if p, ok := err.(*Problem); ok {
		if p.Errors == nil {
			p.Errors = []FieldProblem{{In: "body", Detail: notOfThisKind}}
		}
		p.Errors[0].Name, p.Errors[0].Offset = r.name()+p.Errors[0].Name, offset
	}
	return err
}

func (r *elementReader) name() string { return path.Index(r.n) }

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
