package schema_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

type (
	id   struct{ V int }
	base struct {
		ID   int
		Name string
	}
	point struct{ X, Y int }
)

// TestReadsFlattened compares structs whose bytes are alike though they are not.
func TestReadsFlattened(t *testing.T) {
	of := func(s *schema.Schema, err error) *schema.Schema { return wire.Must(s, err) }
	for _, test := range []struct {
		name            string
		reader, written *schema.Schema
		problem         string // a part of the first; "" if there is none
	}{
		{"embedded and not", of(wire.SchemaOf[struct {
			base
			At point
		}]()), of(wire.SchemaOf[struct {
			ID   int
			Name string
			At   point
		}]()), ""},
		{"moved within", of(wire.SchemaOf[struct {
			base
			X, Y int
		}]()), of(wire.SchemaOf[struct {
			ID int
			Of struct {
				Name string
				At   point
			}
		}]()), ""},
		{"a wrapper", of(wire.SchemaOf[map[id][]id]()), of(wire.SchemaOf[map[int][]int]()), ""},
		{"a wrapper of a wrapper", of(wire.SchemaOf[struct{ A id }]()), of(wire.SchemaOf[int]()), ""},
		{"a wrapper of something else", of(wire.SchemaOf[struct{ A id }]()), of(wire.SchemaOf[string]()), "read as int64"},
		{"nothing", of(wire.SchemaOf[struct {
			_ struct{}
			A int
			B [0]int
			C struct{}
		}]()), of(wire.SchemaOf[struct{ A int }]()), ""},
		{"only nothing", of(wire.SchemaOf[[]struct{}]()), of(wire.SchemaOf[[][3]struct{}]()), ""},
		{"in optionals and unions", of(wire.SchemaOf[mo.Either[*id, mo.Option[base]]]()), of(wire.SchemaOf[mo.Either[*int, mo.Option[struct {
			ID   id
			Name struct{ V string }
		}]]]()), ""},
		{"changed places", of(wire.SchemaOf[struct{ From, To point }]()), of(wire.SchemaOf[struct{ To, From point }]()), ".From.X stands where To.X was written"},
		{"changed places and moved", of(wire.SchemaOf[struct{ A struct{ ID, Code int } }]()), of(wire.SchemaOf[struct{ Code, ID int }]()), ".A.ID stands where Code was written"},
		{"renamed within", of(wire.SchemaOf[struct {
			From struct{ X, Z int }
			To   point
		}]()), of(wire.SchemaOf[struct{ From, To point }]()), ""},
		{"longer", of(wire.SchemaOf[struct {
			base
			More int
		}]()), of(wire.SchemaOf[base]()), ".More is read and was not written"},
		{"evolving, moved", of(wire.SchemaOf[struct {
			_ wire.Evolving
			base
			More int
		}]()), of(wire.SchemaOf[struct {
			_    wire.Evolving
			ID   int
			Name string
		}]()), ""},
		{"evolving, ends in a field", of(wire.SchemaOf[struct {
			_ wire.Evolving
			base
		}]()), of(wire.SchemaOf[struct {
			_  wire.Evolving
			ID int
		}]()), ".base is read as struct and written as int64"},
		{"evolving, read by an older one", of(wire.SchemaOf[struct {
			_  wire.Evolving
			ID int
		}]()), of(wire.SchemaOf[struct {
			_ wire.Evolving
			base
		}]()), ""},
		{"evolving on one side", of(wire.SchemaOf[struct {
			_ wire.Evolving
			A int
		}]()), of(wire.SchemaOf[struct{ A int }]()), "read as evolving struct"},
	} {
		problems := test.reader.Reads(test.written)
		switch {
		case test.problem == "" && len(problems) > 0:
			t.Errorf("%s: %v", test.name, problems)
		case test.problem != "" && (len(problems) == 0 || !strings.Contains(problems[0].String(), test.problem)):
			t.Errorf("%s: %v; want %s", test.name, problems, test.problem)
		}
	}
}

// TestReadsMany has types that name each other, so that there would be 2^40 leaves.
func TestReadsMany(t *testing.T) {
	const many = 40
	types := `"t0":{"kind":"bool"}`
	for i := range many {
		types += fmt.Sprintf(`,"t%d":{"kind":"struct","fields":[{"name":"a","type":{"kind":"ref","name":"t%d"}},{"name":"b","type":{"kind":"ref","name":"t%[2]d"}}]}`, i+1, i)
	}
	s := mustParse(t, fmt.Sprintf(`{"kind":"ref","name":"t%d"}`, many), `"types":{`+types+`},`)
	if problems := s.Reads(s); len(problems) > 0 {
		t.Error(problems)
	}
}

// FuzzReads makes two types and a value of the second. If the schema of the first reads
// that of the second, the first type reads the value's bytes, and what it makes of them
// is written as the same bytes.
func FuzzReads(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	leaves := []reflect.Type{reflect.TypeFor[id](), reflect.TypeFor[base](), reflect.TypeFor[point](), reflect.TypeFor[struct{ A, B id }](), reflect.TypeFor[[0]int]()}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 4))
		written := random.Type(r, 2, []string{"", `wire:"-"`}, leaves...)
		reader := regroup(r, written)
		a, err := wire.ForType(reader)
		if err != nil {
			t.Fatal(err)
		}
		b, err := wire.ForType(written)
		if err != nil {
			t.Fatal(err)
		}
		if problems := a.Schema().Reads(b.Schema()); len(problems) > 0 {
			t.Fatalf("%v does not read %v: %v", reader, written, problems)
		}
		v := reflect.New(written)
		random.Fill(r, v.Elem(), 3)
		data, err := b.Append(nil, v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		back := reflect.New(reader)
		if err := a.Unmarshal(data, back.Interface()); err != nil {
			t.Fatalf("%v reads %v: %v", reader, written, err)
		}
		if again, err := a.Append(nil, back.Interface()); err != nil || len(again) != len(data) {
			t.Fatalf("%v reads %x as %x, %v", reader, data, again, err)
		}
	})
}

// regroup returns a type whose values are written as those of t: fields of structs are
// put into structs of their own, or taken out of them, and what takes no bytes is added.
func regroup(r *rand.Rand, t reflect.Type) reflect.Type {
	if t.Name() != "" || t.Kind() != reflect.Struct {
		if r.IntN(3) == 0 {
			return reflect.StructOf([]reflect.StructField{{Name: "V", Type: t}})
		}
		return t
	}
	var fields []reflect.StructField
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		switch r.IntN(5) {
		case 0: // this one and the next in a struct
			n := min(i+2, t.NumField())
			var within []reflect.StructField
			for _, f := range reflect.VisibleFields(t)[i:n] {
				within = append(within, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
			}
			fields = append(fields, reflect.StructField{Name: "G" + f.Name, Type: reflect.StructOf(within)})
			i = n - 1
		case 1:
			fields = append(fields, reflect.StructField{Name: "N" + f.Name, Type: reflect.TypeFor[struct{}]()}, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
		case 2:
			fields = append(fields, reflect.StructField{Name: f.Name, Type: regroup(r, f.Type), Tag: f.Tag})
		default:
			fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
		}
	}
	return reflect.StructOf(fields)
}
