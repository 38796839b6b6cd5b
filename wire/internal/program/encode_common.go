package program

import (
	"math/bits"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
)

// shortText is the length up to which the loops copy a string themselves. A call of
// memmove costs more than that.
const shortText = 32

// putCommon runs instructions from the one at pc on, over the value at a, and writes to
// buf[n:]. It returns the first instruction that it left, len(p.code) if there is none,
// and the position behind what it wrote.
//
// It has the instructions that common types consist of, and no calls: so what it
// carries stays in registers from one instruction to the next. What needs room that
// is not there, or is long, it leaves to [Program.put].
func (p *Program) putCommon(buf []byte, pc uint, n int, a mem.Pointer) (uint, int) {
	code := p.code
	for ; pc < uint(len(code)); pc++ {
		in := &code[pc]
		at := a.Add(uintptr(in.off))
		var v uint64
		switch in.op {
		case opBool:
			n = putBool(buf, n, mem.Load[bool](at, 0))
			continue
		case opByte:
			mem.Put8(buf, n, mem.Bits8(at))
			n++
			continue
		case opFix16:
			mem.Put16(buf, n, mem.Bits16(at))
			n += 2
			continue
		case opFix32:
			mem.Put32(buf, n, mem.Bits32(at))
			n += 4
			continue
		case opFix64:
			mem.Put64(buf, n, mem.Bits64(at))
			n += 8
			continue
		case opInt16:
			v = zigzag(int64(mem.Load[int16](at, 0)))
		case opInt32:
			v = zigzag(int64(mem.Load[int32](at, 0)))
		case opInt64:
			v = zigzag(mem.Load[int64](at, 0))
		case opUint16:
			v = uint64(mem.Load[uint16](at, 0))
		case opUint32:
			v = uint64(mem.Load[uint32](at, 0))
		case opUint64:
			v = mem.Load[uint64](at, 0)
		case opRun:
			next := n
			signed := in.need
			for k := uintptr(0); k < uintptr(in.arg); k++ {
				v := mem.Bits64(at.Add(8 * k))
				if signed&1 != 0 {
					v = zigzag(int64(v))
				}
				signed >>= 1
				if v < 0x80 {
					mem.Put8(buf, next, byte(v))
					next++
					continue
				}
				if v >= longest {
					return pc, n
				}
				word, size := spread(v)
				mem.Put64(buf, next, word)
				next += size
			}
			n = next
			continue
		case opTime:
			t := mem.At[time.Time](at, 0)
			sec := zigzag(t.Unix())
			if sec >= longest || t.Location() != time.UTC {
				return pc, n
			}
			word, size := spread(sec)
			mem.Put64(buf, n, word)
			n += size
			word, size = spread(uint64(t.Nanosecond()))
			mem.Put64(buf, n, word) // with zoneUTC behind it
			n += size + 1
			continue
		case opString:
			s := mem.Load[string](at, 0)
			if len(s) > shortText || len(buf)-n < len(s)+10+int(in.need) {
				return pc, n
			}
			mem.Put8(buf, n, byte(len(s)))
			n++
			end := n + len(s)
			switch {
			case len(s) > 16:
				mem.Copy16(buf, n, s, 0)
				mem.Copy16(buf, end-16, s, len(s)-16)
			case len(s) >= 8:
				mem.Put64(buf, n, mem.Word(s, 0))
				mem.Put64(buf, end-8, mem.Word(s, len(s)-8))
			case len(s) >= 4:
				mem.Put32(buf, n, mem.HalfWord(s, 0))
				mem.Put32(buf, end-4, mem.HalfWord(s, len(s)-4))
			case len(s) > 0:
				mem.Put8(buf, n, s[0])
				mem.Put8(buf, n+len(s)>>1, s[len(s)>>1])
				mem.Put8(buf, end-1, s[len(s)-1])
			}
			n = end
			continue
		case opOption:
			if mem.Load[bool](at, 0) {
				mem.Put8(buf, n, 1)
				n++
				continue
			}
			if len(buf)-n < 1+int(in.need) {
				return pc, n
			}
			mem.Put8(buf, n, 0)
			n++
			pc += uint(in.arg)
			continue
		case opOptionFix64:
			// The value is written in any case, and overwritten if it is not there.
			there := 0
			if mem.Load[bool](at, 0) {
				there = 1
			}
			mem.Put8(buf, n, byte(there))
			mem.Put64(buf, n+1, mem.Bits64(at.Add(uintptr(in.arg))))
			n += 1 + there*8
			pc++
			continue
		case opOptionUint64:
			if !mem.Load[bool](at, 0) {
				mem.Put8(buf, n, 0)
				n++
				pc++
				continue
			}
			if v = mem.Load[uint64](at, uintptr(in.arg)); v >= longest {
				return pc, n
			}
			mem.Put8(buf, n, 1)
			n++
			pc++
		case opPointerTo:
			to := at.Elem(0)
			if to.IsNil() {
				if len(buf)-n < 1+int(in.need) {
					return pc, n
				}
				mem.Put8(buf, n, 0)
				n++
				pc++
				continue
			}
			elem := &code[pc+1]
			to = to.Add(uintptr(elem.off))
			switch elem.op {
			case opInt64:
				v = zigzag(mem.Load[int64](to, 0))
			case opUint64:
				v = mem.Load[uint64](to, 0)
			case opFix64:
				mem.Put8(buf, n, 1)
				mem.Put64(buf, n+1, mem.Bits64(to))
				n += 9
				pc++
				continue
			default:
				return pc, n
			}
			if v >= longest {
				return pc, n
			}
			mem.Put8(buf, n, 1)
			n++
			pc++
		default:
			return pc, n
		}
		if v < 0x80 {
			mem.Put8(buf, n, byte(v))
			n++
			continue
		}
		if v >= longest {
			return pc, n
		}
		word, size := spread(v)
		mem.Put64(buf, n, word)
		n += size
	}
	return pc, n
}

// tooDeep returns the first instruction from pc on that goes through a pointer, over the
// value at a; len(p.code) if none does. It is for values that must not nest deeper, as
// putCommon does not look.
func (p *Program) tooDeep(pc uint, a mem.Pointer) uint {
	for ; pc < uint(len(p.code)); pc++ {
		in := &p.code[pc]
		at := a.Add(uintptr(in.off))
		switch in.op {
		case opOption, opOptionFix64, opOptionUint64:
			if !mem.Load[bool](at, 0) {
				pc += uint(in.body())
			}
		case opPointerTo:
			if !at.Elem(0).IsNil() {
				return pc
			}
			pc++
		}
	}
	return pc
}

// longest is beyond the numbers whose varints fit a word.
const longest = 1 << 56

// spread returns the varint of v, which is less than longest, as a word whose bytes
// behind the varint are zero, and its length. In three steps halves, quarters and
// eighths move apart.
func spread(v uint64) (word uint64, size int) {
	size = (bits.Len64(v|1) + 6) * 37 >> 8 // by 7, rounded up, exact up to 64
	v = v&(1<<28-1) | v>>28<<32
	v = v&0x0000_3fff_0000_3fff | v<<2&0x3fff_0000_3fff_0000
	v = v&0x007f_007f_007f_007f | v<<1&0x7f00_7f00_7f00_7f00
	return v | 0x8080_8080_8080_8080&(1<<(8*uint(size-1)&63)-1), size
}
