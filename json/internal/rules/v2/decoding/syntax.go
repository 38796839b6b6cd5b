package decoding

import (
	"errors"
	"io"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/stream"
)

// Readable implements [decode.Checks].
func (d *decoder) Readable(t int, whole bool) error {
	switch c := d.Data[d.Words[t].Pos()]; {
	case t == d.broken && whole:
		return d.Syntax(d.posOf(t))
	case t == d.broken:
		return d.Syntax(-1)
	case c == '"':
		if !d.IsUnicode(t) {
			return d.Syntax(-1)
		}
	case (c == '{' || c == '[') && whole:
		after := syntax.After(d.Words, t)
		if d.broken >= 0 && after > d.broken || !d.strict(t, after) {
			return d.Syntax(d.Words[t].Pos())
		}
	}
	return nil
}

// BrokenValue implements [decode.Checks]. The stream reads an array or an object token by token,
// and a scalar as one token.
func (d *decoder) BrokenValue() error {
	at := d.posOf(d.broken)
	if k := d.brokenKind; k == '{' || k == '[' {
		at = -1
	}
	return d.Syntax(at)
}

// Skip implements [decode.Checks].
func (d *decoder) Skip(t int) (int, error) {
	if t == d.broken {
		return t, d.BrokenValue()
	}
	after := d.After(t)
	if d.broken >= 0 && after > d.broken || !d.strict(t, after) {
		return after, d.Syntax(-1)
	}
	return after, nil
}

// Syntax returns the error of the text. If whole is not negative, it is the error of reading the value at
// position whole as a value, and otherwise the error of reading tokens. Syntax reads from the stream of the call, or from a new stream
// over the text, until there is an error.
func (d *decoder) Syntax(whole int) error {
	from := d.from
	if from == nil {
		from = &stream.Decoder{Set: d.call.Set}
		from.SetText(d.text)
	} else if d.prefix == nil {
		prefix := from.PointerTo(stream.Next)
		d.prefix = &prefix
	}
	if d.noValue != nil {
		d.brokenKind, d.brokenAt = 0, 0
		if whole < 0 {
			return d.noToken
		}
		return d.noValue
	}
	for {
		d.brokenKind = from.PeekKind()
		at := from.NextOffset() - d.offset
		d.brokenAt = int(at)
		var err error
		if whole >= 0 && at >= int64(whole) {
			_, err = from.ReadValue()
		} else {
			_, err = from.ReadToken()
		}
		switch {
		case err == nil && whole >= 0 && at >= int64(whole) && from.StackDepth() == 0:
			return d.unread()
		case err == nil:
			continue
		case err == io.EOF && d.from == nil:
			return d.unread()
		case d.readErr != nil && errors.Is(err, io.ErrUnexpectedEOF):
			return d.readErr
		}
		return err
	}
}

// unread returns the error for input that ends within the value.
func (d *decoder) unread() error {
	if d.readErr != nil {
		return d.readErr
	}
	return &stream.SyntacticError{ByteOffset: int64(len(d.text)), Err: io.ErrUnexpectedEOF}
}

// trailing returns the error for input after the value, which ends at the position end.
func (d *decoder) trailing(end int) error {
	from := &stream.Decoder{Set: d.call.Set}
	from.SetText(d.text)
	from.Pass(0, end)
	return from.CheckEnd()
}

// pointerAt returns the JSON pointer of the value at position pos. If name is set and pos is the
// position of a name, pointerAt returns the pointer of the member.
func (d *decoder) pointerAt(pos int, name bool) stream.Pointer {
	var prefix stream.Pointer
	if d.prefix != nil {
		prefix = *d.prefix
	} else if d.from != nil {
		prefix = d.from.PointerTo(stream.Next)
	}
	d.track.Reset()
	d.track.Move(d.text, pos)
	if !name || !d.track.WantsName() {
		return prefix + d.track.Next()
	}
	end, _ := syntax.SkipString(d.text, pos)
	d.track.Move(d.text, end)
	return prefix + d.track.Previous()
}

// posOf returns the position of the value at t. If the syntax error is at t, it returns the
// position of the invalid token.
func (d *decoder) posOf(t int) int {
	if t == d.broken {
		_ = d.Syntax(-1)
		return d.brokenAt
	}
	return d.Words[t].Pos()
}

// BrokenNull implements [decode.Checks].
func (d *decoder) BrokenNull() (isNull bool, err error) {
	err = d.Syntax(-1)
	return d.brokenKind == 'n', err
}
