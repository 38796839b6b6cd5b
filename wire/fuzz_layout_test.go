package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/testkit"
	"github.com/hone-go/hone/mo"
)

// plot is what random layouts are laid out over.
type plot struct {
	B    bool
	I8   int8
	U8   uint8
	I16  int16
	U16  uint16
	I32  int32
	U32  uint32
	I64  int64
	U64  uint64
	I    int
	U    uint
	F32  float32
	F64  float64
	S    string
	By   []byte
	T    time.Time
	P    *int32
	PS   *string
	O    mo.Option[uint16]
	LS   []string
	LI   []int16
	LP   []plotted
	M    map[string]uint8
	MI   map[uint32]string
	A    [3]uint16
	hide int64
}

type plotted struct {
	X uint8
	Y int32
}

// A bed is one way to lay out a field of a plot: by the package, and written and
// read plainly. Put is not ok if the field's value cannot be written.
type bed struct {
	declare func(l *Fields, p *plot)
	put     func(dst []byte, p *plot) (_ []byte, ok bool)
	get     func(r *slowReader, p *plot)
}

func byteOrder(o Order) interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if o == BE {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

func slowPutLen(dst []byte, l Len, n int) (_ []byte, ok bool) {
	v := uint64(n)
	switch l {
	case LenVarint:
		return binary.AppendUvarint(dst, v), true
	case LenU8:
		return append(dst, byte(v)), v <= math.MaxUint8
	case LenI8:
		return append(dst, byte(v)), v <= math.MaxInt8
	case LenU16LE, LenU16BE:
		return byteOrder(Order(l-LenU16LE)).AppendUint16(dst, uint16(v)), v <= math.MaxUint16
	case LenI16LE, LenI16BE:
		return byteOrder(Order(l-LenI16LE)).AppendUint16(dst, uint16(v)), v <= math.MaxInt16
	case LenU32LE, LenU32BE:
		return byteOrder(Order(l-LenU32LE)).AppendUint32(dst, uint32(v)), true
	case LenI32LE, LenI32BE:
		return byteOrder(Order(l-LenI32LE)).AppendUint32(dst, uint32(v)), true
	case LenU64LE, LenU64BE:
		return byteOrder(Order(l-LenU64LE)).AppendUint64(dst, v), true
	}
	return byteOrder(Order(l-LenI64LE)).AppendUint64(dst, v), true
}

// len reads a length of what takes at least least bytes each.
func (r *slowReader) len(l Len, least int) int {
	var v uint64
	switch l {
	case LenVarint:
		v = r.uvarint()
	case LenU8:
		v = uint64(r.bytes(1)[0])
	case LenI8:
		v = uint64(int8(r.bytes(1)[0]))
	case LenU16LE, LenU16BE:
		v = uint64(byteOrder(Order(l - LenU16LE)).Uint16(r.bytes(2)))
	case LenI16LE, LenI16BE:
		v = uint64(int16(byteOrder(Order(l - LenI16LE)).Uint16(r.bytes(2))))
	case LenU32LE, LenU32BE:
		v = uint64(byteOrder(Order(l - LenU32LE)).Uint32(r.bytes(4)))
	case LenI32LE, LenI32BE:
		v = uint64(int32(byteOrder(Order(l - LenI32LE)).Uint32(r.bytes(4))))
	case LenU64LE, LenU64BE:
		v = byteOrder(Order(l - LenU64LE)).Uint64(r.bytes(8))
	default:
		v = byteOrder(Order(l - LenI64LE)).Uint64(r.bytes(8))
	}
	if v > uint64(len(r.in)/least) {
		panic(errSlow)
	}
	return int(v)
}

func slowPutBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func slowPutText(dst []byte, l Len, s string) ([]byte, bool) {
	dst, ok := slowPutLen(dst, l, len(s))
	return append(dst, s...), ok
}

func (r *slowReader) text(l Len) string { return string(r.bytes(uint64(r.len(l, 1)))) }

// always is a bed whose values can all be written.
func always(declare func(*Fields, *plot), put func([]byte, *plot) []byte, get func(*slowReader, *plot)) bed {
	return bed{declare, func(dst []byte, p *plot) ([]byte, bool) { return put(dst, p), true }, get}
}

// randomBed returns one way to lay out one field.
func randomBed(r *rand.Rand) bed {
	o := Order(r.IntN(2))
	order := byteOrder(o)
	l, l2 := Len(r.IntN(len(lenForms))), Len(r.IntN(len(lenForms)))
	switch r.IntN(26) {
	case 0:
		return always(func(f *Fields, p *plot) { Bool(f, &p.B) }, func(d []byte, p *plot) []byte { return slowPutBool(d, p.B) }, func(r *slowReader, p *plot) { p.B = r.flag() })
	case 1:
		return always(func(f *Fields, p *plot) { Int8(f, &p.I8) }, func(d []byte, p *plot) []byte { return append(d, byte(p.I8)) }, func(r *slowReader, p *plot) { p.I8 = int8(r.bytes(1)[0]) })
	case 2:
		return always(func(f *Fields, p *plot) { Uint8(f, &p.U8) }, func(d []byte, p *plot) []byte { return append(d, p.U8) }, func(r *slowReader, p *plot) { p.U8 = r.bytes(1)[0] })
	case 3:
		return always(func(f *Fields, p *plot) { Int16(f, &p.I16, o) }, func(d []byte, p *plot) []byte { return order.AppendUint16(d, uint16(p.I16)) }, func(r *slowReader, p *plot) { p.I16 = int16(order.Uint16(r.bytes(2))) })
	case 4:
		return always(func(f *Fields, p *plot) { Uint16(f, &p.U16, o) }, func(d []byte, p *plot) []byte { return order.AppendUint16(d, p.U16) }, func(r *slowReader, p *plot) { p.U16 = order.Uint16(r.bytes(2)) })
	case 5:
		return always(func(f *Fields, p *plot) { Int32(f, &p.I32, o) }, func(d []byte, p *plot) []byte { return order.AppendUint32(d, uint32(p.I32)) }, func(r *slowReader, p *plot) { p.I32 = int32(order.Uint32(r.bytes(4))) })
	case 6:
		return always(func(f *Fields, p *plot) { Uint32(f, &p.U32, o) }, func(d []byte, p *plot) []byte { return order.AppendUint32(d, p.U32) }, func(r *slowReader, p *plot) { p.U32 = order.Uint32(r.bytes(4)) })
	case 7:
		return always(func(f *Fields, p *plot) { Int64(f, &p.I64, o) }, func(d []byte, p *plot) []byte { return order.AppendUint64(d, uint64(p.I64)) }, func(r *slowReader, p *plot) { p.I64 = int64(order.Uint64(r.bytes(8))) })
	case 8:
		return always(func(f *Fields, p *plot) { Uint64(f, &p.U64, o) }, func(d []byte, p *plot) []byte { return order.AppendUint64(d, p.U64) }, func(r *slowReader, p *plot) { p.U64 = order.Uint64(r.bytes(8)) })
	case 9:
		return always(func(f *Fields, p *plot) { Int(f, &p.I, o) }, func(d []byte, p *plot) []byte { return order.AppendUint64(d, uint64(int64(p.I))) }, func(r *slowReader, p *plot) {
			if v := int64(order.Uint64(r.bytes(8))); int64(int(v)) != v {
				panic(errSlow)
			} else {
				p.I = int(v)
			}
		})
	case 10:
		return always(func(f *Fields, p *plot) { Uint(f, &p.U, o) }, func(d []byte, p *plot) []byte { return order.AppendUint64(d, uint64(p.U)) }, func(r *slowReader, p *plot) {
			if v := order.Uint64(r.bytes(8)); uint64(uint(v)) != v {
				panic(errSlow)
			} else {
				p.U = uint(v)
			}
		})
	case 11:
		return always(func(f *Fields, p *plot) { Float32(f, &p.F32, o) }, func(d []byte, p *plot) []byte { return order.AppendUint32(d, math.Float32bits(p.F32)) }, func(r *slowReader, p *plot) { p.F32 = math.Float32frombits(order.Uint32(r.bytes(4))) })
	case 12:
		return always(func(f *Fields, p *plot) { Float64(f, &p.F64, o) }, func(d []byte, p *plot) []byte { return order.AppendUint64(d, math.Float64bits(p.F64)) }, func(r *slowReader, p *plot) { p.F64 = math.Float64frombits(order.Uint64(r.bytes(8))) })
	case 13:
		return bed{func(f *Fields, p *plot) { String(f, &p.S, l) }, func(d []byte, p *plot) ([]byte, bool) { return slowPutText(d, l, p.S) }, func(r *slowReader, p *plot) { p.S = r.text(l) }}
	case 14:
		return bed{func(f *Fields, p *plot) { Blob(f, &p.By, l) }, func(d []byte, p *plot) ([]byte, bool) { return slowPutText(d, l, string(p.By)) }, func(r *slowReader, p *plot) { p.By = []byte(r.text(l)) }}
	case 15:
		return always(func(f *Fields, p *plot) { TimeUTC(f, &p.T) }, func(d []byte, p *plot) []byte { return binary.LittleEndian.AppendUint64(d, uint64(p.T.UnixNano())) }, func(r *slowReader, p *plot) {
			v := int64(binary.LittleEndian.Uint64(r.bytes(8)))
			if p.T = time.Unix(0, v).UTC(); v == (time.Time{}).UnixNano() {
				p.T = time.Time{}
			}
		})
	case 16:
		return always(func(f *Fields, p *plot) { Optional(f, &p.P, Int32Type(o)) }, func(d []byte, p *plot) []byte {
			if d = slowPutBool(d, p.P != nil); p.P != nil {
				d = order.AppendUint32(d, uint32(*p.P))
			}
			return d
		}, func(r *slowReader, p *plot) {
			if p.P = nil; r.flag() {
				p.P = ptr(int32(order.Uint32(r.bytes(4))))
			}
		})
	case 17:
		return bed{func(f *Fields, p *plot) { Optional(f, &p.PS, StringType(l)) }, func(d []byte, p *plot) ([]byte, bool) {
			if d = slowPutBool(d, p.PS != nil); p.PS != nil {
				return slowPutText(d, l, *p.PS)
			}
			return d, true
		}, func(r *slowReader, p *plot) {
			if p.PS = nil; r.flag() {
				p.PS = ptr(r.text(l))
			}
		}}
	case 18:
		return always(func(f *Fields, p *plot) { Option(f, &p.O, Uint16Type(o)) }, func(d []byte, p *plot) []byte {
			v, ok := p.O.Get()
			if d = slowPutBool(d, ok); ok {
				d = order.AppendUint16(d, v)
			}
			return d
		}, func(r *slowReader, p *plot) {
			if p.O = mo.None[uint16](); r.flag() {
				p.O = mo.Some(order.Uint16(r.bytes(2)))
			}
		})
	case 19:
		return bed{func(f *Fields, p *plot) { Slice(f, &p.LS, l, StringType(l2)) }, func(d []byte, p *plot) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.LS))
			for _, s := range p.LS {
				var fits bool
				d, fits = slowPutText(d, l2, s)
				ok = ok && fits
			}
			return d, ok
		}, func(r *slowReader, p *plot) {
			p.LS = make([]string, r.len(l, 1))
			for i := range p.LS {
				p.LS[i] = r.text(l2)
			}
		}}
	case 20:
		return bed{func(f *Fields, p *plot) { Slice(f, &p.LI, l, Int16Type(o)) }, func(d []byte, p *plot) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.LI))
			for _, v := range p.LI {
				d = order.AppendUint16(d, uint16(v))
			}
			return d, ok
		}, func(r *slowReader, p *plot) {
			p.LI = make([]int16, r.len(l, 2))
			for i := range p.LI {
				p.LI[i] = int16(order.Uint16(r.bytes(2)))
			}
		}}
	case 21:
		one := Must(Layout(func(f *Fields, p *plotted) {
			Uint8(f, &p.X)
			f.Skip(2)
			Int32(f, &p.Y, o)
		}))
		return bed{func(f *Fields, p *plot) { Slice(f, &p.LP, l, one.Type()) }, func(d []byte, p *plot) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.LP))
			for _, v := range p.LP {
				d = order.AppendUint32(append(d, v.X, 0, 0), uint32(v.Y))
			}
			return d, ok
		}, func(r *slowReader, p *plot) {
			p.LP = make([]plotted, r.len(l, 7))
			for i := range p.LP {
				b := r.bytes(7)
				p.LP[i] = plotted{b[0], int32(order.Uint32(b[3:]))}
			}
		}}
	case 22:
		return bed{func(f *Fields, p *plot) { Map(f, &p.M, l, StringType(l2), Uint8Type) }, func(d []byte, p *plot) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.M))
			for k, v := range p.M {
				var fits bool
				d, fits = slowPutText(d, l2, k)
				d, ok = append(d, v), ok && fits
			}
			return d, ok
		}, func(r *slowReader, p *plot) {
			n := r.len(l, 2)
			p.M = map[string]uint8{}
			for range n {
				p.M[r.text(l2)] = r.bytes(1)[0]
			}
			if len(p.M) != n {
				panic(errSlow)
			}
		}}
	case 23:
		return bed{func(f *Fields, p *plot) { Map(f, &p.MI, l, Uint32Type(o), StringType(l2)) }, func(d []byte, p *plot) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.MI))
			for k, v := range p.MI {
				var fits bool
				d, fits = slowPutText(order.AppendUint32(d, k), l2, v)
				ok = ok && fits
			}
			return d, ok
		}, func(r *slowReader, p *plot) {
			n := r.len(l, 5)
			p.MI = map[uint32]string{}
			for range n {
				k := order.Uint32(r.bytes(4))
				p.MI[k] = r.text(l2)
			}
			if len(p.MI) != n {
				panic(errSlow)
			}
		}}
	case 24:
		return always(func(f *Fields, p *plot) { Array(f, p.A[:], Uint16Type(o)) }, func(d []byte, p *plot) []byte {
			for _, v := range p.A {
				d = order.AppendUint16(d, v)
			}
			return d
		}, func(r *slowReader, p *plot) {
			for i := range p.A {
				p.A[i] = order.Uint16(r.bytes(2))
			}
		})
	}
	return always(func(f *Fields, p *plot) {
		Property(f, p, func(p *plot) int64 { return p.hide }, func(p *plot, v int64) { p.hide = v }, Int64Type(o))
		f.Skip(3)
	}, func(d []byte, p *plot) []byte { return append(order.AppendUint64(d, uint64(p.hide)), 0, 0, 0) }, func(r *slowReader, p *plot) {
		p.hide = int64(order.Uint64(r.bytes(8)))
		r.bytes(3)
	})
}

// randomPlot has at most one entry in a map, so that there is one order.
func randomPlot(r *rand.Rand) (p plot) {
	text := func() string { return string(make([]byte, r.IntN(3)*r.IntN(90))) + fmt.Sprint(r.IntN(1000)) }
	p = plot{
		B: r.IntN(2) == 0, I8: int8(r.Int()), U8: uint8(r.Int()), I16: int16(r.Int()), U16: uint16(r.Int()), I32: int32(r.Int()), U32: r.Uint32(),
		I64: int64(r.Uint64()), U64: r.Uint64(), I: int(r.Uint64()), U: uint(r.Uint64()), F32: float32(r.NormFloat64()), F64: r.NormFloat64(),
		S: text(), By: []byte(text()), T: time.Unix(0, int64(r.Uint64())).UTC(), A: [3]uint16{uint16(r.Int()), 1, 2}, hide: int64(r.Uint64()),
	}
	if r.IntN(2) == 0 {
		p.P, p.PS, p.O = &p.I32, ptr(text()), mo.Some(p.U16)
		p.M, p.MI = map[string]uint8{text(): p.U8}, map[uint32]string{p.U32: text()}
	}
	for range r.IntN(4) * r.IntN(60) {
		p.LI = append(p.LI, int16(r.Int()))
		p.LP = append(p.LP, plotted{uint8(r.Int()), int32(r.Int())})
		if len(p.LS) < 4 {
			p.LS = append(p.LS, text())
		}
	}
	return p
}

// FuzzLayouts makes a layout from a seed, writes values by it and plainly, and
// reads bytes both ways.
func FuzzLayouts(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed, []byte{1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0})
	}
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		r := rand.New(rand.NewPCG(seed, 3))
		beds := make([]bed, r.IntN(9))
		for i := range beds {
			beds[i] = randomBed(r)
		}
		c, err := Layout(func(l *Fields, p *plot) {
			for _, b := range beds {
				b.declare(l, p)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		v := randomPlot(r)
		fast, err := c.Append([]byte("kept"), &v)
		slow, ok := []byte("kept"), true
		for _, b := range beds {
			var fits bool
			slow, fits = b.put(slow, &v)
			ok = ok && fits
		}
		if ok != (err == nil) || ok && !bytes.Equal(fast, slow) || !ok && string(fast) != "kept" {
			t.Fatalf("%v\nfast %x\nslow %x", err, fast, slow)
		}
		if ok {
			readPlots(t, c, beds, fast[4:], true)
			for n := 4; n < len(fast); n += 1 + len(fast)/50 {
				readPlots(t, c, beds, fast[4:n], false)
			}
		}
		readPlots(t, c, beds, data, false)
	})
}

func readPlots(t *testing.T, c *Codec[plot], beds []bed, data []byte, valid bool) {
	t.Helper()
	var fast, slow plot
	err := c.Unmarshal(data, &fast)
	ok := slowly(data, func(r *slowReader) {
		for _, b := range beds {
			b.get(r, &slow)
		}
	})
	if ok != (err == nil) || valid && !ok {
		t.Fatalf("%x: %v, to the oracle it is a value: %t", data, err, ok)
	}
	for _, p := range []*plot{&fast, &slow} { // what is unequal to itself
		if p.F32 != p.F32 {
			p.F32 = 99
		}
		if p.F64 != p.F64 {
			p.F64 = 99
		}
	}
	if ok && !reflect.DeepEqual(fast, slow) {
		t.Fatalf("%x reads as %+v, to the oracle as %+v", data, fast, slow)
	}
}

// slowly reports whether read takes all of data without a fault.
func slowly(data []byte, read func(r *slowReader)) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if r != errSlow {
				panic(r)
			}
			ok = false
		}
	}()
	r := slowReader{in: data, depth: defaultDepth}
	read(&r)
	return len(r.in) == 0
}
