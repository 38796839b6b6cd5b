package document

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
)

// An Edit is a text with changes. The changes are made in the order of the calls, and each sees the result
// of the earlier ones: a pointer may lead into a value that an earlier call has set, and counts the elements
// that earlier calls have left. A call that returns an error changes nothing.
//
// [Edit.Append] writes the text. Everything that is not changed keeps its bytes, such as the order of
// members, white space, comments (see [Options.AllowComments]) and the digits of numbers. A new member or
// element gets the white space of its neighbors. A comment is removed with the member or element that it is
// before, or that it follows on the same line.
//
// An Edit takes memory for the members and elements of each array and object that a pointer has led
// through, 16 bytes for each. It is not safe for concurrent use.
type Edit struct {
	doc           *Document
	generation    uint32 // of the text of doc
	root          *node
	before, after []byte // the space around the root
	comments      bool   // the text may have comments
	deep          bool   // the result may nest too deeply
}

// Edit returns a new Edit of the text of d. It does not change d. The text must not change while the Edit is
// in use. If d parses another text, all calls of the Edit return an error with [ErrNoValue].
func (d *Document) Edit() *Edit {
	if len(d.words) == 0 {
		return &Edit{}
	}
	return &Edit{doc: d, generation: d.generation, root: &node{source: d}, before: d.text(0, d.words[0].Pos()), after: d.text(d.end(0), len(d.data)), comments: d.commented != nil}
}

// Set sets the value to which the JSON pointer (RFC 6901) leads. It replaces a member or an element, or adds a
// member that is missing, at the end of its object. The token "-" adds an element at the end of an array. If
// a name occurs several times, the last member is replaced, and the others are removed. The pointer must be
// valid UTF-8.
//
// A value that is a [Value], [jsontext.Value] or [json.RawMessage] keeps its text, which must be one
// valid JSON value. Other values are encoded by package json without escapes for HTML. Set copies the
// text.
func (e *Edit) Set(pointer string, value any) error {
	n, err := nodeOf(value)
	if err != nil {
		return err
	}
	return e.put(pointer, n, false)
}

// Insert is like [Edit.Set], but a value for an array is inserted before the element to which the pointer
// leads. The number of elements, or "-", inserts at the end.
func (e *Edit) Insert(pointer string, value any) error {
	n, err := nodeOf(value)
	if err != nil {
		return err
	}
	return e.put(pointer, n, true)
}

// Delete removes the member or the element to which the pointer leads. If a name occurs several times, all
// its members are removed. The root cannot be removed.
func (e *Edit) Delete(pointer string) error {
	_, err := e.take(pointer)
	return err
}

// Append appends the edited text to dst, and returns the extended slice. On error it returns dst
// unchanged. The error wraps [ErrDepth] if arrays and objects are nested too deeply now.
func (e *Edit) Append(dst []byte) ([]byte, error) {
	if !e.ok() {
		return dst, noText()
	}
	out, ok := e.root.append(append(dst, e.before...), 0)
	out = append(out, e.after...)
	if ok && e.deep {
		check := out[len(dst):]
		if e.comments {
			check = bytes.Clone(check)
			blankComments(check)
		}
		ok = syntax.Valid(check)
	}
	if !ok {
		return dst, &Error{Offset: -1, Err: ErrDepth}
	}
	return out, nil
}

// ok reports whether the Document still has the text of e.
func (e *Edit) ok() bool { return e.doc != nil && e.generation == e.doc.generation }

// nodeOf returns the node of a value that an edit sets.
func nodeOf(value any) (*node, error) {
	if v, ok := value.(Value); ok {
		if !v.ok() {
			return nil, v.failed()
		}
		return &node{raw: bytes.Clone(v.Raw())}, nil
	}
	text, ok := rawText(value)
	if !ok {
		text, err := json.Config{NoEscapeHTML: true}.Marshal(value)
		return &node{raw: text}, err
	}
	if !syntax.Valid(text) {
		return nil, syntaxError(text)
	}
	return &node{raw: bytes.Clone(syntax.TrimSpace(text))}, nil
}

// rawText returns the text of a value that is JSON text. From Go 1.27 on, the two types are one.
func rawText(value any) (text []byte, ok bool) {
	if text, ok := value.(json.RawMessage); ok {
		return text, true
	}
	v, ok := value.(jsontext.Value)
	return v, ok
}

// find returns the node to which a pointer leads.
func (e *Edit) find(pointer string) (*node, error) {
	if !e.ok() {
		return nil, noText()
	}
	if !validEdit(pointer) {
		return nil, &Error{Offset: -1, Err: ErrPointer, detail: ErrPointer.Error() + ": " + strings.ToValidUTF8(lastOf(pointer), "\ufffd")}
	}
	n, rest := e.root, pointer
	for rest != "" {
		var token string
		token, rest = cutToken(rest)
		c := n.expand()
		if c == nil {
			return nil, notContainer(pointer[:len(pointer)-len(rest)], token, n)
		}
		i := c.index(token)
		if i < 0 {
			return nil, missing(pointer[:len(pointer)-len(rest)], c)
		}
		n = c.node(c.at(i))
	}
	return n, nil
}

// validEdit reports whether a pointer is valid for an edit. A name that is not valid UTF-8 could be written
// only as another one.
func validEdit(pointer string) bool { return validPointer(pointer) && utf8.ValidString(pointer) }

// parent returns the array or object that has the place to which a pointer leads, and the last token. The
// pointer must not be empty.
func (e *Edit) parent(pointer string) (*container, string, error) {
	if !validEdit(pointer) {
		_, err := e.find(pointer)
		return nil, "", err
	}
	i := strings.LastIndexByte(pointer, '/')
	n, err := e.find(pointer[:i])
	if err != nil {
		return nil, "", err
	}
	token, _ := cutToken(pointer[i:])
	c := n.expand()
	if c == nil {
		return nil, "", notContainer(pointer, token, n)
	}
	return c, token, nil
}

// put implements Set and Insert.
func (e *Edit) put(pointer string, n *node, insert bool) error {
	if !e.ok() {
		return noText()
	}
	// Each level of nesting takes two bytes. Only a value that is long enough for too many levels needs a check.
	e.deep = e.deep || n.open != nil || strings.Count(pointer, "/")+n.length()/2 > syntax.MaxDepth
	if pointer == "" {
		e.root = n
		return nil
	}
	c, token, err := e.parent(pointer)
	if err != nil {
		return err
	}
	if c.object {
		c.set(token, n)
		return nil
	}
	i, ok := arrayIndex(token)
	if token == "-" {
		i, ok = c.live, true
	}
	switch {
	case !ok || i > c.live || i == c.live && !insert && token != "-":
		return missing(pointer, c)
	case insert || i == c.live:
		c.insert(i, child{value: n})
	default:
		c.at(i).value = n
	}
	return nil
}

// take removes the value to which a pointer leads, and returns it.
func (e *Edit) take(pointer string) (*node, error) {
	if pointer == "" {
		return nil, &Error{Offset: -1, Err: ErrPointer, detail: "the root cannot be removed", located: true}
	}
	c, token, err := e.parent(pointer)
	if err != nil {
		return nil, err
	}
	i := c.index(token)
	if i < 0 {
		return nil, missing(pointer, c)
	}
	n := c.node(c.at(i))
	if c.object {
		c.removeName(token)
	} else {
		c.remove(i)
	}
	return n, nil
}

// missing returns the error for a pointer to no member or element of c.
func missing(pointer string, c *container) error {
	e := &Error{Pointer: pointer, Offset: -1, Err: ErrNotFound, located: true, detail: "no such member"}
	if !c.object {
		e.detail = "no such element"
	}
	return e
}

// notContainer returns the error for a pointer, whose last token is given, into the scalar n.
func notContainer(pointer, token string, n *node) error {
	outer := pointer[:len(pointer)-len(escapeToken.Replace(token))-1]
	return &Error{
		Pointer: outer, Offset: -1, Err: ErrKind, located: true, Want: Object, Got: n.kind(),
		detail: "the value is " + withArticle(n.kind()) + ", not an array or an object",
	}
}

// noText returns the error for an Edit whose Document has no text, or another one.
func noText() error { return &Error{Offset: -1, Err: ErrNoValue} }

// quoted returns a name as a JSON string.
func quoted(name string) []byte { return slices.Clip(syntax.AppendString(nil, name, false)) }
