package document

import (
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/jsontext"
)

// A Value is a value in the text of a [Document], or a failure: the result of a call that found no value.
// The zero Value is a failure. A Value is a few words, to be passed by value.
type Value struct {
	doc        *Document
	failure    *failure
	index      uint32 // of the value's first word
	generation uint32
}

// ok reports whether v is a value of the current text.
func (v Value) ok() bool {
	return v.failure == nil && v.doc != nil && v.generation == v.doc.generation && int(v.index) < len(v.doc.words)
}

// at returns the value at t.
func (v Value) at(t int) Value { return Value{doc: v.doc, index: uint32(t), generation: v.generation} }

// Kind returns the kind of v. It is [Invalid] if v is a failure.
func (v Value) Kind() Kind {
	if !v.ok() {
		return Invalid
	}
	return v.doc.kind(int(v.index))
}

// Exists reports whether v is a value and not a failure. Null is a value. Unlike [Value.Err], it does not
// allocate.
func (v Value) Exists() bool { return v.ok() }

// Err returns nil if v is a value, and otherwise an [*Error] that says why it is not.
func (v Value) Err() error {
	if v.ok() {
		return nil
	}
	return v.failed()
}

// Get returns the last member of the object v with this name. The name is compared exactly, with upper
// and lower case. The result is a failure with [ErrNotFound] if the member is missing, and with
// [ErrKind] if v is not an object. Get allocates for a failure only, and for the table of an object with
// many members, once.
func (v Value) Get(name string) Value {
	if member, ok := v.Lookup(name); ok {
		return member
	}
	switch v.Kind() {
	case Invalid:
		return v
	case Object:
		return v.fails(failure{err: ErrNotFound, name: name})
	}
	return v.fails(failure{err: ErrKind, want: Object})
}

// Lookup is like [Value.Get], but reports whether there is such a member instead of returning a failure.
// It suits optional members, because it does not allocate if the member is missing.
func (v Value) Lookup(name string) (Value, bool) {
	if v.Kind() != Object {
		return Value{}, false
	}
	t := v.doc.find(int(v.index), name)
	if t < 0 {
		return Value{}, false
	}
	return v.at(t), true
}

// Index returns element i of the array v, counted from 0. The result is a failure with [ErrNotFound] if
// the element is missing, and with [ErrKind] if v is not an array. It takes constant time for an array
// of scalars. For other long arrays the first call allocates a table.
func (v Value) Index(i int) Value {
	switch v.Kind() {
	case Invalid:
		return v
	case Array:
		if i < 0 || i >= v.doc.count(int(v.index)) {
			return v.fails(failure{err: ErrNotFound, element: true, index: i})
		}
		return v.at(v.doc.element(int(v.index), i))
	}
	return v.fails(failure{err: ErrKind, want: Array})
}

// Len returns the number of elements of an array, or of members of an object, where each member counts
// even if its name occurs twice. It is 0 for other values and for failures.
func (v Value) Len() int {
	switch v.Kind() {
	case Array, Object:
		return v.doc.count(int(v.index))
	}
	return 0
}

// Offset returns the position of the first byte of v in the text, or -1 if v is a failure.
func (v Value) Offset() int64 {
	if !v.ok() {
		return -1
	}
	return int64(v.doc.words[v.index].Pos())
}

// Raw returns the text of v, or nil if v is a failure. It aliases the text of the Document, and must not
// be changed. Its capacity is its length.
func (v Value) Raw() jsontext.Value {
	if !v.ok() {
		return nil
	}
	start, end := v.doc.words[v.index].Pos(), v.doc.end(int(v.index))
	return jsontext.Value(v.doc.data[start:end:end])
}

// MarshalJSON returns the text of v, so that v can be a part of a Go value that is encoded. The error is that of a
// failure.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.ok() {
		return nil, v.failed()
	}
	return v.Raw(), nil
}

// find returns the index of the value of the last member called name in the object at t, or -1.
func (d *Document) find(t int, name string) int {
	if d.count(t) > minTable {
		return d.tables.of(d, t).find(d, name)
	}
	found := -1
	words, data := d.words, d.data
	for member, after := t+syntax.ContainerWords, syntax.After(words, t); member < after; {
		// Most names are plain and of another length, which the word of the name has.
		if w := words[member]; w.IsPlain(len(name)) {
			if start := w.Pos() + 1; string(data[start:start+len(name)]) == name {
				found = member + 1
			}
		} else if (!w.Plain() || len(name) > syntax.MaxLength) && d.isString(member, name) {
			found = member + 1
		}
		member = d.after(member + 1)
	}
	return found
}

// element returns the index of element i of the array at t, which has more than i elements.
func (d *Document) element(t, i int) int {
	first := t + syntax.ContainerWords
	if syntax.After(d.words, t)-first == d.words[t].Count() {
		return first + i // each element has one word
	}
	if i >= minTable {
		first = int(d.tables.of(d, t).slots[i/elementsPerSlot])
		i %= elementsPerSlot
	}
	for ; i > 0; i-- {
		first = d.after(first)
	}
	return first
}
