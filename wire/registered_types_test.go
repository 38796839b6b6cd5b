package wire

import (
	"errors"
	"reflect"
	"strconv"
	"sync"
	"testing"
)

type shaper interface{ area() float64 }

type square struct{ Side float64 }

func (s square) area() float64 { return s.Side * s.Side }

type circle struct{ R float64 }

func (c *circle) area() float64 { return 3 * c.R * c.R }

type drawing struct {
	Shapes []shaper
	Any    any
	Named  map[string]any
}

func shapes(t testing.TB) *Types {
	types := new(Types)
	for _, err := range []error{
		RegisterType[square](types, 1), RegisterType[*circle](types, 300), RegisterType[string](types, 2), RegisterType[[]int](types, 3),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return types
}

func TestInterfaces(t *testing.T) {
	c := Must(For[drawing](Options{Types: shapes(t)}))
	for name, test := range map[string]struct {
		v    drawing
		want string
	}{
		"nil":   {drawing{}, "\x00\x00\x00"},
		"value": {drawing{Any: "a"}, "\x00\x02\x01a\x00"},
		"slice": {drawing{Any: []int{1}}, "\x00\x03\x01\x02\x00"},
		// An id is a uvarint, and a pointer in an interface has a flag.
		"pointer": {drawing{Shapes: []shaper{&circle{2}, nil}}, "\x02\xac\x02\x01\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00"},
		"struct":  {drawing{Shapes: []shaper{square{1}}}, "\x01\x01\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00"},
		"in map":  {drawing{Named: map[string]any{"k": "v"}}, "\x00\x00\x01\x01k\x02\x01v"},
	} {
		data, err := c.Append(nil, &test.v)
		if err != nil || string(data) != test.want {
			t.Errorf("%s: %x, %v, want %x", name, data, err, test.want)
		}
		back := drawing{Any: 1, Shapes: []shaper{square{9}}}
		if err := c.Unmarshal([]byte(test.want), &back); err != nil || !reflect.DeepEqual(back, test.v) {
			t.Errorf("%s reads back as %+v, %v", name, back, err)
		}
		for n := range len(test.want) {
			if err := c.Unmarshal([]byte(test.want[:n]), new(drawing)); err == nil {
				t.Errorf("%s: %d bytes are accepted as a value", name, n)
			}
		}
	}
}

func TestInterfaceErrors(t *testing.T) {
	types := shapes(t)
	c := Must(For[drawing](Options{Types: types}))
	buf := []byte("kept")
	got, err := c.Append(buf, &drawing{Named: map[string]any{"x": 1.5}})
	var ee *EncodeError
	if !errors.As(err, &ee) || !errors.Is(err, ErrUnregistered) || ee.Path != `.Named.x` || string(got) != "kept" {
		t.Errorf("a type that is not registered: %v, %q", err, got)
	}
	var de *DecodeError
	if err := c.Unmarshal([]byte("\x00\x09"), new(drawing)); !errors.As(err, &de) || !errors.Is(err, ErrUnregistered) || de.Path != ".Any" || de.Offset != 1 {
		t.Errorf("an id that is not registered: %v", err)
	}
	if err := c.Unmarshal([]byte("\x00\x82\x00"), new(drawing)); !errors.Is(err, ErrNonMinimal) {
		t.Errorf("an id that is too long: %v", err)
	}
	// A *circle implements shaper. A string does not, though it is registered.
	if err := c.Unmarshal([]byte("\x01\x02\x01a"), new(drawing)); !errors.Is(err, ErrUnregistered) {
		t.Errorf("a string as a shape: %v", err)
	}
	var te *TypeError
	if _, err := For[drawing](); !errors.As(err, &te) || te.Path != ".Shapes[]" {
		t.Errorf("no types: %v", err)
	}
	if _, err := For[struct{ E error }](Options{Types: types}); !errors.As(err, &te) || te.Path != ".E" {
		t.Errorf("no registered type implements it: %v", err)
	}
	if err := RegisterType[chan int](types, 9); err != nil {
		t.Fatal(err)
	}
	if _, err := For[drawing](Options{Types: types}); !errors.As(err, &te) || te.Type.Kind() != reflect.Chan {
		t.Errorf("a registered type that cannot be encoded: %v", err)
	}
}

func TestRegisterType(t *testing.T) {
	types := shapes(t)
	if err := RegisterType[square](types, 1); err != nil {
		t.Errorf("the same once more: %v", err)
	}
	for name, err := range map[string]error{
		"an id that is taken":  RegisterType[int](types, 1),
		"a type that is there": RegisterType[square](types, 7),
	} {
		if !errors.Is(err, ErrRegistered) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{"0": RegisterType[int](types, 0), "an interface": RegisterType[error](types, 8)} {
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	// A later registration has no effect.
	c := Must(For[drawing](Options{Types: types}))
	if err := RegisterType[float64](types, 20); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Append(nil, &drawing{Any: 1.5}); !errors.Is(err, ErrUnregistered) {
		t.Errorf("a type registered after the codec was made: %v", err)
	}
	if _, err := Must(For[drawing](Options{Types: types})).Append(nil, &drawing{Any: 1.5}); err != nil {
		t.Error(err)
	}
}

// TestRegisterTypeConcurrently registers types while other goroutines make codecs, so that the race
// detector can find a missing lock.
func TestRegisterTypeConcurrently(t *testing.T) {
	types := shapes(t)
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range 50 {
				id := uint32(1000 + 50*k + i)
				var err error
				switch i {
				case 0:
					err = [...]func() error{
						func() error { return RegisterType[int8](types, id) }, func() error { return RegisterType[int16](types, id) },
						func() error { return RegisterType[int32](types, id) }, func() error { return RegisterType[int64](types, id) },
					}[k]()
				default:
					c := Must(For[drawing](Options{Types: types}))
					var data []byte
					if data, err = c.Append(nil, &drawing{Any: strconv.Itoa(i)}); err == nil {
						err = c.Unmarshal(data, new(drawing))
					}
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// TestTypesOrder sorts ids whose difference does not fit an int of 32 bits: the fingerprint of a
// schema must be the same on every platform.
func TestTypesOrder(t *testing.T) {
	types := new(Types)
	for _, err := range []error{RegisterType[string](types, 0xFFFFFFF0), RegisterType[bool](types, 1), RegisterType[int8](types, 0x7FFFFFFF)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s := Must(For[any](Options{Types: types})).Schema()
	if got, want := s.Fingerprint().String(), "5e58f58f4053d2d3"; got != want {
		t.Errorf("the fingerprint of %s is %s, want %s", s.Canonical(), got, want)
	}
}
