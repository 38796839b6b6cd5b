package decode

import (
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// scalar decodes the value at t and returns true if the value is a scalar of n's type. It also
// decodes null if null leaves the target unchanged or makes it nil. The node n may also be for a
// pointer to a scalar. If scalar returns false, it may have allocated the target of this pointer.
// It has changed nothing else, and has saved no error.
func (d *Decoder) scalar(n *Node, t int, a mem.Pointer, off uintptr) bool {
	w := d.Words[t]
	c := d.Data[w.Pos()]
	if c == 'n' {
		if n.Op == NodePointer {
			a.SetNil(off)
		} else if d.On&option.CheckMembers != 0 {
			// With CheckMembers null may be an error, which the caller reports.
			return false
		} else if n.Op <= NodeString && !d.Merges() {
			a.Value(off, n.Shape.Type).SetZero()
		}
		return n.Op <= NodeString || n.Op == NodePointer
	}
	if n.Op == NodePointer && n.Elem.Op <= NodeString {
		if c == 0 {
			// The text has a syntax error here. If the error is within a literal null, no pointer
			// may be allocated.
			return false
		}
		to := a.Elem(off)
		if to.IsNil() {
			to = a.SetNew(off, n.Shape.Elem.Type)
		}
		n, a, off = n.Elem, to, 0
	}
	switch {
	// The index has checked the syntax, so the first byte determines the kind. If the number is out
	// of range, nothing is stored, and the caller reports the error.
	case n.Op <= NodeFloat64:
		return (c == '-' || c-'0' <= 9) && StoreNumber(n.Op, d.Data, w.Pos(), w.NumberEnd(d.Data), a, off)
	case n.Op == NodeString && c == '"':
		s, ok := d.textUTF8(t)
		if ok {
			mem.Store(a, off, s)
		}
		return ok
	case n.Op == NodeBool && (c == 't' || c == 'f'):
		mem.Store(a, off, c == 't')
		return true
	}
	return false
}

// StoreNumber parses the number data[pos:end] and stores it, and reports whether op can represent
// it.
func StoreNumber(op Op, data []byte, pos, end int, a mem.Pointer, off uintptr) bool {
	switch op {
	case NodeFloat64:
		v, ok := syntax.ParseFloat(data, pos, end)
		return ok && put(a, off, v)
	case NodeFloat32:
		v, ok := syntax.ParseFloat32(data, pos, end)
		return ok && put(a, off, v)
	}
	// The operations are in the order of the kinds: signed integers first, then unsigned ones. Parse
	// all integers as 64 bits; storeInt and storeUint check the range.
	if op <= nodeInt64 {
		v, ok := syntax.ParseInt(data, pos, end)
		return ok && storeInt(op, v, a, off)
	}
	v, ok := syntax.ParseUint(data, pos, end)
	return ok && storeUint(op, v, a, off)
}

// storeInt stores v, and reports whether op can represent it.
func storeInt(op Op, v int64, a mem.Pointer, off uintptr) bool {
	switch op {
	case nodeInt64:
		return put(a, off, v)
	case nodeInt32:
		return int64(int32(v)) == v && put(a, off, int32(v))
	case nodeInt16:
		return int64(int16(v)) == v && put(a, off, int16(v))
	}
	return int64(int8(v)) == v && put(a, off, int8(v))
}

// storeUint stores v, and reports whether op can represent it.
func storeUint(op Op, v uint64, a mem.Pointer, off uintptr) bool {
	switch {
	case op == nodeUint64:
		return put(a, off, v)
	case op == nodeUint32:
		return uint64(uint32(v)) == v && put(a, off, uint32(v))
	case op == nodeUint16:
		return uint64(uint16(v)) == v && put(a, off, uint16(v))
	}
	return uint64(uint8(v)) == v && put(a, off, uint8(v))
}

// put stores v and returns true.
func put[T mem.Plain](a mem.Pointer, off uintptr, v T) bool {
	mem.Store(a, off, v)
	return true
}

// ReadUTC parses a JSON time whose zone is UTC, and reports whether it could. It fails for days after the
// 28th, so that UnmarshalJSON checks them against the length of the month.
func ReadUTC(t *time.Time, raw []byte) bool {
	if len(raw) < len(`"2006-01-02T15:04:05Z"`) || raw[0] != '"' {
		return false
	}
	date, ok1 := digitPairs(syntax.Load8(raw, 1), yearMonth, yearMonthLimits)
	clock, ok2 := digitPairs(syntax.Load8(raw, 9), dayHourMinute, dayHourMinuteLimits)
	seconds, ok3 := digitPairs(uint64(syntax.Load4(raw, 17)&0xffffff), secondOnly, secondOnlyLimits)
	year, month := int(date&0xff)*100+int(date>>16&0xff), int(date>>40&0xff)
	day, hour, minute, second := int(clock&0xff), int(clock>>24&0xff), int(clock>>48&0xff), int(seconds>>8&0xff)
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59 {
		return false
	}
	nano, ok := readFraction(raw[len(`"2006-01-02T15:04:05`):])
	if ok {
		*t = time.Date(year, time.Month(month), day, hour, minute, second, nano, time.UTC)
	}
	return ok
}

// The layouts of a time as little-endian words, and the limits for digitPairs.
const (
	yearMonth       = 0x2d30302d30303030 // "0000-00-"
	yearMonthLimits = 0x7f76767f76767676

	dayHourMinute       = 0x30303a3030543030 // "00T00:00"
	dayHourMinuteLimits = 0x76767f76767f7676

	secondOnly       = 0x30303a // ":00"
	secondOnlyLimits = 0x76767f
)

// digitPairs parses up to eight characters at once. layout has a zero for each digit. Every other character
// of text must be that of layout. limits has 0x76 for a digit, so that a difference of ten or more sets the
// high bit of its byte, and 0x7f for another character. Byte i of numbers is the number whose digits are the
// characters i and i+1.
func digitPairs(text, layout, limits uint64) (numbers uint64, ok bool) {
	digits := text ^ layout
	return digits*10 + digits>>8, ((digits+limits)|digits)&0x8080808080808080 == 0
}

// readFraction parses `Z"`, with an optional fraction of a second before the Z.
func readFraction(raw []byte) (nano int, ok bool) {
	if raw[0] == '.' {
		digits := 0
		// Read at most nine digits, because a time has nanoseconds. A tenth digit fails the check
		// for Z below, so UnmarshalJSON parses the time.
		for raw = raw[1:]; len(raw) > 0 && raw[0]-'0' <= 9 && digits < 9; raw = raw[1:] {
			nano = nano*10 + int(raw[0]-'0')
			digits++
		}
		if digits == 0 {
			return 0, false
		}
		for ; digits < 9; digits++ {
			nano *= 10
		}
	}
	return nano, string(raw) == `Z"`
}
