package locate

import (
	"errors"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// Error returns the position in data of err, an error from decoding data. It returns false if err
// has no position, or if err cannot come from data.
func Error(data []byte, err error) (Position, bool) {
	var (
		semantic  *rules.SemanticError
		syntactic *stream.SyntacticError
		typeError *rules.UnmarshalTypeError
		syntax    *rules.SyntaxError
	)
	f := finder{walk: newWalk(data)}
	switch {
	case errors.As(err, new(*rules.MarshalerError)): // err is about the output of a marshal method, not about data
		return Position{}, false
	case errors.As(err, &semantic):
		return f.semantic(semantic.ByteOffset, string(semantic.JSONPointer))
	case errors.As(err, &syntactic):
		return f.syntactic(syntactic)
	case errors.As(err, &typeError):
		return f.typeError(typeError)
	case errors.As(err, &syntax):
		return f.syntax(syntax)
	}
	return Position{}, false
}

// A finder searches for one position.
type finder struct {
	*walk
	found Position
	ok    bool
}

// setFound sets found to the position with the given offset and path.
func (f *finder) setFound(offset int, list []step) {
	f.found, f.ok = Position{Offset: offset, Pointer: pointerOf(list), Path: pathOf(list)}, true
}

// result adds the line, the column and the text to found, and returns it.
func (f *finder) result() (Position, bool) {
	if f.ok {
		f.found.place(f.data)
	}
	return f.found, f.ok
}

// broken sets found to the first invalid byte. If the text is incomplete, it sets found to the end
// of the last token.
func (f *finder) broken() {
	offset := f.pos
	if offset == len(f.data) {
		offset = len(strings.TrimRight(string(f.data), " \t\r\n"))
	}
	f.setFound(offset, f.stepsToFailure())
}

// syntax finds the position of a syntax error of encoding/json. The offset in the error is one byte
// or one escape after the invalid byte, and is wrong for an incomplete number. So the text is read
// up to the error.
func (f *finder) syntax(e *rules.SyntaxError) (Position, bool) {
	if e.Offset < 0 || e.Offset > int64(len(f.data)) {
		return Position{}, false
	}
	for {
		if _, ok := f.next(); ok {
			continue
		}
		// Unmarshal accepts only one value, so the error is at the second value.
		second := syntax.SkipSpace(f.data, f.first)
		switch {
		case f.values > 0 && second < len(f.data) && int64(second)+1 == e.Offset:
			f.setFound(second, nil)
		case f.failed && (f.pos == len(f.data) || int64(f.pos) < e.Offset):
			f.broken()
		}
		return f.result()
	}
}

// syntactic finds the position of an error of jsontext. The offset in the error is exact, except
// for incomplete numbers.
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
			f.broken() // the offset is the start of the incomplete number, but the error is at its end
			return f.result()
		case !ok:
			f.setFound(offset, f.stepsToFailure())
			return f.result()
		case t.start >= offset || t.end > offset: // the token is valid, but not allowed here
			list := f.steps(t)
			if t.start >= offset && len(list) > 0 {
				list = list[:len(list)-1]
			}
			f.setFound(offset, list)
			return f.result()
		}
	}
}

// semantic finds the value with the JSON pointer. If this value does not exist, it finds the
// innermost enclosing array or object that exists. If several members have the same name, it
// chooses the last one that starts at or before the offset, or else the first one after the offset.
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
		if t.name && int64(t.start) == offset && f.parentOnPath(t) && t.depth >= len(steps) {
			best = t.start // an error about a name may have the pointer of its object
			break
		}
		onPath := !t.name && t.depth <= len(steps) && f.parentOnPath(t) && (t.depth == 0 || f.step(t.depth-1).is(steps[t.depth-1]))
		if onPath && (t.depth > deepest || int64(t.start) <= offset) {
			best, deepest = t.start, t.depth
			if t.depth == len(steps) && int64(t.start) >= offset {
				break
			}
		}
		f.enter(t, onPath)
	}
	// Read the text again to build the path of the found value. Building a path for each candidate
	// would be slower.
	again := finder{walk: newWalk(f.data)}
	for best >= 0 {
		t, ok := again.next()
		if !ok {
			break
		}
		if t.start == best {
			again.setFound(best, again.steps(t))
			break
		}
	}
	return again.result()
}

// typeError finds the value of an UnmarshalTypeError. The offset in the error depends on the token.
// For a scalar it is the end of the token, and for an array or object the position after the
// opening bracket. For a name it is the end, or the position after the opening quotation mark. For
// some types the offset is before the value. The fields Value and Field of the error identify the
// token.
func (f *finder) typeError(e *rules.UnmarshalTypeError) (Position, bool) {
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
			f.setFound(t.start, f.steps(t))
			best = fit
		}
		if t.start > offset && !t.name {
			break // later values cannot match
		}
	}
	return f.result()
}

// fits returns a score: how well the error e matches the token t. The score is 0 if they do not
// match.
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
	if e.Field == "" {
		return fit
	}
	list := f.steps(t)
	switch pointer := pointerOf(list); {
	case strings.EqualFold(strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", "."), e.Field):
		fit += 2
	case !passes(list, e.Field):
		return 0
	}
	return fit
}

// blank reports whether data[from:to] contains only white space, commas and colons.
func (f *finder) blank(from, to int) bool {
	return len(strings.Trim(string(f.data[from:to]), " \t\r\n:,")) == 0
}

// passes reports whether the last element of the path field is the name or the index of one of the
// steps.
func passes(list []step, field string) bool {
	for _, s := range list {
		name := s.name
		if !s.object {
			name = strconv.Itoa(s.index)
		}
		n := len(field) - len(name)
		if n >= 0 && strings.EqualFold(field[n:], name) && (n == 0 || field[n-1] == '.') {
			return true
		}
	}
	return false
}

// isOf reports whether value, the field Value of an UnmarshalTypeError such as "string" or "number
// 12", can describe the token t.
func (f *finder) isOf(value string, t token) bool {
	kind, text, has := strings.Cut(value, " ")
	raw := f.data[t.start:t.end]
	switch {
	case t.kind == '"':
		if has {
			unquoted, _ := syntax.AppendUnquoted(nil, raw)
			return text == string(raw) || text == string(unquoted)
		}
		return kind == "string" || kind == "number" && t.name
	case has:
		return kind == "number" && text == string(raw)
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
