package bind

import (
	"github.com/hone-go/hone/internal/memory/mem"
)

// setPointer sets the target of a pointer. It allocates a new target, unless the target is a slice to
// append to. If s cannot be stored in a new target, setPointer sets the pointer to nil.
func (v *value) setPointer(a mem.Pointer, off uintptr, s string) error {
	target := a.Elem(off)
	if v.elem.repeats() && !target.IsNil() {
		return v.elem.set(target, 0, s)
	}
	target = a.SetNew(off, v.elem.typ)
	if err := v.elem.set(target, 0, s); err != nil {
		a.SetNil(off)
		return err
	}
	return nil
}

func (v *value) setOption(a mem.Pointer, off uintptr, s string) error {
	if s == "" && v.elem.emptyIsNone() {
		return nil
	}
	if err := v.elem.set(a, off+v.at, s); err != nil {
		return err
	}
	mem.Store(a, off+v.flag, true)
	return nil
}

// setNullable stores null for the text "null". It also stores null for an empty text if the value is a
// bool, a number, a time or a duration.
func (v *value) setNullable(a mem.Pointer, off uintptr, s string) error {
	a.Value(off, v.typ).SetZero()
	held := v.union.Nullable()
	if s == "null" || s == "" && v.elem.emptyIsNone() {
		v.union.Hold(a, off, held-1)
		return nil
	}
	if err := v.elem.set(a, off+v.union.Cases[held].Offset, s); err != nil {
		a.Value(off, v.typ).SetZero()
		return err
	}
	v.union.Hold(a, off, held)
	return nil
}

// emptyIsNone reports whether an empty string sets an option of v to None. It does for bools, numbers,
// times and durations.
func (v *value) emptyIsNone() bool {
	return v.op <= opFloat64 || v.op == opTime || v.isDuration()
}

func (v *value) isDuration() bool { return v.op == opDuration || v.op == opNanoseconds }
