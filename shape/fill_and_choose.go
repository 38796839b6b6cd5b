package shape

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
)

// Fill calls set with the value inside the pointers, Options and Nullables at v, and with its
// shape. v must be addressable and have the type of s. If set returns no error, Fill stores the
// value in v.
func (s *Shape) Fill(v reflect.Value, set func(s *Shape, v reflect.Value) error) error {
	return s.fill(mem.OfPointer(v.Addr()), 0, set)
}

func (s *Shape) fill(a mem.Pointer, off uintptr, set func(*Shape, reflect.Value) error) error {
	switch {
	case s.Held() == nil:
		return set(s, a.Value(off, s.Type))
	case s.Kind == Pointer:
		target := reflect.New(s.Elem.Type)
		if err := s.Elem.fill(mem.OfPointer(target), 0, set); err != nil {
			return err
		}
		a.Value(off, s.Type).Set(target.Convert(s.Type))
	case s.Kind == Option:
		if err := s.Elem.fill(a, off+s.Value, set); err != nil {
			return err
		}
		mem.Store(a, off+s.Present, true)
	default: // a Nullable
		held := s.Union.Nullable()
		c := s.Union.Cases[held]
		if err := c.Elem.fill(a, off+c.Offset, set); err != nil {
			return err
		}
		s.Union.Hold(a, off, held)
	}
	return nil
}

// Choose sets the union that v points to to the case with index i and returns a pointer to the
// value of the case. The values of other cases must be zero.
func (u *Union) Choose(v reflect.Value, i int) any {
	a := mem.OfPointer(v)
	u.Hold(a, 0, i)
	return a.Addr(u.Cases[i].Offset, u.Cases[i].Elem.Type)
}

// Chosen returns the case held by the union that v points to, and a pointer to its value. The
// pointer is nil if the case has no value.
func (u *Union) Chosen(v reflect.Value) (i int, value any) {
	a := mem.OfPointer(v)
	i = u.Held(a, 0)
	if c := u.Cases[i]; c.Elem != nil {
		value = a.Addr(c.Offset, c.Elem.Type)
	}
	return i, value
}
