package program

import "math"

// A Measure walks over a value that has not arrived in full, and reads on where
// it goes past what there is: it finds the end of the value, each byte of it
// looked at once however few arrive at a time. It follows lengths and does not check
// values: at a fault it stops, and the decoder reports it.
type Measure struct {
	*Window
	Pos   int // of the walk, from the start of the window
	Depth int
	Err   error // of the reader
	Cause error // what is wrong at pos, if that is why the walk ended

	// budget, if set, is spent on what a decoder would take memory for.
	budget *budget
}

func (m *Measure) fault(at int, cause error) bool {
	m.Pos, m.Cause = at, cause
	return false
}

// Value moves behind a value of s. It is not ok at a fault, and where the reader
// ends.
func (m *Measure) Value(s *Spec) (ok bool) {
	info := &forms[s.Form]
	switch {
	case info.nests:
		if m.Depth == 0 {
			return m.fault(m.Pos, ErrDepth)
		}
		m.Depth--
		ok = m.deeper(s)
		m.Depth++
		return ok
	case info.fixed:
		return m.skip(uint64(s.least()))
	case info.block:
		n, ok := m.block(s.Len)
		if ok && m.budget != nil && !m.budget.takeBlock(n) {
			return m.fault(m.Pos, errBudget)
		}
		return ok
	}
	switch s.Form {
	case FormVarint, FormUvarint:
		_, ok := m.uvarint()
		return ok
	case FormTime:
		return m.time()
	case FormTimeZone:
		if !m.skip(8) {
			return false
		}
		there, ok := m.flag()
		if ok && there {
			_, ok = m.block(LenU8)
		}
		return ok
	case FormOption:
		there, ok := m.flag()
		return ok && (!there || m.Value(s.Elem))
	case FormRemoved:
		spent := m.budget
		m.budget = nil // nothing of it is kept
		ok := m.Value(s.Elem)
		m.budget = spent
		return ok
	}
	if s.Evolving && m.budget == nil {
		_, ok := m.block(LenVarint)
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
		if s.Fields[i].Spec.Form == FormUnknown {
			return m.unknown(end - m.Pos)
		}
		if !m.Value(s.Fields[i].Spec) {
			return false
		}
	}
	return true
}

// unknown moves behind the rest of an evolving struct, n bytes.
func (m *Measure) unknown(n int) bool {
	if !m.budget.takeBlock(n) {
		return m.fault(m.Pos, errBudget)
	}
	return m.skip(uint64(n))
}

// deeper is Value for what counts as a level of nesting.
func (m *Measure) deeper(s *Spec) bool {
	switch s.Form {
	case FormSlice:
		n, ok := m.len(s.Len)
		return ok && m.take(n, s.Elem.Size) && m.values(s.Elem, n)
	case FormList:
		return m.take(uint64(s.Count), s.Elem.Size) && m.values(s.Elem, uint64(s.Count))
	case FormArray:
		return m.values(s.Elem, uint64(s.Count))
	case FormMap:
		n, ok := m.len(s.Len)
		if ok && n > 0 && m.budget != nil && !m.budget.takeMap(int(n), s.Key.Size, s.Elem.Size) {
			return m.fault(m.Pos, errBudget)
		}
		if s.Key.least()+s.Elem.least() == 0 {
			n = 0 // entries of no bytes, however many there are
		}
		for ; ok && n > 0; n-- {
			ok = m.Value(s.Key) && m.Value(s.Elem)
		}
		return ok
	case FormPointer:
		there, ok := m.flag()
		return ok && (!there || m.take(1, s.Elem.Size) && m.Value(s.Elem))
	case FormVariant:
		tag, ok := m.byte()
		return ok && m.oneOf(s.Cases, uint64(tag), 0, ErrTag)
	case FormInterface:
		id, ok := m.uvarint()
		return ok && (id == 0 || m.oneOf(s.Cases, id, 1, ErrUnregistered))
	}
	return m.Value(s.Elem) // formAccessor
}

// take spends the budget, if there is one, on n values of size bytes.
func (m *Measure) take(n uint64, size uintptr) bool {
	if m.budget != nil && n > 0 && !m.budget.take(int(n), size) {
		return m.fault(m.Pos, errBudget)
	}
	return true
}

func (m *Measure) values(elem *Spec, n uint64) bool {
	least := uint64(elem.least())
	if least == 0 || n == 0 {
		return true // no bytes, however many there are
	}
	if forms[elem.Form].fixed {
		return n <= math.MaxUint64/least && m.skip(n*least)
	}
	for ; n > 0; n-- {
		if !m.Value(elem) {
			return false
		}
	}
	return true
}

// oneOf moves behind the case id, of which held are made: 1 or, in a variant, 0.
func (m *Measure) oneOf(cases []Case, id, held uint64, unknown error) bool {
	for i := range cases {
		if one := &cases[i]; uint64(one.ID) == id {
			return one.Spec == nil || m.take(held, one.Spec.Size) && m.Value(one.Spec)
		}
	}
	return m.fault(m.Pos-1, unknown)
}

func (m *Measure) time() bool {
	for range 2 {
		if _, ok := m.uvarint(); !ok {
			return false
		}
	}
	zone, ok := m.byte()
	if ok && zone != zoneUTC {
		_, ok = m.uvarint()
	}
	if ok && zone == zoneNamed {
		_, ok = m.block(LenVarint)
	}
	return ok
}

// block moves behind a block and returns its length.
func (m *Measure) block(form Len) (int, bool) {
	n, ok := m.len(form)
	return int(n), ok && m.skip(n)
}

func (m *Measure) len(form Len) (uint64, bool) {
	if form == LenVarint {
		return m.uvarint()
	}
	at := m.Pos
	if !m.skip(uint64(lenForms[form].width)) {
		return 0, false
	}
	n, next := getLen(m.Data(), at, form)
	if next == 0 {
		return 0, m.fault(lenFault(m.Data(), at, form))
	}
	return n, true
}

func (m *Measure) uvarint() (v uint64, ok bool) {
	at := m.Pos
	for {
		b, ok := m.byte()
		if !ok {
			return 0, false
		}
		if b < 0x80 || m.Pos-at == 10 {
			v, next := Uvarint(m.Data(), at)
			if next == 0 {
				return 0, m.fault(UvarintFault(m.Data(), at))
			}
			return v, true
		}
	}
}

func (m *Measure) byte() (byte, bool) {
	if !m.skip(1) {
		return 0, false
	}
	return m.Data()[m.Pos-1], true
}

func (m *Measure) flag() (there, ok bool) {
	b, ok := m.byte()
	if ok && b > 1 {
		return false, m.fault(m.Pos-1, ErrFlag)
	}
	return b == 1, ok
}

// skip moves on by n bytes, which are there then.
func (m *Measure) skip(n uint64) bool {
	for n > uint64(len(m.Data())-m.Pos) {
		if len(m.Data()) >= m.Limit {
			return m.fault(m.Pos, ErrLimit)
		}
		if m.Err = m.More(); m.Err != nil {
			return false
		}
	}
	m.Pos += int(n)
	return true
}
