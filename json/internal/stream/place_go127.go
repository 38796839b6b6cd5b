//go:build go1.27 && goexperiment.jsonv2

package stream

import "slices"

// A Standing is a stream that is asked where it stands.
type Standing interface {
	StackDepth() int
	StackIndex(i int) (Kind, int64)
	StackPointer() Pointer
}

// TrackOf returns a Track that is where a stream of the standard library stands.
func TrackOf(s Standing) *Track {
	t := new(Track)
	names := slices.Collect(s.StackPointer().Tokens())
	for i := range s.StackDepth() + 1 {
		if i > 0 {
			t.levels = append(t.levels, t.top)
		}
		kind, count := s.StackIndex(i)
		t.top = level{object: kind == '{', count: count, text: len(t.text), last: -1}
		if t.top.object && count > 0 && i <= len(names) {
			t.top.last = len(t.text)
			t.text = append(t.text, names[i-1]...)
			t.top.end = len(t.text)
		}
	}
	return t
}

// BeforeLast runs f with the last value not counted, as if d stood in front of it. Nothing
// may be read then.
func (d *Decoder) BeforeLast(f func()) {
	d.top.count--
	defer func() { d.top.count++ }()
	f()
}
