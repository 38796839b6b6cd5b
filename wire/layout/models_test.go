package layout

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/wire"
)

func zoo(t testing.TB) *Models[uint16] {
	m := wire.Must(NewModels(Uint16(BE)))
	for _, err := range []error{
		RegisterModel(m, 1, wire.Must(New(layoutPet))), RegisterModel(m, 2, layoutAnimal(t)), RegisterModel(m, 0xffff, wire.Must(wire.For[[]string]())),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestModelErrors(t *testing.T) {
	m := zoo(t)
	var me *ModelError
	for name, test := range map[string]struct {
		err, cause error
	}{
		"an id that is taken": {RegisterModel(m, 1, wire.Must(wire.For[int]())), wire.ErrRegistered},
		"no codec":            {RegisterModel(m, 9, (*wire.Codec[int])(nil)), errNilCodec},
	} {
		if !errors.Is(test.err, test.cause) || !errors.As(test.err, &me) {
			t.Errorf("%s: %v", name, test.err)
		}
	}
	// For unknown types and ids nothing is written or consumed.
	got, err := AppendModel(m, []byte("kept"), new(float64))
	if !errors.Is(err, wire.ErrUnregistered) || !errors.As(err, &me) || me.Type != reflect.TypeFor[float64]() || string(got) != "kept" {
		t.Errorf("AppendModel: %q, %v", got, err)
	}
	if got, err = m.Append([]byte("kept"), 1.5); !errors.Is(err, wire.ErrUnregistered) || string(got) != "kept" {
		t.Errorf("Append: %q, %v", got, err)
	}
	if got, err = m.AppendAs([]byte("kept"), 7, 1.5); !errors.Is(err, wire.ErrUnregistered) || !errors.As(err, &me) || me.ID != uint16(7) || string(got) != "kept" {
		t.Errorf("AppendAs: %q, %v", got, err)
	}
	if got, err = m.AppendAs([]byte("kept"), 1, []string{}); !errors.Is(err, ErrModel) || string(got) != "kept" {
		t.Errorf("AppendAs with another's id: %q, %v", got, err)
	}
	if got, err = m.Append([]byte("kept"), (*pet)(nil)); err == nil || string(got) != "kept" {
		t.Errorf("Append of nil: %q, %v", got, err)
	}
	if got, err = m.Append([]byte("kept"), nil); err == nil || string(got) != "kept" {
		t.Errorf("Append of nothing: %q, %v", got, err)
	}
	in := []byte("\x00\x07rest")
	if _, _, rest, err := m.Decode(in); !errors.Is(err, wire.ErrUnregistered) || !errors.As(err, &me) || me.ID != uint16(7) || len(rest) != len(in) {
		t.Errorf("Decode: %q, %v", rest, err)
	}
	if rest, err := DecodeModel(m, in, new(pet)); !errors.Is(err, wire.ErrUnregistered) || len(rest) != len(in) {
		t.Errorf("DecodeModel: %q, %v", rest, err)
	}
	in = []byte("\xff\xff\x00")
	if rest, err := DecodeModel(m, in, new(pet)); !errors.Is(err, ErrModel) || len(rest) != len(in) {
		t.Errorf("DecodeModel into another type: %q, %v", rest, err)
	}
	d := m.NewDecoder(strings.NewReader("\xff\xff\x01\x01a\x00\x07"), 0)
	if id, v, err := d.Decode(); err != nil || id != 0xffff || !reflect.DeepEqual(v, &[]string{"a"}) {
		t.Errorf("%v, %v, %v", id, v, err)
	}
	if _, _, err := d.Decode(); !errors.Is(err, wire.ErrUnregistered) {
		t.Errorf("an unknown id in a stream: %v", err)
	}
	for range 2 {
		if _, _, err := d.Decode(); err != io.EOF {
			t.Errorf("the same unknown id again: %v", err)
		}
	}
	// A type with two ids needs AppendAs.
	if err := RegisterModel(m, 5, wire.Must(New(layoutPet))); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Append(nil, &pet{}); !errors.Is(err, ErrAmbiguous) {
		t.Errorf("two ids: %v", err)
	}
	if got, err := m.AppendAs(nil, 5, pet{}); err != nil || string(got[:2]) != "\x00\x05" {
		t.Errorf("%x, %v", got, err)
	}
}

// TestModelStreamEnds calls Decode again after each error of a stream of models. The loop must end,
// and a value whose id is registered after the error must be read.
func TestModelStreamEnds(t *testing.T) {
	whole := "\x00\x01\x03dog\x04"
	for name, test := range map[string]struct {
		stream string
		fails  error // the error at the end, instead of io.EOF
		values int
		errors int
	}{
		"whole":                 {stream: whole + whole, values: 2},
		"torn":                  {stream: whole + whole[:4], values: 1, errors: 1},
		"malformed":             {stream: "\xff\xff\x01\x81\x00" + whole, errors: 1},
		"unknown id":            {stream: whole + "\x00\x07" + whole, values: 1, errors: 1},
		"a reader that fails":   {stream: whole, fails: io.ErrClosedPipe, values: 1, errors: 1},
		"id registered in time": {stream: "\x00\x09\x0a" + whole, values: 2, errors: 1},
	} {
		m := wire.Must(NewModels(Uint16(BE)))
		for _, err := range []error{
			RegisterModel(m, 1, wire.Must(wire.For[pet]())), RegisterModel(m, 0xffff, wire.Must(wire.For[[]string]())),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		r := io.Reader(strings.NewReader(test.stream))
		if test.fails != nil {
			r = io.MultiReader(r, iotest.ErrReader(test.fails))
		}
		d := m.NewDecoder(r, 0)
		values, failures := 0, 0
		for {
			_, _, err := d.Decode()
			if err == io.EOF {
				break
			}
			if err == nil {
				values++
				continue
			}
			if failures++; failures > 9 {
				t.Fatalf("%s: the loop does not end: %v", name, err)
			}
			if errors.Is(err, wire.ErrUnregistered) && test.stream[1] == 9 {
				if err := RegisterModel(m, 9, wire.Must(wire.For[int]())); err != nil {
					t.Fatal(err)
				}
			}
		}
		if values != test.values || failures != test.errors {
			t.Errorf("%s: %d values and %d errors; want %d and %d", name, values, failures, test.values, test.errors)
		}
	}
}

// TestModelHeaders uses ids of several types, such as strings. Each id must be written as its
// layout says. An id without an encoding must be refused when it is registered.
func TestModelHeaders(t *testing.T) {
	byName := wire.Must(NewModels(SmallVarchar))
	if err := RegisterModel(byName, "n", wire.Must(wire.For[int]())); err != nil {
		t.Fatal(err)
	}
	n := 5
	data, err := AppendModel(byName, nil, &n)
	if err != nil || string(data) != "\x01n\x0a" {
		t.Errorf("%x, %v", data, err)
	}
	if id, v, rest, err := byName.Decode(data); err != nil || id != "n" || *v.(*int) != 5 || len(rest) > 0 {
		t.Errorf("%v, %v, %v", id, v, err)
	}
	if err := RegisterModel(byName, strings.Repeat("n", 256), wire.Must(wire.For[int]())); !errors.Is(err, wire.ErrTooLong) {
		t.Errorf("an id that is too long: %v", err)
	}
	if _, err := NewModels(Type[uint8]{}); err == nil {
		t.Error("the zero Type is accepted")
	}
}

func TestModelsConcurrently(t *testing.T) {
	m := zoo(t)
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range 50 {
				id := uint16(1000 + 50*k + i)
				if err := RegisterModel(m, id, wire.Must(wire.For[map[string]int]())); err != nil {
					t.Error(err)
				}
				data, err := m.AppendAs(nil, id, map[string]int{"a": i})
				if err == nil {
					data, err = m.Append(data, []string{"b"})
				}
				if err != nil {
					t.Error(err)
				}
				got, v, rest, err := m.Decode(data)
				if err != nil || got != id || (*v.(*map[string]int))["a"] != i {
					t.Error(got, v, err)
				}
				if _, err := DecodeModel(m, rest, new([]string)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// counting counts how often its one byte is decoded.
type counting struct {
	r     io.Reader
	reads int
}

func (c *counting) Read(b []byte) (int, error) {
	c.reads++
	return c.r.Read(b[:min(1, len(b))])
}

// TestModelStreamInBytes reads values from a stream that delivers one byte at a time. Each value
// may be decoded at most twice: when its first bytes have arrived, and when all have. The decoder
// must not wait for a byte after the value.
func TestModelStreamInBytes(t *testing.T) {
	m := zoo(t)
	decodes := 0
	watched := wire.Must(New(func(l *Fields, v *struct{ N int }) {
		Property(l, v, func(v *struct{ N int }) int8 { return int8(v.N) }, func(*struct{ N int }, int8) { decodes++ }, Int8)
		Field(l, &v.N, Int(LE))
	}))
	if err := RegisterModel(m, 7, wire.Must(New(func(l *Fields, v *[]struct{ N int }) { Field(l, v, Slice(LenU16LE, Struct(watched))) }))); err != nil {
		t.Fatal(err)
	}
	list := make([]struct{ N int }, 3000)
	p, a := pet{}, []string{strings.Repeat("x", 5000), "", "y"}
	data, err := m.Append(nil, &list)
	if err == nil {
		data, err = m.Append(data, p)
	}
	first := len(data)
	if err == nil {
		data, err = m.Append(data, a)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &counting{r: bytes.NewReader(data)}
	d := m.NewDecoder(c, 0)
	if _, v, err := d.Decode(); err != nil || len(*v.(*[]struct{ N int })) != 3000 {
		t.Fatal(err)
	}
	if decodes > 2*len(list) {
		t.Errorf("%d elements were decoded %d times", len(list), decodes)
	}
	if _, v, err := d.Decode(); err != nil || *v.(*pet) != p {
		t.Fatal(v, err)
	}
	if c.reads != first {
		t.Errorf("%d bytes were read, the values have %d", c.reads, first)
	}
	if _, v, err := d.Decode(); err != nil || !reflect.DeepEqual(v, &a) {
		t.Fatal(err)
	}
	if _, _, err := d.Decode(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	// Cut the stream at several offsets, let the reader fail, and exceed the limit.
	for _, n := range []int{1, 2, 3, 10, len(data) - 1} {
		d := m.NewDecoder(iotest.OneByteReader(bytes.NewReader(data[:n])), 0)
		var err error
		for err == nil {
			_, _, err = d.Decode()
		}
		var de *wire.DecodeError
		if !errors.As(err, &de) || de.Err != io.ErrUnexpectedEOF || de.Offset > int64(n) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	failing := m.NewDecoder(io.MultiReader(bytes.NewReader(data[:10]), iotest.ErrReader(io.ErrClosedPipe)), 0)
	if _, _, err := failing.Decode(); err != io.ErrClosedPipe {
		t.Errorf("the reader's error: %v", err)
	}
	small := m.NewDecoder(iotest.OneByteReader(bytes.NewReader(data)), 100)
	if _, _, err := small.Decode(); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("more than the limit: %v", err)
	}
}
