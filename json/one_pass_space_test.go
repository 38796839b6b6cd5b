package json

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// TestDirectSpaces puts white space of many lengths at each place where it is allowed, into texts of
// which some end soon after it.
func TestDirectSpaces(t *testing.T) {
	type spaced struct {
		A int
		B []float64
		C map[string]struct{ D string }
		E []string
		F []struct{ G int64 }
		H []int
		I string `json:"long enough for two words"`
		J bool
		K any
	}
	typ := reflect.TypeFor[spaced]()
	blanks := []string{"", " ", "\t", "\r\n", "\n\t\t", "  ", " \n "}
	for n := range 40 {
		blanks = append(blanks, "\n"+strings.Repeat(" ", n), "\n\n"+strings.Repeat(" ", n))
	}
	for _, text := range []string{
		`{_"A"_:_1_,_"B"_:_[_1.5_,_2_,_0.25_]_,_"C"_:_{_"x"_:_{_"D"_:_"d"_}_,_"y"_:_{_}_}_,_"E"_:_[_"e"_,_""_]_}`,
		`{_"F"_:_[_{_"G"_:_1_}_,_{_}_]_,_"H"_:_[_3_,_4_]_,_"long enough for two words"_:_"i"_,_"J"_:_true_,_"K"_:_{_"a"_:_[_1_,_[_]_,_{_}_,_"s"_]_,_"b"_:_null_}_}`,
		`_{_"J"_:_false_,_"B"_:_[_]_,_"C"_:_{_}_,_"A"_:_2_}_`,
	} {
		for _, blank := range blanks {
			whole := []byte(strings.ReplaceAll(text, "_", blank))
			if !sameDirect(t, typ, whole) {
				t.Errorf("%q is not decoded in one pass", whole)
			}
			// Each place alone, and what is left if one of the other bytes is missing.
			parts := strings.Split(text, "_")
			for at := 1; at < len(parts); at++ {
				one := strings.Join(parts[:at], "") + blank + strings.Join(parts[at:], "")
				sameDirect(t, typ, []byte(one))
				sameDirect(t, typ, []byte(strings.Join(parts[:at-1], "")+blank+strings.Join(parts[at:], "")))
			}
		}
	}
}

// TestDirectColons decodes names that end in punctuation, before a colon that is missing.
func TestDirectColons(t *testing.T) {
	typ := reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"x:"`},
		{Name: "B", Type: reflect.TypeFor[int](), Tag: `json:": "`},
		{Name: "C", Type: reflect.TypeFor[map[string]int]()},
	})
	for _, name := range []string{"x:", ": "} {
		for _, separator := range []string{":", " :", ": ", " : ", "", " ", "  ", "::", ",", ": :"} {
			for _, rest := range []string{"}", `,"C":{"a:"1}}`, `,"C":{"a:":1}}          `, "                              }"} {
				sameDirect(t, typ, []byte(`{"`+name+`"`+separator+"1"+rest))
			}
		}
	}
}

// TestDirectMaps decodes maps of many sizes, with names that repeat, that have escapes and that are not
// ASCII, below and above the size up to which elements are decoded before the map is made.
func TestDirectMaps(t *testing.T) {
	type element struct {
		P    *int
		S    []string
		M    map[string]element
		Room [1000]byte
	}
	type key string
	for _, typ := range []reflect.Type{
		reflect.TypeFor[map[string]element](), reflect.TypeFor[map[key]*element](), reflect.TypeFor[map[string]map[string]element](),
		reflect.TypeFor[struct{ M, N map[string][]map[string]*int }](),
		reflect.TypeFor[map[string]string](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]bool](), reflect.TypeFor[map[string]int32](),
		reflect.TypeFor[map[string]uint8](), reflect.TypeFor[map[key]float64](), reflect.TypeFor[map[string]RawMessage](), reflect.TypeFor[any](),
	} {
		for _, size := range []int{0, 1, 2, 7, 8, 9, 16, 17, 100, 2000} {
			var b strings.Builder
			for i := range size {
				element := map[reflect.Kind]string{reflect.String: `"v"`, reflect.Bool: "true", reflect.Slice: fmt.Sprint("[", i%5, "]")}[kindOf(typ)]
				if element == "" {
					element = fmt.Sprint(i % 100)
				}
				if k := kindOf(typ); k == reflect.Struct || k == reflect.Pointer || k == reflect.Map {
					element = fmt.Sprintf(`{"P":%d,"S":["a"],"M":{"k":{"P":1}}}`, i)
				}
				fmt.Fprintf(&b, `,"%s":%s`, []string{fmt.Sprint("k", i), "same", `e\u0073c` + fmt.Sprint(i), "é" + fmt.Sprint(i)}[i%4], element)
			}
			text := "{" + strings.TrimPrefix(b.String(), ",") + "}"
			if typ.Kind() == reflect.Struct {
				text = `{"M":{"a":[{"x":1},{"y":2,"x":3}],"b":[]},"N":{"a":[{},{"z":null}]}}`
			}
			sameDirect(t, typ, []byte(text))
			got, want := reflect.New(typ), reflect.New(typ)
			err, wantErr := Unmarshal([]byte(text), got.Interface()), json.Unmarshal([]byte(text), want.Interface())
			if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Fatalf("%v of %d: %v, encoding/json %v", typ, size, err, wantErr)
			}
		}
	}
}

// kindOf returns the kind of the elements of a map.
func kindOf(t reflect.Type) reflect.Kind {
	if t.Kind() != reflect.Map {
		return t.Kind()
	}
	return t.Elem().Kind()
}

// TestDirectMapShares checks that the elements of two maps share no memory.
func TestDirectMapShares(t *testing.T) {
	type element struct {
		List []int
		Next *element
	}
	text := []byte(`{"a":{"List":[1,2],"Next":{"List":[3]}},"b":{},"c":{"List":[4,5,6]}}`)
	var first, second map[string]element
	for _, v := range []*map[string]element{&first, &second} {
		if err := Unmarshal(text, v); err != nil {
			t.Fatal(err)
		}
	}
	copied := maps.Clone(second)
	first["a"].List[0], first["a"].Next.List[0], first["c"].List[2] = 7, 8, 9
	var want map[string]element
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(second, want) || !reflect.DeepEqual(copied, want) {
		t.Errorf("got %+v, want %+v", second, want)
	}
	var bare map[string]element
	if err := Unmarshal([]byte(`{"b":{},"d":{}}`), &bare); err != nil || !reflect.DeepEqual(bare, map[string]element{"b": {}, "d": {}}) {
		t.Errorf("got %+v, %v", bare, err)
	}
}

// TestDirectMemory decodes texts that need much memory before their end: names and elements that repeat, in
// flat and in nested containers. The decode may allocate a small multiple of the text, and the next one must not
// pay for it.
func TestDirectMemory(t *testing.T) {
	if byStd(DefaultEngine) {
		t.Skip("tests the memory of Hone's engine")
	}
	testkit.SkipIfInstrumented(t)
	type wide struct {
		Next map[string]wide
		Pad  [1000]int64
	}
	type nest map[string]nest
	nested := func(levels int, others string, count int) string {
		return strings.Repeat(`{`+strings.Repeat(others+",", count)+`"":`, levels) + "null" + strings.Repeat("}", levels)
	}
	const million = 1 << 20
	for _, test := range []struct {
		name, text string
		v          any
		most       uint64 // the allocated bytes
	}{
		{"list in an interface", "[" + strings.Repeat("0,", million) + "0]", new(any), 100 * million},
		{"list with an error", "[" + strings.Repeat("0,", million) + "x]", new(any), 100 * million},
		{"object in an interface", "{" + strings.Repeat(`"":0,`, million) + `"":0}`, new(any), 100 * million},
		{"map without elements", "{" + strings.Repeat(`"":{},`, million) + `"":{}}`, new(map[string]struct{}), 100 * million},
		{"map with an error", "{" + strings.Repeat(`"":{},`, million) + `"":x}`, new(map[string]struct{}), 100 * million},
		{"wide elements", strings.ReplaceAll(nested(60, `"":{}`, 200), `{"":{}`, `{"Next":{"":{}`), new(wide), 20 * million},
		{"nested maps", nested(24, `"":null`, 20_000), new(nest), 100 * million},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := Unmarshal([]byte(test.text), test.v)
		runtime.ReadMemStats(&after)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > test.most+16*uint64(len(test.text)) {
			t.Errorf("%s: %d bytes allocated for a text of %d bytes (%v)", test.name, allocated, len(test.text), err)
		}
	}
	d := decodingOf(plainFlags).Take()
	defer d.Put()
	d.Direct([]byte("["+strings.Repeat("0,", million)+"x]"), reflect.ValueOf(new(any)), nil, plainFlags)
	var small []int8
	if n := testing.AllocsPerRun(100, func() { d.Direct([]byte(`[1,"x"]`), reflect.ValueOf(&small), nil, plainFlags) }); n > 20 {
		t.Errorf("%v allocations after a large text", n)
	}
}

// TestDirectAliases overwrites the input after a decode with AliasInput. Keys of maps never alias it.
func TestDirectAliases(t *testing.T) {
	for _, name := range []string{"plain", "é", `escaped\n`} {
		data := []byte(`{"` + name + `":1}`)
		var m map[string]int
		var x any
		for _, v := range []any{&m, &x} {
			if err := (Config{AliasInput: true}).Unmarshal(data, v); err != nil {
				t.Fatal(err)
			}
		}
		for i := range data {
			data[i] = 'Z'
		}
		want := strings.ReplaceAll(name, `\n`, "\n")
		if m[want] != 1 || x.(map[string]any)[want] == nil {
			t.Errorf("%q: %v, %v", want, m, x)
		}
	}
}
