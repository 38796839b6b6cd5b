package locate

import (
	"errors"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// Error returns the position in data of err, an error of decoding data. It returns false if err
// has no position, or if data does not have such an error there.
func Error(data []byte, err error) (Position, bool) {
	var (
		semantic  *rules.SemanticError
		syntactic *stream.SyntacticError
		typeError *rules.UnmarshalTypeError
		syntax    *rules.SyntaxError
	)
	f := finder{walk: newWalk(data)}
	switch {
	case errors.As(err, new(*rules.MarshalerError)): // about the output of a method
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

// A finder looks for one position.
type finder struct {
	*walk
	found Position
	ok    bool
}

// at sets the position to an offset, and its path to the steps.
func (f *finder) at(offset int, list []step) {
	f.found, f.ok = Position{Offset: offset, Pointer: pointerOf(list), Path: pathOf(list)}, true
}

// result completes the position.
func (f *finder) result() (Position, bool) {
	if f.ok {
		f.found.place(f.data)
	}
	return f.found, f.ok
}

// broken sets the position to the byte where the text is invalid. If the text ends too early, it
// is the end of the last token.
func (f *finder) broken() {
	offset := f.pos
	if offset == len(f.data) {
		offset = len(strings.TrimRight(string(f.data), " \t\r\n"))
	}
	f.at(offset, f.stepsToFailure())
}

// syntax looks for an error of encoding/json. Its offset is one byte or one escape after the
// invalid byte, and wrong for a number that ends too early, so the walk finds the place.
func (f *finder) syntax(e *rules.SyntaxError) (Position, bool) {
	if e.Offset < 0 || e.Offset > int64(len(f.data)) {
		return Position{}, false
	}
	for {
		if _, ok := f.next(); ok {
			continue
		}
		// Unmarshal takes one value, so a second one is the error.
		second := syntax.SkipSpace(f.data, f.first)
		switch {
		case f.values > 0 && second < len(f.data) && int64(second)+1 == e.Offset:
			f.at(second, nil)
		case f.failed && (f.pos == len(f.data) || int64(f.pos) < e.Offset):
			f.broken()
		}
		return f.result()
	}
}

// syntactic looks for an error of jsontext, whose offset is the place of the error.
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
			f.broken() // the offset of a number that ends too early is its start
			return f.result()
		case !ok:
			f.at(offset, f.stepsToFailure())
			return f.result()
		case t.start >= offset || t.end > offset: // a valid token where none may be
			list := f.steps(t)
			if t.start >= offset && len(list) > 0 {
				list = list[:len(list)-1]
			}
			f.at(offset, list)
			return f.result()
		}
	}
}

// semantic looks for the value that the pointer leads to, or for the nearest array or object
// around it. Of several members with one name it is the one at the offset or the next one.
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
		if t.name && int64(t.start) == offset && f.around(t) && t.depth >= len(steps) {
			best = t.start // the pointer leads to the name, or to the object that has it
			break
		}
		onPath := !t.name && t.depth <= len(steps) && f.around(t) && (t.depth == 0 || f.step(t.depth-1).is(steps[t.depth-1]))
		if onPath && (t.depth > deepest || int64(t.start) <= offset) {
			best, deepest = t.start, t.depth
			if t.depth == len(steps) && int64(t.start) >= offset {
				break
			}
		}
		f.enter(t, onPath)
	}
	// A second walk makes the path, once, however many values were on the way.
	again := finder{walk: newWalk(f.data)}
	for best >= 0 {
		t, ok := again.next()
		if !ok {
			break
		}
		if t.start == best {
			again.at(best, again.steps(t))
			break
		}
	}
	return again.result()
}

// typeError looks for the value of an error of encoding/json. Its offset is after a scalar, after
// the opening bracket of an array or object, or after the quotation mark or the end of a name;
// for some types it is before the value. The description of the value and the field tell which
// token is meant.
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
			f.at(t.start, f.steps(t))
			best = fit
		}
		if t.start > offset && !t.name {
			break // the value after the offset is the last one that may be meant
		}
	}
	return f.result()
}

// fits returns how well an error fits a token, 0 if it does not.
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

// blank reports whether only white space, commas and colons are between two positions.
func (f *finder) blank(from, to int) bool {
	return len(strings.Trim(string(f.data[from:to]), " \t\r\n:,")) == 0
}

// passes reports whether the last name of the field is one of the steps.
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

// isOf reports whether an error may describe the token as value, such as "string" or "number 12".
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
