//go:build go1.27 && goexperiment.jsonv2

package stream

import "slices"

// A Positioned is a stream that can report its position.
type Positioned interface {
	StackDepth() int
	StackIndex(i int) (Kind, int64)
	StackPointer() Pointer
}

// TrackOf returns a Track at the position of s, a stream of the standard library.
func TrackOf(s Positioned) *Track {
	t := new(Track)
	names := slices.Collect(s.StackPointer().Tokens())
	for i := range s.StackDepth() + 1 {
		if i > 0 {
			t.levels = append(t.levels, t.top)
		}
		kind, count := s.StackIndex(i)
		t.top = level{count: count}
		if kind != '{' {
			continue
		}
		t.openObject()
		if count > 0 && i <= len(names) {
			t.stack.names.last = len(t.text)
			t.text = append(t.text, names[i-1]...)
			t.stack.names.end = len(t.text)
		}
	}
	return t
}

// BeforeLast calls f as if d had not yet read its last value: during this call [Next] selects the
// value, so that f can compute its JSON pointer. The text of the value is still in the buffer. f
// must not read from d.
func (d *Decoder) BeforeLast(f func()) {
	d.top.count--
	defer func() { d.top.count++ }()
	f()
}
