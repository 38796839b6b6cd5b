package code_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/code"
	"github.com/hone-go/hone/wire/internal/program"
)

// A pair compares the generated code of a type with the engine.
type pair struct {
	name   string
	random func(t *testing.T, r *rand.Rand)
	decode func(t *testing.T, data []byte, o wire.Options)
}

// pairOf returns the pair of T.
func pairOf[T any]() pair {
	p := pair{name: reflect.TypeFor[T]().Name()}
	p.random = func(t *testing.T, r *rand.Rand) {
		var v T
		random.Fill(r, reflect.ValueOf(&v).Elem(), 4)
		o := wire.Options{AliasInput: r.IntN(2) == 0, Limits: wire.Limits{Depth: r.IntN(12)}}
		if r.IntN(3) == 0 {
			o.Limits.Bytes = 1 + r.IntN(2000)
		}
		data := encodeBoth(t, &v, o)
		if data == nil {
			return
		}
		p.decode(t, data, o)
		if len(data) <= 300 && (r.IntN(10) == 0 || testkit.IsSlow()) {
			// Each truncation, and a change of each byte.
			for i := range data {
				p.decode(t, data[:i:i], o)
				damaged := bytes.Clone(data)
				damaged[i] ^= 1 << r.IntN(8)
				p.decode(t, damaged, o)
				damaged[i] = 0xff
				p.decode(t, damaged, o)
			}
		}
		// Input with a fault: cut off, changed, or with one byte more.
		for range 8 {
			damaged := bytes.Clone(data)
			switch {
			case len(damaged) == 0 || r.IntN(6) == 0:
				damaged = append(damaged, byte(r.Uint32()))
			case r.IntN(3) == 0:
				damaged = damaged[:r.IntN(len(damaged))]
			default:
				damaged[r.IntN(len(damaged))] = byte(r.Uint32()) >> r.IntN(8)
			}
			p.decode(t, damaged, o)
		}
	}
	p.decode = func(t *testing.T, data []byte, o wire.Options) { decodeBoth[T](t, data, o) }
	return p
}

// encodeBoth encodes v with the generated code and with the engine, and compares the results. It
// returns the encoding, or nil if v has no encoding.
func encodeBoth[T any](t *testing.T, v *T, o wire.Options) []byte {
	t.Helper()
	fast := wire.Must(wire.For[T](o))
	o.Interpret = true
	slow := wire.Must(wire.For[T](o))
	got, err := fast.Append([]byte("before"), v)
	want, wantErr := slow.Append([]byte("before"), v)
	if err != nil || wantErr != nil {
		// The order of the entries of a map decides which value is reported.
		if errors.Is(err, wire.ErrLimit) != errors.Is(wantErr, wire.ErrLimit) || err == nil || wantErr == nil {
			t.Fatalf("the generated code returns the error %v, and the engine %v", err, wantErr)
		}
		return nil
	}
	// The entries of a map have a random order, so the bytes are compared in canonical form.
	if len(got) != len(want) || !bytes.HasPrefix(got, []byte("before")) {
		t.Fatalf("%T has %d bytes, the engine writes %d: %x, %x", *v, len(got), len(want), got, want)
	}
	got = got[len("before"):]
	if marshaled, err := fast.Marshal(v); err != nil || len(marshaled) != len(got) {
		t.Fatalf("Marshal: %d bytes, %v; Append: %d", len(marshaled), err, len(got))
	}
	return got
}

// decodeBoth decodes data with the generated code and with the engine, into new values, into values whose
// memory is reused, and into values that a fault has left, and compares the values and the errors.
func decodeBoth[T any](t *testing.T, data []byte, o wire.Options) {
	t.Helper()
	fast := wire.Must(wire.For[T](o))
	o.Interpret = true
	slow := wire.Must(wire.For[T](o))
	var got, want T
	for range 2 {
		err, wantErr := fast.Unmarshal(data, &got), slow.Unmarshal(data, &want)
		sameError(t, err, wantErr)
		if !same(&got, &want) {
			t.Fatalf("%x is decoded as\n%+v\nthe engine decodes\n%+v\nthe error is %v", data, got, want, err)
		}
	}
}

// same reports whether two values are equal, and a NaN is equal to itself.
func same[T any](a, b *T) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	// A value with unknown fields has no canonical form.
	left, leftErr := wire.Must(wire.For[T](wire.Options{Canonical: true})).Marshal(a)
	right, rightErr := wire.Must(wire.For[T](wire.Options{Canonical: true})).Marshal(b)
	if leftErr != nil || rightErr != nil {
		return fmt.Sprintf("%+v", *a) == fmt.Sprintf("%+v", *b)
	}
	return bytes.Equal(left, right)
}

// sameError fails the test if the errors differ in their text, their type or a field.
func sameError(t *testing.T, got, want error) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) || reflect.TypeOf(got) != reflect.TypeOf(want) {
		t.Fatalf("the generated code returns the error %q, and the engine %q", fmt.Sprint(got), fmt.Sprint(want))
	}
	var decode, wantDecode *wire.DecodeError
	if errors.As(got, &decode) && errors.As(want, &wantDecode) && !reflect.DeepEqual(decode, wantDecode) {
		t.Fatalf("the generated code returns %#v, and the engine %#v", decode, wantDecode)
	}
}

var pairs = []pair{
	pairOf[numbers](), pairOf[tagged](), pairOf[optional](), pairOf[sequences](), pairOf[point](), pairOf[outer](), pairOf[inner](),
	pairOf[deep](), pairOf[tree](), pairOf[methods](), pairOf[first](), pairOf[second](), pairOf[third](), pairOf[versions](), pairOf[empty](), pairOf[nothings](), pairOf[raws](),
	// The engine runs the generated code of the elements.
	pairOf[anonymous](),
}

// anonymous has no generated code, but its parts have.
type anonymous = struct {
	Many []inner
	By   map[string]tree
	One  *outer
	Pair [2]numbers
}

// TestSame encodes random values, and decodes the encodings and damaged ones. Generated code must
// return the same results and errors as the engine.
func TestSame(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 20
	}
	for _, p := range pairs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			for i := range rounds {
				p.random(t, rand.New(rand.NewPCG(uint64(i), 1)))
			}
		})
	}
}

// generated is implemented by pointers to types with generated code.
type generated interface{ HoneWire() code.Codec }

// TestMalformedLength decodes a map and a slice of structs whose lengths are malformed. The old values
// must not change, as in the engine.
func TestMalformedLength(t *testing.T) {
	for _, interpret := range []bool{false, true} {
		o := wire.Options{Interpret: interpret}
		d := deep{M: map[string]int{"a": 1}}
		if err := wire.Must(wire.For[deep](o)).Unmarshal([]byte{2, 0x80}, &d); err == nil || d.M["a"] != 1 {
			t.Errorf("interpret %v: a map: %v, %v", interpret, d.M, err)
		}
		i := inner{Deeps: []deep{{N: 1}}}
		if err := wire.Must(wire.For[inner](o)).Unmarshal([]byte{0, 0, 0, 0, 0, 0x80}, &i); err == nil || len(i.Deeps) != 1 {
			t.Errorf("interpret %v: a slice: %v, %v", interpret, i.Deeps, err)
		}
	}
}

// TestAllocs checks that generated code allocates nothing when it encodes into a buffer with room, and
// no more than the engine when it decodes into an old value.
func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	allocs[numbers](t)
	allocs[optional](t)
	allocs[sequences](t)
	allocs[outer](t)
	allocs[second](t)
}

func allocs[T any](t *testing.T) {
	t.Helper()
	var v T
	random.Fill(rand.New(rand.NewPCG(7, 7)), reflect.ValueOf(&v).Elem(), 3)
	fast, slow := wire.Must(wire.For[T]()), wire.Must(wire.For[T](wire.Options{Interpret: true}))
	data, err := fast.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	count := func(c *wire.Codec[T]) (encode, decode float64) {
		buf := make([]byte, 0, 4*len(data)+4096)
		encode = testing.AllocsPerRun(50, func() { _, _ = c.Append(buf, &v) })
		var back T
		decode = testing.AllocsPerRun(50, func() { _ = c.Unmarshal(data, &back) })
		return encode, decode
	}
	encode, decode := count(fast)
	slowEncode, slowDecode := count(slow)
	if encode > slowEncode || decode > slowDecode {
		t.Errorf("%T: generated code allocates %v to encode and %v to decode, the engine %v and %v", v, encode, decode, slowEncode, slowDecode)
	}
}

// used fails the test if T has no generated code, or if the fingerprint of this code is out of
// date. The engine ignores code with another fingerprint.
func used[T any](t *testing.T) {
	t.Helper()
	g, ok := any(new(T)).(generated)
	if !ok {
		t.Fatalf("%v has no generated code", reflect.TypeFor[T]())
	}
	root := (*program.Codec[T])(wire.Must(wire.For[T]())).Runner().Root
	if c := g.HoneWire(); c.Type != reflect.TypeFor[T]() || c.Fingerprint != root.Fingerprint() {
		t.Errorf("the code of %v is for %v, with the fingerprint %x instead of %x", reflect.TypeFor[T](), c.Type, c.Fingerprint, root.Fingerprint())
	}
}

// TestUsed checks that the generated code of the types in these tests is not stale. Otherwise the other
// tests would compare the engine with itself.
func TestUsed(t *testing.T) {
	used[numbers](t)
	used[tagged](t)
	used[optional](t)
	used[sequences](t)
	used[point](t)
	used[outer](t)
	used[inner](t)
	used[deep](t)
	used[tree](t)
	used[methods](t)
	used[first](t)
	used[second](t)
	used[third](t)
	used[versions](t)
	used[empty](t)
	used[nothings](t)
	used[Deep2](t)
	used[raws](t)
}

// FuzzSame decodes arbitrary bytes. Generated code must return the same values and errors as the
// engine.
func FuzzSame(f *testing.F) {
	for i := range pairs {
		f.Add(uint8(i), uint8(0), uint16(0), []byte{1, 2, 3, 4})
	}
	f.Fuzz(func(t *testing.T, which, depth uint8, budget uint16, data []byte) {
		o := wire.Options{AliasInput: which&0x80 != 0, Limits: wire.Limits{Depth: int(depth % 16), Bytes: int(budget)}}
		pairs[int(which&0x7f)%len(pairs)].decode(t, data, o)
	})
}

// TestVersions decodes the encoding of each version of an evolving struct as each other version.
// Generated code must return the same values as the engine.
func TestVersions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var a first
		var b second
		var c third
		random.Fill(r, reflect.ValueOf(&b).Elem(), 4)
		a.ID, a.Name = b.ID, b.Name
		c.ID, c.Tags, c.In, c.At = b.ID, b.Tags, b.In, b.At
		for _, data := range [][]byte{encodeBoth(t, &a, wire.Options{}), encodeBoth(t, &b, wire.Options{}), encodeBoth(t, &c, wire.Options{})} {
			decodeBoth[first](t, data, wire.Options{})
			decodeBoth[second](t, data, wire.Options{})
			decodeBoth[third](t, data, wire.Options{})
		}
	}
}

// TestPromoted checks that a struct does not use the generated code of an embedded struct, although
// it inherits the method of the embedded struct.
func TestPromoted(t *testing.T) {
	type byPointer struct {
		*deep
		Extra string
	}
	type byValue struct {
		Before int
		deep
	}
	v := byPointer{&deep{N: 1}, "x"}
	if any(v).(generated).HoneWire().Type != reflect.TypeFor[deep]() {
		t.Fatal("the method is not promoted")
	}
	if _, err := wire.Marshal(&v); err == nil {
		t.Error("an embedded pointer to an unexported struct is encoded")
	}
	w := byValue{7, deep{N: 1}}
	got, err := wire.Marshal(&w)
	if err != nil {
		t.Fatal(err)
	}
	if want := []byte{14, 2, 0, 0, 0}; !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// TestPromotedPanics encodes structs that inherit HoneWire from an embedded pointer or interface,
// and a struct whose HoneWire returns a codec without functions. The engine must encode all of
// them.
func TestPromotedPanics(t *testing.T) {
	type pointer struct {
		*Middle
		Z int
	}
	type byInterface struct {
		X         int
		generated `wire:"-"`
	}
	v := pointer{&Middle{Extra: 1, Deep2: Deep2{N: 2}}, 3}
	if b, err := wire.Marshal(&v); err != nil || !bytes.Equal(b, []byte{1, 2, 4, 6}) {
		t.Errorf("embedded by pointer and by value: %x, %v", b, err)
	}
	if b, err := wire.Marshal(&byInterface{X: 1}); err != nil || !bytes.Equal(b, []byte{2}) {
		t.Errorf("an embedded interface: %x, %v", b, err)
	}
	if b, err := wire.Marshal(&nonsense{N: 1}); err != nil || !bytes.Equal(b, []byte{2}) {
		t.Errorf("a method without functions: %x, %v", b, err)
	}
}

// Middle embeds a struct with generated code.
type Middle struct {
	Extra int
	Deep2
}

// nonsense has a method that returns a codec without functions.
type nonsense struct{ N int }

func (*nonsense) HoneWire() code.Codec {
	root := (*program.Codec[nonsense])(wire.Must(wire.For[nonsense](wire.Options{Canonical: true}))).Runner().Root
	return code.Codec{Type: reflect.TypeFor[nonsense](), Fingerprint: root.Fingerprint()}
}

// TestFirstUse encodes a value in several goroutines that share a new codec. The engine compiles
// some fields at their first use, so the goroutines compile them at the same time.
func TestFirstUse(t *testing.T) {
	v := outer{Ref: &inner{Name: "a"}, Shared: []random.Tree{{Label: "b"}}}
	want, err := wire.Must(wire.For[outer](wire.Options{Interpret: true})).Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	// A codec with registered types does not share the program of its type.
	c := wire.Must(wire.For[outer](wire.Options{Types: new(wire.Types)}))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got, err := c.Marshal(&v); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%x, %v; want %x", got, err, want)
			}
		})
	}
	wait.Wait()
}
