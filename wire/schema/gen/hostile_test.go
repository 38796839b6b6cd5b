package gen

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

// either has a field of each kind of union that is derived without registration.
type either struct {
	A mo.Either[string, int]
	B mo.Either3[int8, float32, []bool]
	C mo.Result[string]
	D mo.Nullable[mo.Option[int]]
	E mo.Option[mo.Option[mo.Option[int]]]
	F **int
	G map[mo.Option[int]]float32
	H map[[2]float64]complex64
}

// A grown is an evolving struct with a removed field.
type grown struct {
	_ wire.Evolving
	A string
	_ wire.Removed[map[string][]either] `wire:",was=Old"`
	B []float32
	C *grown
	wire.Unknown
}

// reasons maps the reasons in the errors of the runtimes to the causes of wire's errors.
var reasons = map[string]error{
	"truncated": io.ErrUnexpectedEOF, "trailing": wire.ErrTrailing, "overflow": wire.ErrOverflow, "nonminimal": wire.ErrNonMinimal, "flag": wire.ErrFlag,
	"duplicate": wire.ErrDuplicate, "time": wire.ErrTime, "depth": wire.ErrDepth, "tag": wire.ErrTag, "unregistered": wire.ErrUnregistered,
	"canonical": wire.ErrCanonical, "unsorted": wire.ErrUnsorted, "limit": wire.ErrLimit,
}

// mutations returns random changes of encodings of random types, and of the vectors. Go and the
// generated code must agree: both decode the same value, or both refuse the bytes for the same
// reason.
func mutations(t *testing.T) (all []question) {
	r := rand.New(rand.NewPCG(1, 2))
	mutate := func(name string, s *schema.Schema, data []byte, times int) {
		if strings.Contains(s.Canonical(), "raw ") {
			// Go decodes the content of a raw too, but the generated code does not.
			return
		}
		for range times {
			bad := bytes.Clone(data)
			if i := r.IntN(len(bad) + 1); i == len(bad) {
				bad = append(bad, byte(r.Uint32()))
			} else if r.IntN(4) == 0 {
				bad = bad[:i]
			} else {
				bad[i] = byte(r.Uint32() >> r.IntN(8))
			}
			q := question{name: name, schema: s, bytes: bad}
			if _, err := s.Decode(bad); err != nil {
				q.expect.fails = true
				for why, cause := range reasons {
					// The more specific reason wins, since unsorted keys are also not canonical.
					// With ints of 32 bits, only Go reports an overflow for a length that does not
					// fit in an int.
					short := strconv.IntSize == 32 && why == "overflow"
					if errors.Is(err, cause) && q.expect.why != "unsorted" && !short {
						q.expect.why = why
					}
				}
			} else {
				q.expect = complete(t, s, bad)
			}
			all = append(all, q)
		}
	}
	for _, v := range vectors(t) {
		if !v.expect.fails {
			mutate("mutation of "+v.name, v.schema, v.bytes, 12)
		}
	}
	more := []reflect.Type{reflect.TypeFor[either](), reflect.TypeFor[grown]()}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		typ := random.Type(r, 3, []string{"", "", `wire:"-"`}, more...)
		v := reflect.New(typ)
		random.Fill(r, v.Elem(), 4)
		c, err := wire.ForType(typ, wire.Options{Canonical: seed%3 == 0})
		if err != nil {
			t.Fatal(err)
		}
		data, err := c.Append(nil, v.Interface())
		if errors.Is(err, wire.ErrDuplicate) || errors.Is(err, wire.ErrCanonical) {
			continue // two map keys that are the same instant, or unknown fields in canonical form
		}
		if err != nil {
			t.Fatal(err)
		}
		s := c.Schema()
		all = append(all, question{typ.String(), s, data, complete(t, s, data)})
		mutate(typ.String(), s, data, min(len(data), 40))
	}
	return all
}

func TestMutationsTypeScript(t *testing.T) {
	all := mutations(t)
	check(t, all, typeScriptTarget.ask(t, all))
}

func TestMutationsPython(t *testing.T) {
	all := mutations(t)
	failed := 0
	for _, q := range all {
		if q.expect.fails {
			failed++
		}
	}
	if n := len(all); failed < n/5 || failed > n*4/5 {
		t.Errorf("%d of %d are refused: the test has too few cases", failed, n)
	}
	check(t, all, pythonTarget.ask(t, all))
}

// TestHostile reads bytes that claim large lengths. The generated readers must fail with the
// expected reason.
func TestHostile(t *testing.T) {
	void := `{"kind":"slice","length":"u64le","elem":{"kind":"struct"}}`
	deep := `{"kind":"ref","name":"a"},"types":{"a":{"kind":"slice","length":"uvarint","elem":{"kind":"ref","name":"a"}}}`
	wide := `{"kind":"slice","length":"uvarint","elem":{"kind":"ref","name":"w"}},"types":{"w":{"kind":"struct","evolving":true,"fields":[` +
		strings.TrimSuffix(strings.Repeat(`{"name":"F","type":{"kind":"string","length":"uvarint"}},`, 100), ",") + `]}}`
	all := []question{
		{"2^64 values of no bytes", byText(t, void), []byte("\xff\xff\xff\xff\xff\xff\xff\x0f"), expectation{fails: true}},
		{"2^53 values of no bytes", byText(t, void), []byte("\xff\xff\xff\xff\xff\xff\x1f\x00"), expectation{fails: true, why: "limit"}},
		{"10^9 structs of no bytes", byText(t, `{"kind":"array","count":1000000000,"elem":{"kind":"struct"}}`), nil, expectation{fails: true, why: "limit"}},
		{"10^9 bools", byText(t, `{"kind":"array","count":1000000000,"elem":{"kind":"bool"}}`), []byte{0}, expectation{fails: true, why: "truncated"}},
		{"lists of lists", byText(t, deep), bytes.Repeat([]byte{1}, 5000), expectation{fails: true, why: "depth"}},
		{"structs that were written without fields", byText(t, wide), append([]byte{0xe8, 7}, make([]byte, 1000)...), expectation{fails: true, why: "limit"}},
		{"a map of nothing", byText(t, `{"kind":"map","length":"uvarint","key":{"kind":"skip"},"elem":{"kind":"skip"}}`), []byte("\xff\xff\xff\xff\xff\xff\x07"), expectation{fails: true}},
	}
	for _, one := range []target{typeScriptTarget, pythonTarget} {
		t.Run(one.language.name, func(t *testing.T) { check(t, all, one.ask(t, all)) })
	}
}

func byText(t *testing.T, typ string) *schema.Schema {
	t.Helper()
	s, err := parse(`{"version":1,"type":` + typ + `}`)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestHostileNames generates code for names that would be executed as code, or would end a line, if
// the generator did not quote them. The generated readers must return the right values.
func TestHostileNames(t *testing.T) {
	names := []string{
		`"]); process.exit(1); ([("`, "a\nb", `*/ x /*`, "`${1}`", `\`, "'''", `"""`, "\u2028", "constructor", "__proto__", "toString", "None", "decode",
		"fingerprint", "class", "ﬁ", "fi", "ⅷ", "🙂", "#1", " ", "0", "_", "a_b", "aB", "A.B", "Map", "Uint8Array", "Value", "wire", "list", "\x00", "ª",
	}
	s := &schema.Schema{Version: schema.Version, Types: map[string]*schema.Type{}}
	all := &schema.Type{Kind: "struct"}
	union := &schema.Type{Kind: "union", Tag: "uvarint"}
	bit := &schema.Type{Kind: "bool"}
	for i, name := range names {
		s.Types[name] = &schema.Type{Kind: "struct", Fields: []schema.Field{{Name: name, Type: bit}}}
		ref := &schema.Type{Kind: "ref", Name: name}
		all.Fields = append(all.Fields, schema.Field{Name: name, Type: ref}, schema.Field{Name: name + "!", Type: &schema.Type{Kind: "bytes", Length: "uvarint"}, Removed: "00"})
		union.Cases = append(union.Cases, schema.Case{ID: uint32(i + 1), Name: name, Type: ref})
	}
	all.Fields = append(all.Fields, schema.Field{Name: "Which", Type: &schema.Type{Kind: "slice", Length: "uvarint", Elem: union}})
	s.Type = all
	var data []byte
	for range names {
		data = append(data, 1, 0)
	}
	data = append(data, byte(len(names)))
	for i := range names {
		data = append(data, byte(i+1), 1)
	}
	questions := []question{{"names", s, data, complete(t, s, data)}}
	for _, one := range []target{typeScriptTarget, pythonTarget} {
		t.Run(one.language.name, func(t *testing.T) { check(t, questions, one.ask(t, questions)) })
	}
}

// FuzzGenerate generates code for valid schemas. The code must be the same each time, and the
// generator must not panic.
func FuzzGenerate(f *testing.F) {
	f.Add([]byte(`{"version":1,"type":{"kind":"union","tag":"byte"}}`))
	f.Add([]byte(`{"version":1,"type":{"kind":"array","count":2,"elem":{"kind":"union","tag":"byte","cases":[{"id":3,"name":"x","type":{"kind":"raw","length":"u8","elem":{"kind":"skip"}}}]}}}`))
	f.Add([]byte(`{"version":1,"type":{"kind":"ref","name":"a.B"},"types":{"a.B":{"kind":"map","length":"uvarint","key":{"kind":"text","name":"T"},"elem":{"kind":"optional","elem":{"kind":"ref","name":"a.B"}}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parse(string(text))
		if err != nil {
			return
		}
		for _, one := range []target{typeScriptTarget, pythonTarget} {
			code, err := one.generate(s)
			again, errAgain := one.generate(s)
			if !bytes.Equal(code, again) || (err == nil) != (errAgain == nil) {
				t.Fatalf("%s yields\n%s, %v\nand\n%s, %v", text, code, err, again, errAgain)
			}
		}
	})
}
