package measure

import (
	"math"

	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// A Measure finds the end of a value, and reads more of the stream when it reaches the end of
// the buffered data. It examines each byte once, however few bytes arrive at a time. It follows
// lengths and does not check values. It stops at a fault; the decoder then finds the same fault
// and reports it.
type Measure struct {
	*Window
	Pos   int   // position in bytes from the start of the window
	Depth int   // remaining levels of nesting
	Err   error // error of the reader
	Cause error // cause of the fault at Pos; nil if there was none

	// Budget, if not nil, is spent on everything that a decoder would allocate.
	Budget *budget.Budget
}

// fault records the cause of a fault and its position, and returns false.
func (m *Measure) fault(at int, cause error) bool {
	m.Pos, m.Cause = at, cause
	return false
}

// Value advances m.Pos past a value that s describes. ok is false after a fault, which sets Cause,
// and after an error of the reader, which sets Err.
func (m *Measure) Value(s *spec.Spec) (ok bool) {
	info := s.Form.Info()
	switch {
	case info.Nests:
		if m.Depth == 0 {
			return m.fault(m.Pos, fault.ErrDepth)
		}
		m.Depth--
		ok = m.deeper(s)
		m.Depth++
		return ok
	case info.Fixed:
		return m.skip(uint64(s.Least()))
	case info.Block:
		n, ok := m.block(s.Len)
		if ok && m.Budget != nil && !m.Budget.TakeBlock(n) {
			return m.fault(m.Pos, fault.ErrBudget)
		}
		return ok
	}
	switch s.Form {
	case spec.FormVarint, spec.FormUvarint:
		_, ok := m.uvarint()
		return ok
	case spec.FormTime:
		return m.time()
	case spec.FormTimeZone:
		if !m.skip(8) {
			return false
		}
		there, ok := m.flag()
		if ok && there {
			_, ok = m.block(scalar.LenU8)
		}
		return ok
	case spec.FormOption:
		there, ok := m.flag()
		return ok && (!there || m.Value(s.Elem))
	case spec.FormRemoved:
		spent := m.Budget
		m.Budget = nil // a decoder skips the value without allocating
		ok := m.Value(s.Elem)
		m.Budget = spent
		return ok
	}
	if s.Evolving && m.Budget == nil {
		_, ok := m.block(scalar.LenVarint)
		return ok
	}
	end := 0
	if s.Evolving {
		n, ok := m.uvarint()
		if !ok {
			return false
		}
		end = m.Pos + int(n)
	}
	for i := range s.Fields {
		if s.Fields[i].Spec.Form == spec.FormUnknown {
			return m.unknown(end - m.Pos)
		}
		if !m.Value(s.Fields[i].Spec) {
			return false
		}
	}
	return true
}

// unknown advances over the last n bytes of an evolving struct, which are fields that a newer
// version has added.
func (m *Measure) unknown(n int) bool {
	if !m.Budget.TakeBlock(n) {
		return m.fault(m.Pos, fault.ErrBudget)
	}
	return m.skip(uint64(n))
}

// deeper implements Value for the forms that count as a level of nesting.
func (m *Measure) deeper(s *spec.Spec) bool {
	switch s.Form {
	case spec.FormSlice:
		n, ok := m.len(s.Len)
		return ok && m.take(n, s.Elem.Size) && m.values(s.Elem, n)
	case spec.FormList:
		return m.take(uint64(s.Count), s.Elem.Size) && m.values(s.Elem, uint64(s.Count))
	case spec.FormArray:
		return m.values(s.Elem, uint64(s.Count))
	case spec.FormMap:
		n, ok := m.len(s.Len)
		if ok && n > 0 && m.Budget != nil && !m.Budget.TakeMap(int(n), s.Key.Size, s.Elem.Size) {
			return m.fault(m.Pos, fault.ErrBudget)
		}
		if s.Key.Least()+s.Elem.Least() == 0 {
			n = 0 // entries with an empty encoding need no loop
		}
		for ; ok && n > 0; n-- {
			ok = m.Value(s.Key) && m.Value(s.Elem)
		}
		return ok
	case spec.FormPointer:
		there, ok := m.flag()
		return ok && (!there || m.take(1, s.Elem.Size) && m.Value(s.Elem))
	case spec.FormVariant:
		tag, ok := m.byte()
		return ok && m.oneOf(s.Cases, uint64(tag), 0, fault.ErrTag)
	case spec.FormInterface:
		id, ok := m.uvarint()
		return ok && (id == 0 || m.oneOf(s.Cases, id, 1, fault.ErrUnregistered))
	}
	return m.Value(s.Elem) // FormAccessor
}

// take spends the budget, if there is one, on n values of size bytes.
func (m *Measure) take(n uint64, size uintptr) bool {
	if m.Budget != nil && n > 0 && !m.Budget.Take(int(n), size) {
		return m.fault(m.Pos, fault.ErrBudget)
	}
	return true
}

// values advances past n elements. If all elements have the same number of bytes, it skips them in
// one step.
func (m *Measure) values(elem *spec.Spec, n uint64) bool {
	least := uint64(elem.Least())
	if least == 0 || n == 0 {
		return true // elements with an empty encoding need no loop
	}
	if elem.Form.Info().Fixed {
		return n <= math.MaxUint64/least && m.skip(n*least)
	}
	for ; n > 0; n-- {
		if !m.Value(elem) {
			return false
		}
	}
	return true
}

// oneOf advances past the value of the case with the given id. held is the number of values that a
// decoder allocates for the case: 1 for an interface, 0 for a variant. unknown is the cause of the
// fault if no case has the id.
func (m *Measure) oneOf(cases []spec.Case, id, held uint64, unknown error) bool {
	for i := range cases {
		if one := &cases[i]; uint64(one.ID) == id {
			return one.Spec == nil || m.take(held, one.Spec.Size) && m.Value(one.Spec)
		}
	}
	return m.fault(m.Pos-1, unknown)
}

// time advances past a derived time, which starts with a varint and a uvarint. One loop finds the
// ends of both.
func (m *Measure) time() bool {
	for range 2 {
		if _, ok := m.uvarint(); !ok {
			return false
		}
	}
	zone, ok := m.byte()
	if ok && zone != scalar.ZoneUTC {
		_, ok = m.uvarint()
	}
	if ok && zone == scalar.ZoneNamed {
		_, ok = m.block(scalar.LenVarint)
	}
	return ok
}

// block advances past a block, which is a length n and n bytes. It returns n.
func (m *Measure) block(form scalar.Len) (int, bool) {
	n, ok := m.len(form)
	return int(n), ok && m.skip(n)
}

// len reads a length.
func (m *Measure) len(form scalar.Len) (uint64, bool) {
	if form == scalar.LenVarint {
		return m.uvarint()
	}
	at := m.Pos
	if !m.skip(uint64(scalar.Width(form))) {
		return 0, false
	}
	n, next := scalar.GetLen(m.Data(), at, form)
	if next == 0 {
		return 0, m.fault(scalar.LenFault(m.Data(), at, form))
	}
	return n, true
}

// uvarint reads a number byte by byte, since its last byte may not have arrived. A valid number has
// at most ten bytes.
func (m *Measure) uvarint() (v uint64, ok bool) {
	at := m.Pos
	for {
		b, ok := m.byte()
		if !ok {
			return 0, false
		}
		if b < 0x80 || m.Pos-at == 10 {
			v, next := scalar.Uvarint(m.Data(), at)
			if next == 0 {
				return 0, m.fault(scalar.UvarintFault(m.Data(), at))
			}
			return v, true
		}
	}
}

// byte reads one byte.
func (m *Measure) byte() (byte, bool) {
	if !m.skip(1) {
		return 0, false
	}
	return m.Data()[m.Pos-1], true
}

// flag reads a byte that must be 0 or 1.
func (m *Measure) flag() (there, ok bool) {
	b, ok := m.byte()
	if ok && b > 1 {
		return false, m.fault(m.Pos-1, fault.ErrFlag)
	}
	return b == 1, ok
}

// skip advances by n bytes. It returns true once all of them have arrived.
func (m *Measure) skip(n uint64) bool {
	for n > uint64(len(m.Data())-m.Pos) {
		if len(m.Data()) >= m.Limit {
			return m.fault(m.Pos, fault.ErrLimit)
		}
		if m.Err = m.More(); m.Err != nil {
			return false
		}
	}
	m.Pos += int(n)
	return true
}
