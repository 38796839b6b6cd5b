package program

import (
	"math"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/scalar"
)

// readCommon runs instructions from the one at pc on, over the value at a, and reads from
// d.in[pos:]. It returns the index of the first instruction that it did not run, or len(p.code),
// and the position after the bytes that it read.
//
// Like [Program.putCommon] it makes no calls. At a fault, near the end of the input, and where
// memory must be allocated, it returns at the start of the current instruction, and [Program.read]
// runs this instruction.
func (p *Program) readCommon(d *Decoder, pc uint, pos int, a mem.Pointer) (uint, int) {
	// Comparing unsigned numbers saves a bounds check.
	in, code := d.in, p.code
	for ; pc < uint(len(code)); pc++ {
		// Every common instruction reads at least one byte.
		if uint(pos) >= uint(len(in)) {
			return pc, pos
		}
		i := &code[pc]
		at := a.Add(uintptr(i.off))
		head := in[pos]
		switch i.op {
		// Each case either stores its value, advances pos and continues, or returns pc and pos
		// unchanged.
		case opBool:
			if head > 1 {
				return pc, pos
			}
			mem.Store(at, 0, head == 1)
			pos++
			continue
		case opByte:
			mem.SetBits8(at, head)
			pos++
			continue
		// Any bytes are a valid number of a fixed width.
		case opFix16:
			// The subtraction cannot overflow: pos is at most the length of the input.
			if len(in)-pos < 2 {
				return pc, pos
			}
			mem.SetBits16(at, uint16(head)|uint16(in[pos+1])<<8)
			pos += 2
			continue
		case opFix32:
			if len(in)-pos < 4 {
				return pc, pos
			}
			mem.SetBits32(at, mem.Get32(in, pos))
			pos += 4
			continue
		case opFix64:
			if len(in)-pos < 8 {
				return pc, pos
			}
			mem.SetBits64(at, mem.Get64(in, pos))
			pos += 8
			continue
		case opInt64:
			if head < 0x80 {
				mem.Store(at, 0, scalar.Unzigzag(uint64(head)))
				pos++
				continue
			}
		case opUint64:
			if head < 0x80 {
				mem.Store(at, 0, uint64(head))
				pos++
				continue
			}
		// These ops share the code after the switch.
		case opInt16, opInt32, opUint16, opUint32:
		// At a fault pos stays at the start of the run. Program.read then decodes the run again,
		// and overwrites the numbers that were stored.
		case opRun:
			next, signed := pos, i.need
			for k := uintptr(0); k < uintptr(i.arg); k++ {
				if next >= len(in) {
					return pc, pos
				}
				v, size := uint64(in[next]), 1
				if v >= 0x80 {
					// A varint is read as a word of eight bytes. Near the end of the input,
					// Program.read handles the run, byte by byte.
					if len(in)-next < 8 {
						return pc, pos
					}
					// Program.read handles varints of more than eight bytes, and refuses a last
					// byte of zero.
					if v, size = scalar.Gather(mem.Get64(in, next)); size > 8 || v>>(7*uint(size-1)&63) == 0 {
						return pc, pos
					}
				}
				if signed&1 != 0 {
					v = uint64(scalar.Unzigzag(v))
				}
				signed >>= 1
				mem.SetBits64(at.Add(8*k), v)
				next += size
			}
			pos = next
			continue
		case opTime:
			if len(in)-pos < 17 { // two words and a byte
				return pc, pos
			}
			sec, size := scalar.Gather(mem.Get64(in, pos))
			if size > 8 || size > 1 && sec>>(7*uint(size-1)&63) == 0 {
				return pc, pos
			}
			// The first number has at most eight bytes, so the 17 bytes contain both words and
			// the zone.
			nanos, more := scalar.Gather(mem.Get64(in, pos+size))
			if more > 8 || more > 1 && nanos>>(7*uint(more-1)&63) == 0 || nanos >= 1e9 || in[pos+size+more] != scalar.ZoneUTC {
				return pc, pos
			}
			*mem.At[time.Time](at, 0) = time.Unix(scalar.Unzigzag(sec), int64(nanos)).UTC()
			pos += size + more + 1
			continue
		// Short strings share a block of memory, and this string takes the next bytes of the block.
		// Program.read allocates the block.
		case opString:
			n := int(head)
			// A first byte below 128 is the length. The first byte of a longer length is at least
			// 128, which is more than shortText. Program.read handles long strings.
			if n > shortText || n > len(in)-pos-1 {
				return pc, pos
			}
			pos++
			if n <= 1 {
				if n == 0 {
					mem.Store(at, 0, "")
				} else {
					mem.Store(at, 0, oneByte[in[pos]:][:1]) // no allocation
				}
				pos += n
				continue
			}
			// An aliased string needs no memory and no budget.
			if d.alias {
				mem.Store(at, 0, mem.String(in[pos:pos+n]))
				pos += n
				continue
			}
			// If the block has too few bytes left, Program.read allocates a new one.
			s := d.shared
			if n > len(s) || n > int(d.Budget) {
				return pc, pos - 1
			}
			// From here on nothing can fail.
			d.Budget -= budget.Budget(n)
			d.shared = s[n:]
			s = s[:n]
			end := pos + n
			switch {
			// Two overlapping copies of 16 or 8 bytes need no loop and no call. n is at most
			// shortText.
			case n > 16:
				mem.Put64(s, 0, mem.Get64(in, pos))
				mem.Put64(s, 8, mem.Get64(in, pos+8))
				mem.Put64(s, n-16, mem.Get64(in, end-16))
				mem.Put64(s, n-8, mem.Get64(in, end-8))
			case n >= 8:
				mem.Put64(s, 0, mem.Get64(in, pos))
				mem.Put64(s, n-8, mem.Get64(in, end-8))
			case n >= 4:
				mem.Put32(s, 0, mem.Get32(in, pos))
				mem.Put32(s, n-4, mem.Get32(in, end-4))
			default:
				mem.Put8(s, 0, in[pos])
				mem.Put8(s, n>>1, in[pos+n>>1])
				mem.Put8(s, n-1, in[end-1])
			}
			mem.Store(at, 0, mem.String(s))
			pos = end
			continue
		case opOption, opOptionFix64, opOptionUint64:
			if head > 1 {
				return pc, pos
			}
			if head == 1 {
				mem.Store(at, 0, true)
				pos++
				continue
			}
			// Clearing an old value needs its type, so Program.read handles it.
			if mem.Load[bool](at, 0) {
				return pc, pos
			}
			if i.op == opOption {
				pc += uint(i.arg)
			} else {
				pc++
			}
			pos++
			continue
		// This case handles a nil pointer, and an integer of one byte for a pointer that already
		// has a target. Program.read handles all other cases.
		case opPointerTo:
			if head == 0 {
				at.SetNil(0)
				pos++
				pc++
				continue
			}
			// Program.read allocates targets. An old target spends the budget too: see Decoder.pointee.
			to := at.Elem(0)
			if head > 1 || to.IsNil() || d.depth == 1 || d.Budget < 8 || pos+1 >= len(in) || in[pos+1] >= 0x80 {
				return pc, pos
			}
			elem := &code[pc+1]
			to = to.Add(uintptr(elem.off))
			switch v := uint64(in[pos+1]); elem.op {
			case opInt64:
				mem.Store(to, 0, scalar.Unzigzag(v))
			case opUint64:
				mem.Store(to, 0, v)
			default:
				return pc, pos
			}
			d.Budget -= 8
			pos += 2
			pc++
			continue
		default:
			return pc, pos
		}
		// The remaining ops decode one varint. Most varints have one byte. A longer varint of up to
		// eight bytes fits a word.
		v, size := uint64(head), 1
		if head >= 0x80 {
			if len(in)-pos < 8 {
				return pc, pos
			}
			if v, size = scalar.Gather(mem.Get64(in, pos)); size > 8 || v>>(7*uint(size-1)&63) == 0 {
				return pc, pos
			}
		}
		switch i.op {
		case opInt64:
			mem.Store(at, 0, scalar.Unzigzag(v))
		case opUint64:
			mem.Store(at, 0, v)
		case opInt32:
			s := scalar.Unzigzag(v)
			if int64(int32(s)) != s {
				return pc, pos
			}
			mem.Store(at, 0, int32(s))
		case opInt16:
			s := scalar.Unzigzag(v)
			if int64(int16(s)) != s {
				return pc, pos
			}
			mem.Store(at, 0, int16(s))
		case opUint32:
			if v > math.MaxUint32 {
				return pc, pos
			}
			mem.Store(at, 0, uint32(v))
		case opUint16:
			if v > math.MaxUint16 {
				return pc, pos
			}
			mem.Store(at, 0, uint16(v))
		}
		pos += size
	}
	return pc, pos
}

// oneByte contains all bytes in order: oneByte[b:][:1] is the string of the byte b.
var oneByte = func() string {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}()
