package engine

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

// A trial is a decode into a target that stays as it was if the value does not
// fit, and whatever else went wrong before.
type trial struct {
	target, before reflect.Value
	saved          error
	savedAt        int
}

// try starts a trial. The target is cleared, and what it held is kept, if there
// is one.
func (d *Decoder) try(target reflect.Value) trial {
	t := trial{target: target, saved: d.saved, savedAt: d.savedAt}
	d.saved = nil
	if target.IsValid() && !target.IsZero() {
		t.before = reflect.New(target.Type()).Elem()
		t.before.Set(target)
		target.SetZero()
	}
	return t
}

// fits ends a trial that returned err, and reports whether nothing went wrong.
// If not, the target is what it was.
func (d *Decoder) fits(t *trial, err error) bool {
	fits := err == nil && d.saved == nil
	if t.saved != nil {
		d.saved, d.savedAt = t.saved, t.savedAt
	}
	switch {
	case fits || !t.target.IsValid():
	case t.before.IsValid():
		t.target.Set(t.before)
	default:
		t.target.SetZero()
	}
	return fits
}

// option decodes into an mo.Option a value that is not null. A value that does
// not fit leaves the Option as it was.
func (d *Decoder) option(n *Node, t int, a mem.Pointer, off uintptr) error {
	s := n.shape
	if n.elem.op <= nodeString { // which a misfit does not change
		if d.scalar(n.elem, t, a, off+s.Value) {
			mem.Store(a, off+s.Present, true)
			return nil
		}
		return d.misfitScalar(n.elem, t, mem.Pointer{}, 0)
	}
	trial := d.try(a.Value(off, s.Type))
	_, err := d.value(n.elem, t, a, off+s.Value)
	if d.fits(&trial, err) {
		mem.Store(a, off+s.Present, true)
	}
	return err
}
