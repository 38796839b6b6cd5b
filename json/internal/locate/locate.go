package locate

import (
	"errors"
	"strconv"
	"strings"

	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// Error returns where in data err is, which decoding data returned. It is false if err says
// nothing of that, or something that data does not bear out.
func Error(data []byte, err error) (Position, bool) {
	var (
		semantic  *rules.SemanticError
		syntactic *stream.SyntacticError
		misfit    *rules.UnmarshalTypeError
		syntax    *rules.SyntaxError
	)
	f := finder{walk: walk{data: data}}
	switch {
	case errors.As(err, new(*rules.MarshalerError)): // of text that a method has written
		return Position{}, false
	case errors.As(err, &semantic):
		return f.semantic(semantic.ByteOffset, string(semantic.JSONPointer))
	case errors.As(err, &syntactic):
		return f.syntactic(syntactic)
	case errors.As(err, &misfit):
		return f.misfit(misfit)
	case errors.As(err, &syntax):
		return f.syntax(syntax)
	}
	return Position{}, false
}

// A finder looks for one place.
type finder struct {
	walk
	found Position
	ok    bool
}

// at sets the place to where the walk is.
func (f *finder) at(offset int, last bool) {
	f.found, f.ok = Position{Offset: offset, Pointer: f.pointer(last), Path: f.path(last)}, true
}

// result completes the place.
func (f *finder) result() (Position, bool) {
	if f.ok {
		f.found.place(f.data)
	}
	return f.found, f.ok
}

// broken sets the place to where the text is wrong, behind the last character that is no
// space if it ends too early.
func (f *finder) broken() {
	offset := f.pos
	if offset == len(f.data) {
		for offset > 0 && isSpace(f.data[offset-1]) {
			offset--
		}
	}
	f.at(offset, f.wants == wantValue || f.wants == wantElement || f.wants == wantColon)
}

// syntax looks for an error of encoding/json's. Its offset is behind what is wrong, by one
// byte or by an escape, and of no use for a number that ends too early: the text says it
// better.
func (f *finder) syntax(e *rules.SyntaxError) (Position, bool) {
	if e.Offset < 0 || e.Offset > int64(len(f.data)) {
		return Position{}, false
	}
	for {
		t, ok := f.next()
		if ok {
			f.opens(t, false)
			continue
		}
		second := f.first
		for second < len(f.data) && isSpace(f.data[second]) {
			second++
		}
		switch {
		case f.values > 0 && second < len(f.data) && int64(second)+1 == e.Offset:
			f.found, f.ok = Position{Offset: second}, true // for Unmarshal there is one value alone
		case f.failed && (f.pos == len(f.data) || int64(f.pos) < e.Offset):
			f.broken()
		}
		return f.result()
	}
}

// opens goes into the array or the object that the token starts, if it does.
func (f *finder) opens(t token, onPath bool) {
	if t.kind == '[' || t.kind == '{' {
		f.enter(t, onPath)
	}
}

// syntactic looks for an error of jsontext's, whose offset is the place of the error.
func (f *finder) syntactic(e *stream.SyntacticError) (Position, bool) {
	if e.ByteOffset < 0 || e.ByteOffset > int64(len(f.data)) {
		return Position{}, false
	}
	if errors.Is(e, stream.ErrDuplicateName) {
		return f.semantic(e.ByteOffset, string(e.JSONPointer))
	}
	offset := int(e.ByteOffset)
	for {
		t, ok := f.next()
		switch {
		case !ok && (f.pos == len(f.data) || f.pos < offset):
			f.broken() // a number that ends too early counts from its start
			return f.result()
		case !ok:
			f.at(offset, f.wants == wantValue || f.wants == wantElement || f.wants == wantColon)
			return f.result()
		case t.start >= offset || t.end > offset: // a token of good form where none may be
			f.at(offset, t.start < offset)
			return f.result()
		}
		f.opens(t, false)
	}
}

// semantic looks for the value that the pointer leads to, or for what holds it, of several
// of the same name for the one at the offset or the next behind it.
func (f *finder) semantic(offset int64, pointer string) (Position, bool) {
	if offset < 0 || offset > int64(len(f.data)) {
		return Position{}, false
	}
	var steps []string
	if pointer != "" {
		for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			steps = append(steps, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
		}
	}
	best, deepest := -1, -1
	for {
		t, ok := f.next()
		if !ok {
			break
		}
		depth, top := f.depth(), f.top()
		if t.name && int64(t.start) == offset && top.onPath && depth >= len(steps) {
			best = t.start // the pointer leads to the name, or to the object that it is in
			break
		}
		onPath := !t.name && depth <= len(steps) && (top == nil || top.onPath && f.is(top, steps[depth-1]))
		if onPath && (depth > deepest || int64(t.start) <= offset) {
			best, deepest = t.start, depth
			if depth == len(steps) && int64(t.start) >= offset {
				break
			}
		}
		f.opens(t, onPath)
	}
	// The way is put together once, however many values there are on it.
	again := finder{walk: walk{data: f.data}}
	for best >= 0 {
		t, ok := again.next()
		if !ok {
			break
		}
		if t.start == best {
			again.at(best, true)
			break
		}
		again.opens(t, false)
	}
	return again.result()
}

// misfit looks for the value of an error of encoding/json's. The offset is behind a scalar
// and behind the bracket of an array or an object; for names of objects it is behind the
// quotation mark or behind the name, and for some types in front of the value. What the error says of the value
// and of the way to it tells which is meant.
func (f *finder) misfit(e *rules.UnmarshalTypeError) (Position, bool) {
	if e.Offset < 0 || e.Offset > int64(len(f.data)) {
		return Position{}, false
	}
	offset := int(e.Offset)
	best := 0
	for {
		t, ok := f.next()
		if !ok {
			break
		}
		if fit := f.fits(e, t, offset); fit > best {
			f.at(t.start, true)
			best = fit
		}
		if t.start > offset && !t.name {
			break // the next value in front of which the offset may be
		}
		f.opens(t, false)
	}
	return f.result()
}

// fits returns how well an error is about a token, 0 if it is not.
func (f *finder) fits(e *rules.UnmarshalTypeError, t token, offset int) int {
	fit := 0
	switch bracket := t.kind == '[' || t.kind == '{'; {
	case bracket && t.start+1 == offset, !bracket && t.end == offset:
		fit = 2
	case t.name && t.start+1 == offset:
		fit = 2
	case !t.name && t.start >= offset && f.blank(offset, t.start):
		fit = 1
	}
	if fit == 0 || !f.isOf(e.Value, t) {
		return 0
	}
	switch pointer := f.pointer(true); {
	case e.Field == "":
	case strings.EqualFold(strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", "."), e.Field):
		fit += 2
	case !f.passes(e.Field):
		return 0
	}
	return fit
}

// blank reports whether there is nothing but white space and punctuation between two values.
func (f *finder) blank(from, to int) bool {
	return len(strings.Trim(string(f.data[from:to]), " \t\r\n:,")) == 0
}

// passes reports whether the last name of the field is on the way to the current value.
func (f *finder) passes(field string) bool {
	passes := false
	f.steps(true, func(l *level) {
		name := strconv.Itoa(l.index)
		if l.object {
			name = f.nameOf(l)
		}
		n := len(field) - len(name)
		passes = passes || n >= 0 && strings.EqualFold(field[n:], name) && (n == 0 || field[n-1] == '.')
	})
	return passes
}

// isOf reports whether the token may be what an error calls value, such as "string" or
// "number 12".
func (f *finder) isOf(value string, t token) bool {
	kind, text, has := strings.Cut(value, " ")
	raw := string(f.data[t.start:t.end])
	switch {
	case t.name || t.kind == '"':
		if has {
			return text == raw || text == unquoted(f.data[t.start:t.end])
		}
		return kind == "string" || kind == "number" && t.name
	case has:
		return kind == "number" && text == raw
	}
	switch t.kind {
	case '[':
		return kind == "array"
	case '{':
		return kind == "object"
	case 't', 'f':
		return kind == "bool"
	case 'n':
		return kind == "null"
	}
	return kind == "number"
}
