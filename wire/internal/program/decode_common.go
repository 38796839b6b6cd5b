package program

import (
	"math"
	"math/bits"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
)

// readCommon runs instructions from the one at pc on, over the value at a, and reads
// from d.in[pos:]. It returns the first instruction that it left, len(p.code) if there
// is none, and the position behind what it read.
//
// Like [Program.putCommon] it makes no calls. What is at fault, or near the end of the
// input, or takes memory that is not there yet, it leaves to [Program.read], which begins
// the instruction anew.
func (p *Program) readCommon(d *decoder, pc uint, pos int, a mem.Pointer) (uint, int) {
	in, code := d.in, p.code
	for ; pc < uint(len(code)); pc++ {
		if uint(pos) >= uint(len(in)) {
			return pc, pos
		}
		i := &code[pc]
		at := a.Add(uintptr(i.off))
		head := in[pos]
		switch i.op {
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
		case opFix16:
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
				mem.Store(at, 0, Unzigzag(uint64(head)))
				pos++
				continue
			}
		case opUint64:
			if head < 0x80 {
				mem.Store(at, 0, uint64(head))
				pos++
				continue
			}
		case opInt16, opInt32, opUint16, opUint32:
		case opRun:
			next, signed := pos, i.need
			for k := uintptr(0); k < uintptr(i.arg); k++ {
				if next >= len(in) {
					return pc, pos
				}
				v, size := uint64(in[next]), 1
				if v >= 0x80 {
					if len(in)-next < 8 {
						return pc, pos
					}
					if v, size = gather(mem.Get64(in, next)); size > 8 || v>>(7*uint(size-1)&63) == 0 {
						return pc, pos
					}
				}
				if signed&1 != 0 {
					v = uint64(Unzigzag(v))
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
			sec, size := gather(mem.Get64(in, pos))
			if size > 8 || size > 1 && sec>>(7*uint(size-1)&63) == 0 {
				return pc, pos
			}
			nanos, more := gather(mem.Get64(in, pos+size))
			if more > 8 || more > 1 && nanos>>(7*uint(more-1)&63) == 0 || nanos >= 1e9 || in[pos+size+more] != zoneUTC {
				return pc, pos
			}
			*mem.At[time.Time](at, 0) = time.Unix(Unzigzag(sec), int64(nanos)).UTC()
			pos += size + more + 1
			continue
		case opString:
			n := int(head)
			if n > shortText || n > len(in)-pos-1 {
				return pc, pos
			}
			pos++
			if n <= 1 {
				if n == 0 {
					mem.Store(at, 0, "")
				} else {
					mem.Store(at, 0, oneByte[in[pos]:][:1])
				}
				pos += n
				continue
			}
			if d.alias {
				mem.Store(at, 0, mem.String(in[pos:pos+n]))
				pos += n
				continue
			}
			s := d.shared
			if n > len(s) || n > int(d.budget) {
				return pc, pos - 1
			}
			d.budget -= budget(n)
			d.shared = s[n:]
			s = s[:n]
			end := pos + n
			switch {
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
		case opPointerTo:
			if head == 0 {
				at.SetNil(0)
				pos++
				pc++
				continue
			}
			to := at.Elem(0)
			if head > 1 || to.IsNil() || d.depth == 1 || pos+1 >= len(in) || in[pos+1] >= 0x80 {
				return pc, pos
			}
			elem := &code[pc+1]
			to = to.Add(uintptr(elem.off))
			switch v := uint64(in[pos+1]); elem.op {
			case opInt64:
				mem.Store(to, 0, Unzigzag(v))
			case opUint64:
				mem.Store(to, 0, v)
			default:
				return pc, pos
			}
			pos += 2
			pc++
			continue
		default:
			return pc, pos
		}
		v, size := uint64(head), 1
		if head >= 0x80 {
			if len(in)-pos < 8 {
				return pc, pos
			}
			if v, size = gather(mem.Get64(in, pos)); size > 8 || v>>(7*uint(size-1)&63) == 0 {
				return pc, pos
			}
		}
		switch i.op {
		case opInt64:
			mem.Store(at, 0, Unzigzag(v))
		case opUint64:
			mem.Store(at, 0, v)
		case opInt32:
			s := Unzigzag(v)
			if int64(int32(s)) != s {
				return pc, pos
			}
			mem.Store(at, 0, int32(s))
		case opInt16:
			s := Unzigzag(v)
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

// gather undoes spread: it returns the number that the varint at the start of word stands
// for, and its length; a length of 9 if it does not end in the word. Whether it is minimal is for
// the caller to see.
func gather(word uint64) (v uint64, size int) {
	ends := ^word & 0x8080_8080_8080_8080
	v = word & (ends ^ (ends - 1)) & 0x7f7f_7f7f_7f7f_7f7f
	v = v&0x007f_007f_007f_007f | v>>1&0x3f80_3f80_3f80_3f80
	v = v&0x0000_3fff_0000_3fff | v>>2&0x0fff_c000_0fff_c000
	return v&(1<<28-1) | v>>4&((1<<28-1)<<28), bits.TrailingZeros64(ends)>>3 + 1
}

// oneByte has every string of one byte.
var oneByte = func() string {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}()
