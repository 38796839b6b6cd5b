package wire_test

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

// FuzzBudget generates a type and a value of it. The encoder and the decoder must count the same
// memory for the value, to the byte. A value within the default budget is encoded and decoded with
// it.
func FuzzBudget(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 8))
		typ := random.Type(r, 3, []string{""}, reflect.TypeFor[mo.Option[[400]int64]](), reflect.TypeFor[any](), reflect.TypeFor[big.Int](),
			reflect.TypeFor[struct {
				_    wire.Evolving
				A, B string
			}](),
			reflect.TypeFor[struct {
				_ wire.Evolving
				A []string
				_ wire.Removed[big.Float]
				B wire.Raw[[]string]
				wire.Unknown
			}]())
		c, err := wire.ForType(typ, wire.Options{Types: registry(t)})
		if err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		v := reflect.New(typ)
		random.Fill(r, v.Elem(), 4)
		within := func(n int) *wire.AnyCodec { return c.WithLimits(wire.Limits{Bytes: n}) }
		const most = 64 << 20
		cost := 1 + sort.Search(most, func(n int) bool {
			_, err := within(n+1).Append(nil, v.Interface())
			return err == nil
		})
		data, err := within(cost).Append(nil, v.Interface())
		if err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		if err := within(cost).Unmarshal(data, reflect.New(typ).Interface()); err != nil {
			t.Fatalf("%v: encoded within %d bytes: %v", typ, cost, err)
		}
		if cost > 1 {
			if err := within(cost-1).Unmarshal(data, reflect.New(typ).Interface()); !errors.Is(err, wire.ErrLimit) {
				t.Fatalf("%v: not encoded within %d bytes, and decoded: %v", typ, cost-1, err)
			}
		}
		byLength := 64<<10 + 256*len(data)
		for _, most := range []int{cost - 1, cost, byLength + 1} {
			if most <= 0 {
				continue
			}
			bounded := c.WithLimits(wire.Limits{AtMost: most})
			fits := cost <= min(most, byLength)
			_, err := bounded.Append(nil, v.Interface())
			if fits != (err == nil) || !fits && !errors.Is(err, wire.ErrLimit) {
				t.Fatalf("%v: %d bytes of memory, at most %d: %v", typ, cost, most, err)
			}
			err = bounded.Unmarshal(data, reflect.New(typ).Interface())
			if fits != (err == nil) || !fits && !errors.Is(err, wire.ErrLimit) {
				t.Fatalf("%v: decoded with %d bytes of memory, at most %d: %v", typ, cost, most, err)
			}
		}
		_, err = c.Append(nil, v.Interface())
		if fits := cost <= 64<<10+256*len(data); fits != (err == nil) || !fits && !errors.Is(err, wire.ErrLimit) {
			t.Fatalf("%v: %d bytes of memory for %d bytes: %v", typ, cost, len(data), err)
		}
		if err == nil {
			if err := c.Unmarshal(data, reflect.New(typ).Interface()); err != nil {
				t.Fatalf("%v: the encoding is not read: %v", typ, err)
			}
		}
	})
}

// TestBudget encodes values that need much memory for each byte. Unmarshal must read everything
// that Marshal writes. Marshal must refuse all other values with an error that names the limit to
// set.
func TestBudget(t *testing.T) {
	type wide = mo.Option[[4096]int64]
	c := wire.Must(wire.For[[]wide]())
	few, many := make([]wide, 2), make([]wide, 100)
	data, err := c.Marshal(&few)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Unmarshal(data, new([]wide)); err != nil {
		t.Fatal(err)
	}
	for name, encode := range map[string]func() error{
		"Marshal":          func() error { _, err := wire.Marshal(&many); return err },
		"Append":           func() error { _, err := wire.Append(nil, &many); return err },
		"Append with room": func() error { _, err := wire.Append(make([]byte, 0, 1<<20), &many); return err },
		"Size":             func() error { _, err := wire.Size(&many); return err },
		"Encoder":          func() error { return wire.NewEncoder(new(bytes.Buffer)).Encode(&many) },
	} {
		if err := encode(); !errors.Is(err, wire.ErrLimit) || !strings.Contains(err.Error(), "set Limits.Bytes for encoding and for decoding") {
			t.Errorf("%s: %v", name, err)
		}
	}
	large := wire.Limits{Bytes: 4 << 20}
	if data, err = c.WithLimits(large).Marshal(&many); err != nil {
		t.Fatal(err)
	}
	if err := c.Unmarshal(data, new([]wide)); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("by default: %v", err)
	}
	if err := c.WithLimits(large).Unmarshal(data, new([]wide)); err != nil {
		t.Error(err)
	}
	var stream bytes.Buffer
	e, d := wire.NewEncoder(&stream), wire.NewDecoder(&stream, 0)
	e.Limits, d.Limits = large, large
	if err := e.Encode(&many); err != nil {
		t.Error(err)
	}
	if err := d.Decode(new([]wide)); err != nil {
		t.Error(err)
	}
}

// TestBudgetCounts decodes large values of each kind within a small budget. The decoder must fail,
// and the memory that it allocates before must be proportional to the budget and not to the input.
func TestBudgetCounts(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	long := bytes.Repeat([]byte{'x'}, 9<<20)
	keys := map[uint32]uint32{}
	for i := range uint32(1_000_000) {
		keys[i] = i
	}
	for name, test := range map[string]struct {
		data func() ([]byte, error)
		into any
	}{
		"bytes":     {data: func() ([]byte, error) { return wire.Marshal(&long) }, into: new([]byte)},
		"string":    {data: func() ([]byte, error) { s := string(long); return wire.Marshal(&s) }, into: new(string)},
		"numbers":   {data: func() ([]byte, error) { return wire.Marshal(ptr(make([]float64, 1<<20))) }, into: new([]float64)},
		"strings":   {data: func() ([]byte, error) { return wire.Marshal(ptr(strings.SplitAfter(string(long), "xxxxxxxx"))) }, into: new([]string)},
		"map":       {data: func() ([]byte, error) { return wire.Marshal(&keys) }, into: new(map[uint32]uint32)},
		"a big.Int": {data: func() ([]byte, error) { return wire.Marshal(new(big.Int).SetBytes(long)) }, into: new(big.Int)},
	} {
		data, err := test.data()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c, err := wire.ForType(reflect.TypeOf(test.into).Elem(), wire.Options{Limits: wire.Limits{Bytes: 4 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = c.Unmarshal(data, test.into)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, wire.ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 6<<20 {
			t.Errorf("%s: %d bytes were allocated within a budget of 4 MiB", name, took)
		}
	}
	// The counted memory of a map is its allocated memory, except that the allocator rounds up to size
	// classes.
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := make(map[uint32]uint32, len(keys))
	runtime.ReadMemStats(&after)
	m[1] = 1
	took := int(after.TotalAlloc - before.TotalAlloc)
	data, _ := wire.Marshal(&keys)
	c := wire.Must(wire.For[map[uint32]uint32]())
	if err := c.WithLimits(wire.Limits{Bytes: took * 9 / 10}).Unmarshal(data, new(map[uint32]uint32)); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("a map of %d bytes fits nine tenths of them: %v", took, err)
	}
	if err := c.WithLimits(wire.Limits{Bytes: took * 11 / 10}).Unmarshal(data, new(map[uint32]uint32)); err != nil {
		t.Errorf("a map of %d bytes does not fit eleven tenths: %v", took, err)
	}
}

func ptr[T any](v T) *T { return &v }

// TestNoMemory encodes and decodes with a budget of zero. A struct of numbers must be accepted,
// because it needs no memory, and a slice must be refused.
func TestNoMemory(t *testing.T) {
	type flat struct {
		A int
		B [3]bool
	}
	none := wire.Limits{Bytes: -1}
	c := wire.Must(wire.For[flat](wire.Options{Limits: none}))
	data, err := c.Marshal(&flat{A: 5})
	if err == nil {
		err = c.Unmarshal(data, new(flat))
	}
	if err != nil {
		t.Error(err)
	}
	if _, err := wire.Must(wire.For[[]int](wire.Options{Limits: none})).Marshal(&[]int{1}); !errors.Is(err, wire.ErrLimit) {
		t.Error(err)
	}
}

// TestLimitsOfDepth encodes and decodes values that nest deeper than the default limit, and checks
// that a negative depth means the default.
func TestLimitsOfDepth(t *testing.T) {
	type list struct{ Next *list }
	v := new(list)
	for range 2000 {
		v = &list{v}
	}
	c := wire.Must(wire.For[list]())
	if _, err := c.WithLimits(wire.Limits{Depth: -1}).Marshal(v); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("by default: %v", err)
	}
	deep := c.WithLimits(wire.Limits{Depth: 5000})
	data, err := deep.Marshal(v)
	if err == nil {
		err = deep.Unmarshal(data, new(list))
	}
	if err != nil {
		t.Error(err)
	}
	if err := c.Unmarshal(data, new(list)); !errors.Is(err, wire.ErrDepth) {
		t.Errorf("by default: %v", err)
	}
}

// TestNegativeRecordLimit reads a stream with a negative limit, which must mean the default limit.
func TestNegativeRecordLimit(t *testing.T) {
	var stream bytes.Buffer
	if err := wire.NewEncoder(&stream).Encode(ptr("text")); err != nil {
		t.Fatal(err)
	}
	var s string
	if err := wire.NewDecoder(&stream, -1).Decode(&s); err != nil || s != "text" {
		t.Errorf("%q, %v", s, err)
	}
}
