package schema_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

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

// TestReadsFlattened compares structs whose fields are grouped differently. If their encodings are
// the same, one must read the other.
func TestReadsFlattened(t *testing.T) {
	of := func(s *schema.Schema, err error) *schema.Schema { return wire.Must(s, err) }
	for _, test := range []struct {
		name            string
		reader, written *schema.Schema
		problem         string // a part of the first problem, or ""
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

// TestReadsMany compares a schema with itself. Its types refer to one another and would have 2^40
// leaves. There must be no problem.
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

// FuzzReads generates two types and a value of the second. If the schema of the first type reads
// the schema of the second, the first type must decode the value, and encode the result as the same
// bytes.
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

// regroup returns a type with the same encodings as t: fields of structs are moved into or out of
// separate structs, and fields with an empty encoding are added.
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
		case 0: // move this field and the next into a new struct
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

// tower returns a schema with a chain of types: type i refers to type i-1, usually several times, so
// the number of leaves grows exponentially. The types are called floors. The function floor returns
// the JSON of a type that contains the type with the JSON below. last is the JSON of the type that
// the lowest floor contains. top is the JSON of the fields of the root, in which TOP stands for the
// highest floor.
func tower(t *testing.T, floors int, floor func(below string) string, last, top string) *schema.Schema {
	t.Helper()
	var types []string
	for i := range floors {
		below := fmt.Sprintf(`{"kind":"ref","name":"t%d"}`, i-1)
		if i == 0 {
			below = last
		}
		types = append(types, fmt.Sprintf(`"t%d":%s`, i, floor(below)))
	}
	text := fmt.Sprintf(`{"version":1,"type":{"kind":"struct","fields":[%s]},"types":{%s}}`, strings.ReplaceAll(top, "TOP", fmt.Sprintf(`{"kind":"ref","name":"t%d"}`, floors-1)), strings.Join(types, ","))
	s, err := parse([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return s
}

// towers returns a schema of many structs with 2^13 numbers each.
func towers(t *testing.T) *schema.Schema {
	t.Helper()
	var fields, types []string
	for i := range 14 {
		below := fmt.Sprintf(`{"kind":"ref","name":"t%d"}`, i-1)
		if i == 0 {
			below = `{"kind":"bool"}`
		}
		types = append(types, fmt.Sprintf(`"t%d":{"kind":"struct","fields":[{"name":"a","type":%s},{"name":"b","type":%s}]}`, i, below, below))
	}
	for i := range 1000 {
		types = append(types, fmt.Sprintf(`"s%d":{"kind":"struct","fields":[{"name":"f%d","type":{"kind":"ref","name":"t12"}},{"name":"g","type":{"kind":"bool"}}]}`, i, i))
		fields = append(fields, fmt.Sprintf(`{"name":"f%d","type":{"kind":"optional","elem":{"kind":"ref","name":"s%d"}}}`, i, i))
	}
	s, err := parse([]byte(fmt.Sprintf(`{"version":1,"type":{"kind":"struct","fields":[%s]},"types":{%s}}`, strings.Join(fields, ","), strings.Join(types, ","))))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestReadsHostile compares schemas of a few kilobytes whose leaves would need more memory or time
// than there is. The results must be correct and take less than a minute.
func TestReadsHostile(t *testing.T) {
	twice := func(below string) string {
		return fmt.Sprintf(`{"kind":"struct","fields":[{"name":"a","type":%s},{"name":"b","type":%s}]}`, below, below)
	}
	often := func(below string) string { return fmt.Sprintf(`{"kind":"array","count":2147483647,"elem":%s}`, below) }
	const number = `{"kind":"uint","bits":64,"coding":"little"}`
	const field = `{"name":"x","type":TOP}`
	wraps := fmt.Sprint(1<<(strconv.IntSize-3) + 1) // multiplied by 8 bytes, it overflows an int to 8
	skip := func(n int) string { return fmt.Sprintf(`{"name":"x","type":{"kind":"skip","count":%d}}`, n) }
	for _, test := range []struct {
		name           string
		reader, writer *schema.Schema
		reads          bool
	}{
		{"a tower on itself", tower(t, 40, twice, number, field), tower(t, 40, twice, number, field), true},
		{"a tower on another", tower(t, 40, twice, number, field), tower(t, 40, twice, `{"kind":"bool"}`, field), false},
		{"a tower on a skip", tower(t, 40, twice, number, skip(math.MaxInt)+`,`+field), tower(t, 40, twice, number, field+`,`+field), false},
		{"a skip on a tower", tower(t, 40, twice, number, field+`,`+field), tower(t, 40, twice, number, skip(8)+`,`+field), false},
		{"a tower of arrays on a skip", tower(t, 10, often, number, field), tower(t, 10, often, number, skip(8)), false},
		{"a count of bytes that wraps on a skip of 8", tower(t, 1, func(below string) string {
			return `{"kind":"array","count":` + wraps + `,"elem":` + below + `}`
		}, number, field), tower(t, 1, often, number, skip(8)), false},
		{"one number on a skip of 8", tower(t, 1, func(below string) string { return below }, number, field), tower(t, 1, often, number, skip(8)), true},
		{"many towers", towers(t), towers(t), true},
		{"3 numbers on a skip of 24", tower(t, 1, func(below string) string {
			return `{"kind":"array","count":3,"elem":` + below + `}`
		}, number, field), tower(t, 1, often, number, skip(24)), true},
	} {
		problems := test.reader.Reads(test.writer) // a comparison of each pair of types would take years
		if (len(problems) == 0) != test.reads {
			t.Errorf("%s: %.200q", test.name, problems)
		}
	}
}

// longNames returns a schema of 50 nested structs with long names. The innermost struct has many
// fields.
func longNames(t *testing.T, kind string) *schema.Schema {
	t.Helper()
	var types, fields []string
	for i := range 50 {
		types = append(types, fmt.Sprintf(`"t%d":{"kind":"struct","fields":[{"name":"%s","type":{"kind":"ref","name":"t%d"}},{"name":"b","type":{"kind":"bool"}}]}`,
			i, strings.Repeat("n", 2000), i+1))
	}
	for i := range 5000 {
		fields = append(fields, fmt.Sprintf(`{"name":"f%d","type":{"kind":"%s"}}`, i, kind))
	}
	types = append(types, `"t50":{"kind":"struct","fields":[`+strings.Join(fields, ",")+`]}`)
	return mustParse(t, `{"kind":"ref","name":"t0"}`, `"types":{`+strings.Join(types, ",")+`},`)
}

// allocated returns the number of bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestReadsLongNames compares schemas whose full names would take 500 MB, because each includes the
// names of all enclosing structs. The comparison must take little memory, and shorten the names in
// its problems.
func TestReadsLongNames(t *testing.T) {
	const most = 32 << 20
	bools, times := longNames(t, "bool"), longNames(t, "time")
	pair := mustParse(t, `{"kind":"struct","fields":[{"name":"x","type":{"kind":"bool"}},{"name":"y","type":{"kind":"bool"}}]}`, "")
	for _, test := range []struct {
		name           string
		reader, writer *schema.Schema
		problems       int
	}{
		{"itself", bools, bools, 0},
		{"other types", bools, times, 100},
		{"a small reader", pair, bools, 1},
		{"a small writer", bools, pair, 1},
	} {
		var problems []schema.Problem
		if n := allocated(func() { problems = test.reader.Reads(test.writer) }); n > most {
			t.Errorf("%s: %d MB allocated", test.name, n>>20)
		}
		if len(problems) != test.problems {
			t.Errorf("%s: %d problems, want %d", test.name, len(problems), test.problems)
		}
		for _, p := range problems {
			if len(p.String()) > 1000 {
				t.Fatalf("%s: a problem of %d bytes", test.name, len(p.String()))
			}
		}
	}
}

// TestReadsAtMost compares schemas and registries with more differences than a result holds. The
// result must have the first 100 differences, with shortened paths.
func TestReadsAtMost(t *testing.T) {
	fields := func(kind string) *schema.Schema {
		var list []string
		for range 70 {
			list = append(list, `{"name":"`+strings.Repeat("é", 1000)+strconv.Itoa(len(list))+`","type":{"kind":"`+kind+`"}}`)
		}
		return mustParse(t, `{"kind":"struct","fields":[`+strings.Join(list, ",")+`]}`, "")
	}
	models := func(kind string) *schema.Models {
		m := &schema.Models{Version: schema.Version, ID: mustParse(t, `{"kind":"string","length":"uvarint"}`, "")}
		for i := range 3 {
			m.Models = append(m.Models, schema.Model{ID: strconv.Quote(strings.Repeat("m", 1000) + strconv.Itoa(i)), Schema: fields(kind)})
		}
		return m
	}
	if got := fields("bool").Reads(fields("time")); len(got) != 70 || !utf8.ValidString(got[0].Path) || !strings.HasSuffix(got[0].Path, "é…") {
		t.Errorf("a schema: %d problems, %.300q", len(got), got)
	}
	got := models("bool").Reads(models("time"))
	if len(got) != 100 || len(got[0].Path) > 600 {
		t.Errorf("a registry: %d problems", len(got))
	}
	if got := models("bool").Reads(models("bool")); got != nil {
		t.Errorf("a registry and itself: %d problems", len(got))
	}
}

// TestCheckLongNames checks a schema with long names: the paths of all fields would take 500 MB.
func TestCheckLongNames(t *testing.T) {
	s := longNames(t, "bool")
	if n := allocated(func() {
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}); n > 8<<20 {
		t.Errorf("%d MB allocated", n>>20)
	}
	s.Types["t50"].Fields[7].Type.Kind = "none"
	if err := s.Check(); err == nil || len(err.Error()) > 400 || !strings.HasPrefix(err.Error(), "wire: schema: the value.nnn") {
		t.Errorf("%.500v", err)
	}
}

// TestRenames checks that a field with another name at the same position is read. The field must be
// reported, unless the tag option "was" has the other name.
func TestRenames(t *testing.T) {
	of := func(s *schema.Schema, err error) *schema.Schema { return wire.Must(s, err) }
	type order struct {
		ID         int64
		PriceCents int64
	}
	old := of(wire.SchemaOf[order]())
	for name, test := range map[string]struct {
		now  *schema.Schema
		want string
	}{
		"the same": {old, ""},
		"another":  {of(wire.SchemaOf[struct{ ID, StockCount int64 }]()), ".StockCount"},
		"both":     {of(wire.SchemaOf[struct{ Number, StockCount int64 }]()), ".Number .StockCount"},
		"was": {of(wire.SchemaOf[struct {
			ID    int64
			Price int64 `wire:",was=PriceCents"`
		}]()), ""},
		"grouped": {of(wire.SchemaOf[struct {
			Head struct{ ID int64 }
			Tail struct{ PriceCents int64 }
		}]()), ""},
		"within a group": {of(wire.SchemaOf[struct {
			ID   int64
			Tail struct{ Stock int64 }
		}]()), ".Tail"},
	} {
		if problems := test.now.Reads(old); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
		var paths []string
		for _, p := range test.now.Renames(old) {
			paths = append(paths, p.Path)
		}
		if got := strings.Join(paths, " "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	// A field inside the elements of a list is reported too.
	type list[T any] struct{ A []T }
	if got := of(wire.SchemaOf[list[struct{ ID, Stock int64 }]]()).Renames(of(wire.SchemaOf[list[order]]())); len(got) != 1 || got[0].Path != ".A[].Stock" {
		t.Error(got)
	}
}

// TestReadsCases compares unions after cases were added, removed, renamed or renumbered, and lists
// the expected problems and renames.
func TestReadsCases(t *testing.T) {
	union := func(cases ...string) *schema.Schema {
		var list []string
		for _, c := range cases {
			id, name, _ := strings.Cut(c, " ")
			list = append(list, `{"id":`+id+`,"name":"`+name+`","type":{"kind":"int","coding":"varint","bits":64}}`)
		}
		return mustParse(t, `{"kind":"union","tag":"uvarint","cases":[`+strings.Join(list, ",")+`]}`, "")
	}
	written := union("1 created", "2 deleted")
	for _, test := range []struct {
		reader           *schema.Schema
		problem, renamed string
	}{
		{union("1 created", "2 deleted"), "", ""},
		{union("1 created", "2 deleted", "3 moved"), "", ""},
		{union("1 created"), ".(deleted) is written under 2, which is not read", ""},
		{union("1 created", "3 deleted"), ".(deleted) is written under 2, and read under 3", ""},
		{union("1 deleted", "2 created"), ".(created) is written under 1, and read under 2", ""},
		{union("1 created", "2 removed"), "", `.(deleted) is written under 2, which is read as "removed"`},
		{union("1 created", "2 moved", "3 deleted"), ".(deleted) is written under 2, and read under 3", ""},
		{union("1 created", "2 x", "3 x"), "", `.(deleted) is written under 2, which is read as "x"`},
	} {
		for _, got := range []struct {
			list []schema.Problem
			want string
		}{{test.reader.Reads(written), test.problem}, {test.reader.Renames(written), test.renamed}} {
			if got.want == "" && got.list == nil {
				continue
			}
			if len(got.list) == 0 || got.list[0].String() != got.want {
				t.Errorf("got %v, want %q", got.list, got.want)
			}
		}
	}
}
