package layout

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// record is the prototype of random layouts.
type record struct {
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
	LP   []pair
	M    map[string]uint8
	MI   map[uint32]string
	A    [3]uint16
	hide int64
}

type pair struct {
	X uint8
	Y int32
}

// A fieldCase is one way to lay out a field of a record. declare lays it out with the package. put
// and get are simple functions that write and read the same encoding. put returns false if the
// field has no encoding.
type fieldCase struct {
	declare func(l *Fields, p *record)
	put     func(dst []byte, p *record) (_ []byte, ok bool)
	get     func(r *slowReader, p *record)
}

// encodable returns a fieldCase for a field that always has an encoding.
func encodable(declare func(*Fields, *record), put func([]byte, *record) []byte, get func(*slowReader, *record)) fieldCase {
	return fieldCase{declare, func(dst []byte, p *record) ([]byte, bool) { return put(dst, p), true }, get}
}

// randomCase returns one way to lay out one field.
func randomCase(r *rand.Rand) fieldCase {
	o := Order(r.IntN(2))
	order := byteOrder(o)
	l, l2 := Len(r.IntN(int(LenI64BE)+1)), Len(r.IntN(int(LenI64BE)+1))
	switch r.IntN(26) {
	case 0:
		return encodable(func(f *Fields, p *record) { Field(f, &p.B, Bool) }, func(d []byte, p *record) []byte { return slowPutBool(d, p.B) }, func(r *slowReader, p *record) { p.B = r.flag() })
	case 1:
		return encodable(func(f *Fields, p *record) { Field(f, &p.I8, Int8) }, func(d []byte, p *record) []byte { return append(d, byte(p.I8)) }, func(r *slowReader, p *record) { p.I8 = int8(r.bytes(1)[0]) })
	case 2:
		return encodable(func(f *Fields, p *record) { Field(f, &p.U8, Uint8) }, func(d []byte, p *record) []byte { return append(d, p.U8) }, func(r *slowReader, p *record) { p.U8 = r.bytes(1)[0] })
	case 3:
		return encodable(func(f *Fields, p *record) { Field(f, &p.I16, Int16(o)) }, func(d []byte, p *record) []byte { return order.AppendUint16(d, uint16(p.I16)) }, func(r *slowReader, p *record) { p.I16 = int16(order.Uint16(r.bytes(2))) })
	case 4:
		return encodable(func(f *Fields, p *record) { Field(f, &p.U16, Uint16(o)) }, func(d []byte, p *record) []byte { return order.AppendUint16(d, p.U16) }, func(r *slowReader, p *record) { p.U16 = order.Uint16(r.bytes(2)) })
	case 5:
		return encodable(func(f *Fields, p *record) { Field(f, &p.I32, Int32(o)) }, func(d []byte, p *record) []byte { return order.AppendUint32(d, uint32(p.I32)) }, func(r *slowReader, p *record) { p.I32 = int32(order.Uint32(r.bytes(4))) })
	case 6:
		return encodable(func(f *Fields, p *record) { Field(f, &p.U32, Uint32(o)) }, func(d []byte, p *record) []byte { return order.AppendUint32(d, p.U32) }, func(r *slowReader, p *record) { p.U32 = order.Uint32(r.bytes(4)) })
	case 7:
		return encodable(func(f *Fields, p *record) { Field(f, &p.I64, Int64(o)) }, func(d []byte, p *record) []byte { return order.AppendUint64(d, uint64(p.I64)) }, func(r *slowReader, p *record) { p.I64 = int64(order.Uint64(r.bytes(8))) })
	case 8:
		return encodable(func(f *Fields, p *record) { Field(f, &p.U64, Uint64(o)) }, func(d []byte, p *record) []byte { return order.AppendUint64(d, p.U64) }, func(r *slowReader, p *record) { p.U64 = order.Uint64(r.bytes(8)) })
	case 9:
		return encodable(func(f *Fields, p *record) { Field(f, &p.I, Int(o)) }, func(d []byte, p *record) []byte { return order.AppendUint64(d, uint64(int64(p.I))) }, func(r *slowReader, p *record) {
			if v := int64(order.Uint64(r.bytes(8))); int64(int(v)) != v {
				panic(errSlow)
			} else {
				p.I = int(v)
			}
		})
	case 10:
		return encodable(func(f *Fields, p *record) { Field(f, &p.U, Uint(o)) }, func(d []byte, p *record) []byte { return order.AppendUint64(d, uint64(p.U)) }, func(r *slowReader, p *record) {
			if v := order.Uint64(r.bytes(8)); uint64(uint(v)) != v {
				panic(errSlow)
			} else {
				p.U = uint(v)
			}
		})
	case 11:
		return encodable(func(f *Fields, p *record) { Field(f, &p.F32, Float32(o)) }, func(d []byte, p *record) []byte { return order.AppendUint32(d, math.Float32bits(p.F32)) }, func(r *slowReader, p *record) { p.F32 = math.Float32frombits(order.Uint32(r.bytes(4))) })
	case 12:
		return encodable(func(f *Fields, p *record) { Field(f, &p.F64, Float64(o)) }, func(d []byte, p *record) []byte { return order.AppendUint64(d, math.Float64bits(p.F64)) }, func(r *slowReader, p *record) { p.F64 = math.Float64frombits(order.Uint64(r.bytes(8))) })
	case 13:
		return fieldCase{func(f *Fields, p *record) { Field(f, &p.S, String(l)) }, func(d []byte, p *record) ([]byte, bool) { return slowPutText(d, l, p.S) }, func(r *slowReader, p *record) { p.S = r.text(l) }}
	case 14:
		return fieldCase{func(f *Fields, p *record) { Field(f, &p.By, Blob(l)) }, func(d []byte, p *record) ([]byte, bool) { return slowPutText(d, l, string(p.By)) }, func(r *slowReader, p *record) { p.By = []byte(r.text(l)) }}
	case 15:
		return encodable(func(f *Fields, p *record) { Field(f, &p.T, TimeUTC) }, func(d []byte, p *record) []byte { return binary.LittleEndian.AppendUint64(d, uint64(p.T.UnixNano())) }, func(r *slowReader, p *record) {
			v := int64(binary.LittleEndian.Uint64(r.bytes(8)))
			if p.T = time.Unix(0, v).UTC(); v == (time.Time{}).UnixNano() {
				p.T = time.Time{}
			}
		})
	case 16:
		return encodable(func(f *Fields, p *record) { Field(f, &p.P, Optional(Int32(o))) }, func(d []byte, p *record) []byte {
			if d = slowPutBool(d, p.P != nil); p.P != nil {
				d = order.AppendUint32(d, uint32(*p.P))
			}
			return d
		}, func(r *slowReader, p *record) {
			if p.P = nil; r.flag() {
				p.P = ptr(int32(order.Uint32(r.bytes(4))))
			}
		})
	case 17:
		return fieldCase{func(f *Fields, p *record) { Field(f, &p.PS, Optional(String(l))) }, func(d []byte, p *record) ([]byte, bool) {
			if d = slowPutBool(d, p.PS != nil); p.PS != nil {
				return slowPutText(d, l, *p.PS)
			}
			return d, true
		}, func(r *slowReader, p *record) {
			if p.PS = nil; r.flag() {
				p.PS = ptr(r.text(l))
			}
		}}
	case 18:
		return encodable(func(f *Fields, p *record) { Field(f, &p.O, Option(Uint16(o))) }, func(d []byte, p *record) []byte {
			v, ok := p.O.Get()
			if d = slowPutBool(d, ok); ok {
				d = order.AppendUint16(d, v)
			}
			return d
		}, func(r *slowReader, p *record) {
			if p.O = mo.None[uint16](); r.flag() {
				p.O = mo.Some(order.Uint16(r.bytes(2)))
			}
		})
	case 19:
		return fieldCase{func(f *Fields, p *record) { Field(f, &p.LS, Slice(l, String(l2))) }, func(d []byte, p *record) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.LS))
			for _, s := range p.LS {
				var fits bool
				d, fits = slowPutText(d, l2, s)
				ok = ok && fits
			}
			return d, ok
		}, func(r *slowReader, p *record) {
			p.LS = make([]string, r.len(l, 1))
			for i := range p.LS {
				p.LS[i] = r.text(l2)
			}
		}}
	case 20:
		return fieldCase{func(f *Fields, p *record) { Field(f, &p.LI, Slice(l, Int16(o))) }, func(d []byte, p *record) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.LI))
			for _, v := range p.LI {
				d = order.AppendUint16(d, uint16(v))
			}
			return d, ok
		}, func(r *slowReader, p *record) {
			p.LI = make([]int16, r.len(l, 2))
			for i := range p.LI {
				p.LI[i] = int16(order.Uint16(r.bytes(2)))
			}
		}}
	case 21:
		one := wire.Must(New(func(f *Fields, p *pair) {
			Field(f, &p.X, Uint8)
			f.Skip(2)
			Field(f, &p.Y, Int32(o))
		}))
		return fieldCase{func(f *Fields, p *record) { Field(f, &p.LP, Slice(l, Struct(one))) }, func(d []byte, p *record) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.LP))
			for _, v := range p.LP {
				d = order.AppendUint32(append(d, v.X, 0, 0), uint32(v.Y))
			}
			return d, ok
		}, func(r *slowReader, p *record) {
			p.LP = make([]pair, r.len(l, 7))
			for i := range p.LP {
				b := r.bytes(7)
				p.LP[i] = pair{b[0], int32(order.Uint32(b[3:]))}
			}
		}}
	case 22:
		return fieldCase{func(f *Fields, p *record) { Field(f, &p.M, Map(l, String(l2), Uint8)) }, func(d []byte, p *record) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.M))
			for k, v := range p.M {
				var fits bool
				d, fits = slowPutText(d, l2, k)
				d, ok = append(d, v), ok && fits
			}
			return d, ok
		}, func(r *slowReader, p *record) {
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
		return fieldCase{func(f *Fields, p *record) { Field(f, &p.MI, Map(l, Uint32(o), String(l2))) }, func(d []byte, p *record) ([]byte, bool) {
			d, ok := slowPutLen(d, l, len(p.MI))
			for k, v := range p.MI {
				var fits bool
				d, fits = slowPutText(order.AppendUint32(d, k), l2, v)
				ok = ok && fits
			}
			return d, ok
		}, func(r *slowReader, p *record) {
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
		return encodable(func(f *Fields, p *record) { Field(f, &p.A, Array[[3]uint16](Uint16(o))) }, func(d []byte, p *record) []byte {
			for _, v := range p.A {
				d = order.AppendUint16(d, v)
			}
			return d
		}, func(r *slowReader, p *record) {
			for i := range p.A {
				p.A[i] = order.Uint16(r.bytes(2))
			}
		})
	}
	return encodable(func(f *Fields, p *record) {
		Property(f, p, func(p *record) int64 { return p.hide }, func(p *record, v int64) { p.hide = v }, Int64(o))
		f.Skip(3)
	}, func(d []byte, p *record) []byte { return append(order.AppendUint64(d, uint64(p.hide)), 0, 0, 0) }, func(r *slowReader, p *record) {
		p.hide = int64(order.Uint64(r.bytes(8)))
		r.bytes(3)
	})
}

// randomValue returns a record with at most one entry in each map, so that the order of entries
// is fixed.
func randomValue(r *rand.Rand) (p record) {
	text := func() string { return string(make([]byte, r.IntN(3)*r.IntN(90))) + fmt.Sprint(r.IntN(1000)) }
	p = record{
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
		p.LP = append(p.LP, pair{uint8(r.Int()), int32(r.Int())})
		if len(p.LS) < 4 {
			p.LS = append(p.LS, text())
		}
	}
	return p
}

// FuzzLayouts makes a layout from a seed. It writes values and reads bytes with the layout and with
// the simple functions, which must agree.
func FuzzLayouts(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed, []byte{1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0})
	}
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		r := rand.New(rand.NewPCG(seed, 3))
		var cases []fieldCase
		declare := func() (*wire.Codec[record], error) {
			return New(func(l *Fields, p *record) {
				for _, b := range cases {
					b.declare(l, p)
				}
			})
		}
		for range r.IntN(9) {
			cases = append(cases, randomCase(r))
			if _, err := declare(); err != nil && strings.Contains(err.Error(), "is laid out twice") {
				cases = cases[:len(cases)-1]
			}
		}
		c, err := declare()
		if err != nil {
			t.Fatal(err)
		}
		v := randomValue(r)
		fast, err := c.Append([]byte("kept"), &v)
		slow, ok := []byte("kept"), true
		for _, b := range cases {
			var fits bool
			slow, fits = b.put(slow, &v)
			ok = ok && fits
		}
		if ok != (err == nil) || ok && !bytes.Equal(fast, slow) || !ok && string(fast) != "kept" {
			t.Fatalf("%v\nfast %x\nslow %x", err, fast, slow)
		}
		if ok {
			readBack(t, c, cases, fast[4:], true)
			for n := 4; n < len(fast); n += 1 + len(fast)/50 {
				readBack(t, c, cases, fast[4:n], false)
			}
		}
		readBack(t, c, cases, data, false)
	})
}

func readBack(t *testing.T, c *wire.Codec[record], cases []fieldCase, data []byte, valid bool) {
	t.Helper()
	var fast, slow record
	err := c.Unmarshal(data, &fast)
	ok := slowly(data, func(r *slowReader) {
		for _, b := range cases {
			b.get(r, &slow)
		}
	})
	if ok != (err == nil) || valid && !ok {
		t.Fatalf("%x: %v; the oracle accepts it: %t", data, err, ok)
	}
	for _, p := range []*record{&fast, &slow} { // NaN is unequal to itself
		if p.F32 != p.F32 {
			p.F32 = 99
		}
		if p.F64 != p.F64 {
			p.F64 = 99
		}
	}
	if ok && !reflect.DeepEqual(fast, slow) {
		t.Fatalf("%x is decoded as %+v, by the oracle as %+v", data, fast, slow)
	}
}
