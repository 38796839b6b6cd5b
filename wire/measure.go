package wire

import "math"

// A measure walks over a value that has not arrived in full, and reads on where
// it goes past what there is: it finds the end of the value, each byte of it
// looked at once however few arrive at a time. It knows what is long, not what is
// right: at a fault it stops, and leaves that to the decoder.
type measure struct {
	*window
	pos   int // of the walk, from the start of the window
	depth int
	err   error // of the reader
	cause error // what is wrong at pos, if that is why the walk ended
}

func (m *measure) fault(at int, cause error) bool {
	m.pos, m.cause = at, cause
	return false
}

// value moves behind a value of s. It is not ok at a fault, and where the reader
// ends.
func (m *measure) value(s *spec) (ok bool) {
	switch s.form {
	case formSlice, formArray, formList, formMap, formPointer, formVariant, formInterface, formAccessor:
		if m.depth == 0 {
			return m.fault(m.pos, ErrDepth)
		}
		m.depth--
		ok = m.deeper(s)
		m.depth++
		return ok
	case formBool, formByte:
		return m.skip(1)
	case formVarint, formUvarint:
		_, ok := m.uvarint()
		return ok
	case formFixed, formFloat:
		return m.skip(uint64(s.width))
	case formComplex:
		return m.skip(2 * uint64(s.width))
	case formText, formBytes:
		return m.block(s.len)
	case formError, formBinary, formTextual:
		return m.block(LenVarint)
	case formTime:
		return m.time()
	case formTimeUTC:
		return m.skip(8)
	case formTimeZone:
		if !m.skip(8) {
			return false
		}
		flag, ok := m.byte()
		return ok && (flag == 0 || m.block(LenU8))
	case formSkip:
		return m.skip(uint64(s.count))
	case formOption:
		flag, ok := m.byte()
		return ok && (flag == 0 || m.value(s.elem))
	}
	if s.evolving {
		return m.block(LenVarint)
	}
	for i := range s.fields {
		if !m.value(s.fields[i].spec) {
			return false
		}
	}
	return true
}

// deeper is value for what counts as a level of nesting.
func (m *measure) deeper(s *spec) bool {
	switch s.form {
	case formSlice:
		n, ok := m.len(s.len)
		return ok && m.values(s.elem, n)
	case formArray, formList:
		return m.values(s.elem, uint64(s.count))
	case formMap:
		n, ok := m.len(s.len)
		for ; ok && n > 0; n-- {
			ok = m.value(s.key) && m.value(s.elem)
		}
		return ok
	case formPointer:
		flag, ok := m.byte()
		return ok && (flag == 0 || m.value(s.elem))
	case formVariant:
		tag, ok := m.byte()
		return ok && m.oneOf(s.cases, uint64(tag), ErrTag)
	case formInterface:
		id, ok := m.uvarint()
		return ok && (id == 0 || m.oneOf(s.cases, id, ErrUnregistered))
	}
	return m.value(s.elem) // formAccessor
}

func (m *measure) values(elem *spec, n uint64) bool {
	least := uint64(elem.least())
	if least == 0 || n == 0 {
		return true // no bytes, however many there are
	}
	switch elem.form {
	case formBool, formByte, formFixed, formFloat, formComplex, formTimeUTC:
		return n <= math.MaxUint64/least && m.skip(n*least)
	}
	for ; n > 0; n-- {
		if !m.value(elem) {
			return false
		}
	}
	return true
}

func (m *measure) oneOf(cases []oneOf, id uint64, unknown error) bool {
	for i := range cases {
		if uint64(cases[i].id) == id {
			return cases[i].spec == nil || m.value(cases[i].spec)
		}
	}
	return m.fault(m.pos-1, unknown)
}

func (m *measure) time() bool {
	for range 2 {
		if _, ok := m.uvarint(); !ok {
			return false
		}
	}
	zone, ok := m.byte()
	if ok && zone != zoneUTC {
		_, ok = m.uvarint()
	}
	return ok && (zone != zoneNamed || m.block(LenVarint))
}

func (m *measure) block(form Len) bool {
	n, ok := m.len(form)
	return ok && m.skip(n)
}

func (m *measure) len(form Len) (uint64, bool) {
	if form == LenVarint {
		return m.uvarint()
	}
	at := m.pos
	if !m.skip(uint64(lenForms[form].width)) {
		return 0, false
	}
	n, next := getLen(m.data(), at, form)
	if next == 0 {
		return 0, m.fault(lenFault(m.data(), at, form))
	}
	return n, true
}

func (m *measure) uvarint() (v uint64, ok bool) {
	at := m.pos
	for {
		b, ok := m.byte()
		if !ok {
			return 0, false
		}
		if b < 0x80 || m.pos-at == 10 {
			v, next := uvarint(m.data(), at)
			if next == 0 {
				return 0, m.fault(uvarintFault(m.data(), at))
			}
			return v, true
		}
	}
}

func (m *measure) byte() (byte, bool) {
	if !m.skip(1) {
		return 0, false
	}
	return m.data()[m.pos-1], true
}

// skip moves on by n bytes, which are there then.
func (m *measure) skip(n uint64) bool {
	for n > uint64(len(m.data())-m.pos) {
		if len(m.data()) >= m.limit {
			return m.fault(m.pos, ErrLimit)
		}
		if m.err = m.more(); m.err != nil {
			return false
		}
	}
	m.pos += int(n)
	return true
}
