package program

import (
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// shortText is the length in bytes of the longest string that the loops copy without a call of
// memmove. For short strings the call costs more than the copy.
const shortText = 32

// putCommon encodes the value at a into buf[n:]. It starts with the instruction p.code[pc].
// It returns the first instruction that it did not run, or len(p.code), and the position after
// the bytes that it wrote.
//
// It runs only instructions of common types and calls no functions, so its variables stay in
// registers. It returns at the start of an instruction if the value is long or the reserved space
// does not suffice. [Program.put] then runs that instruction.
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
		// Fixed numbers are little-endian. mem.Put16 and the like write this order on every platform.
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
		// The cases for varints set v for the code after the switch.
		case opInt16:
			v = scalar.Zigzag(int64(mem.Load[int16](at, 0)))
		case opInt32:
			v = scalar.Zigzag(int64(mem.Load[int32](at, 0)))
		case opInt64:
			v = scalar.Zigzag(mem.Load[int64](at, 0))
		case opUint16:
			v = uint64(mem.Load[uint16](at, 0))
		case opUint32:
			v = uint64(mem.Load[uint32](at, 0))
		case opUint64:
			v = mem.Load[uint64](at, 0)
		case opRun:
			// n is advanced only at the end. At a number of more than eight bytes, Program.put
			// writes the whole run again.
			next := n
			signed := in.need
			for k := uintptr(0); k < uintptr(in.arg); k++ {
				v := mem.Bits64(at.Add(8 * k))
				if signed&1 != 0 {
					v = scalar.Zigzag(int64(v))
				}
				signed >>= 1
				if v < 0x80 {
					mem.Put8(buf, next, byte(v))
					next++
					continue
				}
				if v >= scalar.Longest {
					return pc, n
				}
				word, size := scalar.Spread(v)
				mem.Put64(buf, next, word)
				next += size
			}
			n = next
			continue
		// Both numbers must fit a word of eight bytes. Only UTC is encoded without a look-up.
		case opTime:
			t := mem.At[time.Time](at, 0)
			sec := scalar.Zigzag(t.Unix())
			// Program.put writes times in other zones, and times outside this range.
			if sec >= scalar.Longest || t.Location() != time.UTC {
				return pc, n
			}
			word, size := scalar.Spread(sec)
			mem.Put64(buf, n, word)
			n += size
			// A number below 10⁹ has at most five of the eight bytes, so at least one zero byte
			// follows it.
			word, size = scalar.Spread(uint64(t.Nanosecond()))
			mem.Put64(buf, n, word) // the byte after the number is zero, which is zoneUTC
			n += size + 1
			continue
		case opString:
			s := mem.Load[string](at, 0)
			// The bytes of a string are not reserved, so check the space for the string and the run
			// after it.
			if len(s) > shortText || len(buf)-n < len(s)+10+int(in.need) {
				return pc, n
			}
			mem.Put8(buf, n, byte(len(s)))
			n++
			end := n + len(s)
			switch {
			// Two overlapping copies need no loop and no call.
			case len(s) > 16:
				mem.Copy16(buf, n, s, 0)
				mem.Copy16(buf, end-16, s, len(s)-16)
			case len(s) >= 8:
				mem.Put64(buf, n, mem.Word(s, 0))
				mem.Put64(buf, end-8, mem.Word(s, len(s)-8))
			case len(s) >= 4:
				mem.Put32(buf, n, mem.HalfWord(s, 0))
				mem.Put32(buf, end-4, mem.HalfWord(s, len(s)-4))
			// A string of at most three bytes consists of its first, middle and last byte.
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
			// The skipped instructions might have reserved the space for the next run, so check it
			// here.
			if len(buf)-n < 1+int(in.need) {
				return pc, n
			}
			mem.Put8(buf, n, 0)
			n++
			pc += uint(in.arg)
			continue
		case opOptionFix64:
			// The value is always written. The position moves past it only if it is present.
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
			// Check the number before writing the flag: Program.put runs this instruction from its
			// start if the number has more than eight bytes.
			if v = mem.Load[uint64](at, uintptr(in.arg)); v >= scalar.Longest {
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
			// The target must have one of the ops below. Program.put handles pointers to other ops,
			// and pointers at the last level of nesting: see tooDeep.
			elem := &code[pc+1]
			to = to.Add(uintptr(elem.off))
			switch elem.op {
			case opInt64:
				v = scalar.Zigzag(mem.Load[int64](to, 0))
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
			if v >= scalar.Longest {
				return pc, n
			}
			mem.Put8(buf, n, 1)
			n++
			pc++
		default:
			return pc, n
		}
		// The cases that reach this code have set v to the varint to write.
		if v < 0x80 {
			mem.Put8(buf, n, byte(v))
			n++
			continue
		}
		if v >= scalar.Longest {
			return pc, n
		}
		word, size := scalar.Spread(v)
		mem.Put64(buf, n, word)
		n += size
	}
	return pc, n
}

// tooDeep returns the index of the first instruction from pc on whose pointer is not nil, for
// the value at a. If there is none, it returns len(p.code). put calls it at the last level of
// nesting, since putCommon does not count levels.
func (p *Program) tooDeep(pc uint, a mem.Pointer) uint {
	for ; pc < uint(len(p.code)); pc++ {
		in := &p.code[pc]
		at := a.Add(uintptr(in.off))
		// All other ops either follow no pointer or count a level in put.
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
