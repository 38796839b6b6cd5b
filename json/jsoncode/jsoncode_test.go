package jsoncode_test

import (
	"bytes"
	stdjson "encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/jsoncode"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/union"
)

// A pair compares the generated code of a type with the engine and with encoding/json.
type pair struct {
	name string
	same func(t *testing.T, r *rand.Rand)
}

// ways are the ways to encode a value. They differ in the options of the call, or in how the value
// is passed to it.
var ways = map[string]func(v any) ([]byte, error){
	"default":         func(v any) ([]byte, error) { return json.Marshal(v) },
	"no HTML escapes": json.Config{NoEscapeHTML: true}.Marshal,
	"rules of 1.26":   json.Config{Rules: json.Go126}.Marshal,
	"rules of 1.27":   json.Config{Rules: json.Go127}.Marshal,
	"write only":      json.Config{OmitWriteOnly: true}.Marshal,
	"in a slice":      func(v any) ([]byte, error) { return json.Marshal([]any{1, v, 2}) },
	"by value":        func(v any) ([]byte, error) { return json.Marshal(reflect.ValueOf(v).Elem().Interface()) },
	"to a stream": func(v any) ([]byte, error) {
		var out bytes.Buffer
		e := json.NewEncoder(&out)
		e.SetIndent("", " ")
		err := e.Encode(v)
		return out.Bytes(), err
	},
	"v2": func(v any) ([]byte, error) { return jsonv2.Marshal(v, jsonv2.Deterministic(true)) },
	"v2, by value": func(v any) ([]byte, error) {
		return jsonv2.Marshal(reflect.ValueOf(v).Elem().Interface(), jsonv2.Deterministic(true))
	},
	"v2, numbers": func(v any) ([]byte, error) {
		return jsonv2.Marshal(v, jsonv2.Deterministic(true), jsonv2.StringifyNumbers(true))
	},
	"v2, nil as null": func(v any) ([]byte, error) {
		return jsonv2.Marshal(v, jsonv2.Deterministic(true), jsonv2.FormatNilSliceAsNull(true))
	},
	"v2, omit zero": func(v any) ([]byte, error) {
		return jsonv2.Marshal(v, jsonv2.Deterministic(true), jsonv2.OmitZeroStructFields(true))
	},
	"v2, escapes": func(v any) ([]byte, error) {
		return jsonv2.Marshal(v, jsonv2.Deterministic(true), jsontext.EscapeForHTML(true), jsontext.AllowInvalidUTF8(true))
	},
	"v2, as v1": func(v any) ([]byte, error) { return jsonv2.Marshal(v, json.DefaultOptionsV1()) },
}

// pairOf returns the pair of T. Twin is a type with the same fields as T and no methods.
func pairOf[T, Twin any]() pair {
	return pair{reflect.TypeFor[T]().Name(), func(t *testing.T, r *rand.Rand) {
		var v T
		random.Fill(r, reflect.ValueOf(&v).Elem(), 4)
		if r.IntN(2) == 0 {
			spoil(r, reflect.ValueOf(&v).Elem())
		}
		compare[Twin](t, &v)
	}}
}

// spoil replaces some of the values in v by values that cannot be encoded, either never or with
// some options. It also sets the Options that random.Fill does not set.
func spoil(r *rand.Rand, v reflect.Value) {
	if !v.CanSet() {
		return
	}
	rare := r.IntN(12) == 0
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		if rare {
			*x = time.Date([]int{-1, 0, 9999, 10_000}[r.IntN(4)], 12, 31, 23, 59, 59, r.IntN(1e9), time.FixedZone("", (r.IntN(60)-30)*3599))
		}
		return
	case *mo.Option[label]:
		*x = mo.Some(label("<x>"))
		return
	case *mo.Option[inner]:
		*x = mo.Some(inner{Name: "in"})
		return
	case *mo.Result[int]:
		*x = mo.TupleToResult(r.IntN(9), []error{nil, errLong}[r.IntN(2)])
		return
	case *any:
		*x = []any{nil, 1.5, math.Inf(-1), &scalars{S: "\xff"}, Deep{N: 3}, []tree{{Label: "x"}}, map[string]any{"b": 1, "a": "<"}}[r.IntN(7)]
		return
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if rare {
			v.SetFloat([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat32, 1e-7, 1e21}[r.IntN(6)])
		}
	case reflect.String:
		if rare {
			v.SetString(v.String() + "\xff")
		}
	case reflect.Slice, reflect.Array:
		if rare && v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), 0, 1)) // not nil
		}
		for i := range v.Len() {
			spoil(r, v.Index(i))
		}
	case reflect.Pointer:
		spoil(r, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			spoil(r, v.Field(i))
		}
	}
}

// compare encodes v and its twin in all ways.
func compare[Twin, T any](t *testing.T, v *T) {
	t.Helper()
	twin := reflect.ValueOf(v).Convert(reflect.TypeFor[*Twin]()).Interface()
	for name, way := range ways {
		got, err := way(v)
		want, wantErr := way(twin)
		if !bytes.Equal(got, want) || message(err) != message(wantErr) {
			t.Fatalf("%s: generated code writes\n%s, %v; the engine\n%s, %v", name, got, err, want, wantErr)
		}
	}
	got, err := json.Marshal(v)
	want, wantErr := stdjson.Marshal(v)
	if !bytes.Equal(got, want) || message(err) != message(wantErr) {
		t.Fatalf("generated code writes\n%s, %v; encoding/json\n%s, %v", got, err, want, wantErr)
	}
}

// message returns the text of an error. It replaces the name of a twin by the name of its type.
func message(err error) string {
	if err == nil {
		return ""
	}
	return strings.ReplaceAll(err.Error(), "Twin", "")
}

var pairs = []pair{
	pairOf[scalars, scalarsTwin](), pairOf[tagged, taggedTwin](), pairOf[raws, rawsTwin](), pairOf[omitted, omittedTwin](), pairOf[optional, optionalTwin](),
	pairOf[sequences, sequencesTwin](), pairOf[outer, outerTwin](), pairOf[inner, innerTwin](), pairOf[Deep, DeepTwin](), pairOf[tree, treeTwin](),
	pairOf[methods, methodsTwin](), pairOf[embedding, embeddingTwin](), pairOf[names, namesTwin](), pairOf[dynamic, dynamicTwin](), pairOf[both, bothTwin](), pairOf[options, optionsTwin](), pairOf[containers, containersTwin](), pairOf[chain, chainTwin](), pairOf[empty, emptyTwin](),
}

// TestSame encodes random values. Generated code must return the same output and errors as the
// engine. Some values have no JSON: NaN, text that is not UTF-8, times after year 9999, and methods
// that fail.
func TestSame(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 30
	}
	for _, p := range pairs {
		t.Run(p.name, func(t *testing.T) {
			for i := range rounds {
				p.same(t, rand.New(rand.NewPCG(uint64(i), 1)))
			}
		})
	}
}

// FuzzSame is like TestSame, for values that fuzzing selects.
func FuzzSame(f *testing.F) {
	for i := range pairs {
		f.Add(uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64) {
		pairs[int(which)%len(pairs)].same(t, rand.New(rand.NewPCG(seed, 2)))
	})
}

// TestDepth encodes values that contain themselves, and deeply nested values. Generated code must
// return the same output and errors as the engine.
func TestDepth(t *testing.T) {
	var loop tree
	loop.Label, loop.Next = "a", &loop
	compare[treeTwin](t, &loop)
	slice := tree{Kids: make([]tree, 1)}
	slice.Kids[0] = slice
	compare[treeTwin](t, &slice)
	deep := &tree{}
	for range 1500 {
		deep = &tree{Next: deep, Kids: []tree{{Label: "x"}}}
	}
	compare[treeTwin](t, deep)
	// The engine checks the nesting depth of the output if the value has a slice or a pointer at
	// level 1,001.
	outer := []int{999, 1000, 1001}
	if testing.Short() || os.Getenv("HONE_VARIANT") != "" {
		outer = []int{1000}
	}
	for _, n := range outer {
		for _, last := range []chain{{}, {Ints: []int{1}}, {I: new(int32)}} {
			c := &last
			for range n {
				c = &chain{Next: [1][1][1][1][1][1][1][1][1]*chain{{{{{{{{{c}}}}}}}}}}
			}
			compare[chainTwin](t, c)
		}
	}
}

// used fails the test if T has no generated encoder, or if the fingerprint of this encoder is out
// of date. The engine ignores an encoder with another fingerprint.
func used[T any](t *testing.T) {
	t.Helper()
	g, ok := any(new(T)).(encode.Generated)
	if !ok {
		t.Fatalf("%v has no generated code", reflect.TypeFor[T]())
	}
	_, fingerprint, _ := encode.Steps(reflect.TypeFor[T]())
	if c := g.HoneEncodeJSON(); c.Type != reflect.TypeFor[T]() || c.Fingerprint != fingerprint {
		t.Errorf("the code of %v is for %v, with the fingerprint %x instead of %x", reflect.TypeFor[T](), c.Type, c.Fingerprint, fingerprint)
	}
}

// TestUsed checks that the generated code of the types in these tests is not stale. Otherwise the
// other tests would compare the engine with itself.
func TestUsed(t *testing.T) {
	used[scalars](t)
	used[tagged](t)
	used[omitted](t)
	used[optional](t)
	used[sequences](t)
	used[outer](t)
	used[inner](t)
	used[Deep](t)
	used[tree](t)
	used[methods](t)
	used[embedding](t)
	used[names](t)
	used[dynamic](t)
	used[both](t)
	used[options](t)
	used[containers](t)
	used[chain](t)
	used[empty](t)
	used[raws](t)
}

// TestDeclared declares the cases of an interface. The generated code of a type with this interface
// must still be used, because the engine encodes the interface.
func TestDeclared(t *testing.T) {
	union.Internal[event]("kind", union.Case[Deep]("deep", 1))
	used[declared](t)
	v := declared{Deep{N: 3}, 4}
	if got, err := json.Marshal(&v); err != nil || string(got) != `{"Last":{"kind":"deep","N":3},"N":4}` {
		t.Errorf("%s, %v", got, err)
	}
}

// marked has an encoder whose output differs from the engine's, so the tests see which of the two
// was used.
type marked struct{ N int }

func (*marked) HoneEncodeJSON() jsoncode.Encoding {
	_, fingerprint, _ := encode.Steps(reflect.TypeFor[marked]())
	_, other, _ := encode.Steps(reflect.TypeFor[within]())
	return jsoncode.EncodingOf(fingerprint, appendMarked, jsoncode.EncodingOf(other, appendWithin))
}

func appendMarked(e *jsoncode.Encoder, p *jsoncode.Program, dst []byte, v *marked) []byte {
	return append(dst, `"marked"`...)
}

func appendWithin(e *jsoncode.Encoder, p *jsoncode.Program, dst []byte, v *within) []byte {
	return append(dst, `"within"`...)
}

// within has no generated method. The method of marked returns the encoder of within along with its
// own.
type within struct{ N string }

// TestWhere checks where generated code is used: wherever a value of its type is encoded by a program
// with the same steps.
func TestWhere(t *testing.T) {
	type byValue struct {
		marked
		X int
	}
	type field struct {
		M  marked
		P  *marked
		Ms []marked
		By map[string]marked
	}
	for _, test := range []struct {
		v    any
		want string
	}{
		{marked{}, `"marked"`},
		{&marked{}, `"marked"`},
		{[]marked{{}}, `["marked"]`},
		{map[string]any{"a": &marked{}}, `{"a":"marked"}`},
		// The fields of a struct within another struct are a part of the outer program.
		{field{P: &marked{}, Ms: []marked{{}}, By: map[string]marked{"k": {}}}, `{"M":{"N":0},"P":"marked","Ms":["marked"],"By":{"k":"marked"}}`},
		{byValue{X: 1}, `{"N":0,"X":1}`},
		{within{}, `{"N":""}`},
		{[]any{marked{}, within{}}, `["marked",{"N":""}]`},
	} {
		if got, err := json.Marshal(test.v); err != nil || string(got) != test.want {
			t.Errorf("%T: %s, %v; want %s", test.v, got, err, test.want)
		}
	}
	if got, err := jsonv2.Marshal(&marked{}); err != nil || string(got) != `"marked"` {
		t.Errorf("version 2: %s, %v", got, err)
	}
}

// TestPromotedPanics encodes structs that inherit HoneEncodeJSON from an embedded pointer or
// interface, and a struct whose HoneEncodeJSON returns an encoder without a function. The engine
// must encode all of them.
func TestPromotedPanics(t *testing.T) {
	type pointer struct {
		*Middle
		Z int
	}
	type byInterface struct {
		X int
		encode.Generated
	}
	for v, want := range map[any]string{
		&pointer{&Middle{Extra: 1, Deep: Deep{N: 2}}, 3}: `{"Extra":1,"N":2,"Z":3}`,
		&byInterface{X: 1}: `{"X":1,"Generated":null}`,
		&nonsense{N: 1}:    `{"N":1}`,
	} {
		if got, err := json.Marshal(v); err != nil || string(got) != want {
			t.Errorf("%T: %s, %v; want %s", v, got, err, want)
		}
	}
}

// Middle embeds a struct with generated code.
type Middle struct {
	Extra int
	Deep
}

// nonsense has a method that returns an encoder without a function.
type nonsense struct{ N int }

func (*nonsense) HoneEncodeJSON() jsoncode.Encoding {
	_, fingerprint, _ := encode.Steps(reflect.TypeFor[nonsense]())
	return jsoncode.Encoding{Type: reflect.TypeFor[nonsense](), Fingerprint: fingerprint}
}

// stale has code for another version of the type.
type stale struct{ N int }

func (*stale) HoneEncodeJSON() jsoncode.Encoding {
	return jsoncode.EncodingOf(1, func(_ *jsoncode.Encoder, _ *jsoncode.Program, dst []byte, _ *stale) []byte {
		return append(dst, "old"...)
	})
}

// TestStale encodes a type whose generated code is out of date. The message must be printed once,
// although several programs of the type are compiled.
func TestStale(t *testing.T) {
	if os.Getenv("HONE_STALE") == "" {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestStale$")
		cmd.Env = append(os.Environ(), "HONE_STALE=1")
		var errs strings.Builder
		cmd.Stderr = &errs
		if out, err := cmd.Output(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if want := "the generated code of jsoncode_test.stale is not used"; strings.Count(errs.String(), want) != 1 {
			t.Errorf("the standard error lacks %q, or has it twice: %q", want, errs.String())
		}
		return
	}
	for _, v := range []any{&stale{1}, stale{1}, []stale{{1}}, map[string]*stale{"a": {1}}} {
		want, _ := stdjson.Marshal(v)
		if got, err := json.Marshal(v); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%T: %s, %v", v, got, err)
		}
		if _, err := jsonv2.Marshal(v); err != nil {
			t.Error(err)
		}
	}
}

// TestAllocs checks that generated code allocates no more than the engine.
func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	allocs[scalars, scalarsTwin](t)
	allocs[tagged, taggedTwin](t)
	allocs[omitted, omittedTwin](t)
	allocs[optional, optionalTwin](t)
	allocs[sequences, sequencesTwin](t)
	allocs[outer, outerTwin](t)
}

func allocs[T, Twin any](t *testing.T) {
	t.Helper()
	var v T
	// If a value cannot be encoded, try the next one.
	for seed := uint64(1); ; seed++ {
		random.Fill(rand.New(rand.NewPCG(seed, 7)), reflect.ValueOf(&v).Elem(), 3)
		if _, err := json.Marshal(&v); err == nil {
			break
		}
	}
	twin := reflect.ValueOf(&v).Convert(reflect.TypeFor[*Twin]()).Interface().(*Twin)
	buf := make([]byte, 0, 1<<16)
	fast, slow := json.For[T](), json.For[Twin]()
	got := testing.AllocsPerRun(50, func() { _, _ = fast.Append(buf, &v) })
	if want := testing.AllocsPerRun(50, func() { _, _ = slow.Append(buf, twin) }); got > want {
		t.Errorf("%T: generated code allocates %v times, the engine %v times", v, got, want)
	}
}

// TestFirstUse encodes a value of a new type in several goroutines at once. The outputs must be
// correct.
func TestFirstUse(t *testing.T) {
	type first struct {
		Os []outer
		Ts []tree
	}
	v := first{[]outer{{ID: 1, Ins: []inner{{Name: "a"}}}}, []tree{{Label: "b"}}}
	want, err := stdjson.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got, err := json.Marshal(&v); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, %v; want %s", got, err, want)
			}
			_ = json.NewEncoder(io.Discard).Encode(&v)
		})
	}
	wait.Wait()
}
