package api

import (
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
