package document

import (
	"iter"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/jsontext"
)

// Members returns an iterator over the members of the object v, in the order of the text. A name that
// occurs twice is visited twice. Null has no members. If v is a failure or another value, the iterator
// yields one pair, with the zero Name and a failure, so that reading the member returns the error.
//
//	for name, member := range v.Members() {
//		switch {
//		case name.Is("id"):
//			id, err = member.Int64()
func (v Value) Members() iter.Seq2[Name, Value] {
	return func(yield func(Name, Value) bool) {
		if v.Kind() != Object {
			if v.Kind() != Null {
				yield(Name{}, v.notA(Object))
			}
			return
		}
		for t, after := int(v.index)+syntax.ContainerWords, syntax.After(v.doc.words, int(v.index)); t < after; t = v.doc.after(t + 1) {
			if !yield(Name{v.at(t)}, v.at(t+1)) || !v.ok() {
				return
			}
		}
	}
}

// Elements returns an iterator over the numbers and elements of the array v. Null has no elements. If v
// is a failure or another value, the iterator yields one pair, with -1 and a failure, so that reading
// the element returns the error.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			if v.Kind() != Null {
				yield(-1, v.notA(Array))
			}
			return
		}
		i := 0
		for t, after := int(v.index)+syntax.ContainerWords, syntax.After(v.doc.words, int(v.index)); t < after; t = v.doc.after(t) {
			if !yield(i, v.at(t)) || !v.ok() {
				return
			}
			i++
		}
	}
}

// A Name is the name of a member in the text of a [Document]. The zero Name is not in a text.
type Name struct{ value Value }

// Is reports whether the name is s. It does not allocate unless the name has escapes and is long.
func (n Name) Is(s string) bool { return n.value.ok() && n.value.doc.isString(int(n.value.index), s) }

// String returns the name without quotes and escapes, in memory of its own.
func (n Name) String() string {
	s, _ := n.value.String()
	return s
}

// Append appends the name without quotes and escapes to dst, and returns the extended slice.
func (n Name) Append(dst []byte) []byte {
	dst, _ = n.value.AppendString(dst)
	return dst
}

// Raw returns the name as in the text, with quotes and escapes. It aliases the text, and must not be
// changed.
func (n Name) Raw() jsontext.Value { return n.value.Raw() }
