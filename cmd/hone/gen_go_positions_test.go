package main

import (
	"fmt"
	"strings"
	"testing"
)

// namedKinds are the kinds of which TestGenerateGoPositions declares named types. A slice has no named type that is
// the key of a map.
var namedKinds = []string{
	"bool", "int8", "int16", "int32", "int64", "int", "uint8", "uint16", "uint32", "uint64", "uint", "float32", "float64",
	"string", "[4]byte", "[]byte", "[]string", "[]int64",
}

// positions are the places of a type K in a struct. A name that begins with Key has K as the key of a map.
const positions = `struct {
	V        K
	P        *K
	O        mo.Option[K]
	S        []K
	PS       *[]K
	OS       mo.Option[[]K]
	SS       [][]K
	Named    sliceK
	A        [3]K
	Long     [100]K
	AS       [2][]K
	M        map[string]K
	MS       map[int][]K
	Anon     struct {
		V K
		S []K
		N sliceK
	}
	Anons    []struct{ S []K }
	Inner    innerK
	Inners   []innerK
	Key      map[K]int
	KeySlice map[K][]K
}`

// positionsMain compares the generated code with the engine.
const positionsMain = `
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(*n%2 == 1)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(int64(*n % 120))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		v.SetUint(uint64(*n % 250))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) / 2)
	case reflect.String:
		v.SetString(strings.Repeat("x", *n%5) + fmt.Sprint(*n))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(elem, n)
		v.SetMapIndex(key, elem)
	case reflect.Struct:
		if some, ok := v.Addr().Interface().(interface{ UnmarshalJSON([]byte) error }); ok {
			inner := reflect.New(v.Addr().MethodByName("ToPointer").Type().Out(0).Elem())
			fill(inner.Elem(), n)
			b, err := json.Marshal(inner.Interface())
			if err == nil {
				err = some.UnmarshalJSON(b)
			}
			if err != nil {
				panic(err)
			}
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	}
}

func compare[T any]() {
	for _, filled := range []bool{false, true} {
		v := new(T)
		if n := 0; filled {
			fill(reflect.ValueOf(v).Elem(), &n)
		}
		engine, err := wire.For[T](wire.Options{Interpret: true})
		if err != nil {
			panic(err)
		}
		want, err := engine.Append(nil, v)
		got, err2 := wire.Marshal(v)
		if err != nil || err2 != nil || string(got) != string(want) {
			panic(fmt.Sprintf("%T: %x, %v; the engine: %x, %v", *v, got, err2, want, err))
		}
		back := new(T)
		if err := wire.Unmarshal(want, back); err != nil || !reflect.DeepEqual(back, v) && filled {
			panic(fmt.Sprintf("%T: %v: %+v; want %+v", *v, err, *back, *v))
		}
		for end := range want {
			wrong, wrong2 := wire.Unmarshal(want[:end], new(T)), engine.Unmarshal(want[:end], new(T))
			if fmt.Sprint(wrong) != fmt.Sprint(wrong2) {
				panic(fmt.Sprintf("%T, %d bytes: %v; the engine: %v", *v, end, wrong, wrong2))
			}
		}
	}
}
`

// TestGenerateGoPositions generates codecs for a named type of each kind in each position, of the package and of
// another one, compiles them and compares them with the engine.
func TestGenerateGoPositions(t *testing.T) {
	t.Parallel()
	var main, kinds, calls strings.Builder
	main.WriteString("package main\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"reflect\"\n\t\"strings\"\n\n\t\"example.com/shop/kinds\"\n\t\"github.com/hone-go/hone/mo\"\n\t\"github.com/hone-go/hone/wire\"\n)\n")
	kinds.WriteString("package kinds\n")
	names := []string{"-wire"}
	for i, kind := range namedKinds {
		fmt.Fprintf(&main, "\ntype kind%d %s\n", i, kind)
		fmt.Fprintf(&kinds, "\ntype Kind%d %s\n", i, kind)
		for _, of := range []string{fmt.Sprintf("kind%d", i), fmt.Sprintf("kinds.Kind%d", i)} {
			name := fmt.Sprintf("of%s", strings.Replace(of, ".", "_", 1))
			fmt.Fprintf(&main, "type slice%s []%s\ntype inner%[1]s struct {\n\tV %[2]s\n\tS []%[2]s\n}\n", name, of)
			text := strings.NewReplacer("sliceK", "slice"+name, "innerK", "inner"+name, "[K]", "["+of+"]", "K\n", of+"\n", "K ", of+" ", "]K", "]"+of, "*K", "*"+of).Replace(positions)
			var lines []string
			for line := range strings.Lines(text) {
				if strings.HasPrefix(kind, "[]") && strings.HasPrefix(line, "\tKey") {
					continue
				}
				lines = append(lines, line)
			}
			fmt.Fprintf(&main, "type %s %s\n", name, strings.Join(lines, ""))
			fmt.Fprintf(&calls, "\tcompare[%s]()\n", name)
			names = append(names, name)
		}
	}
	main.WriteString(positionsMain + "\nfunc main() {\n" + calls.String() + "}\n")
	m := moduleOf(t, map[string]string{"main.go": main.String(), "kinds/kinds.go": kinds.String()})
	if stdout, stderr, code := m.generate(t, names...); code != 0 {
		t.Fatalf("exit %d, %s%s", code, stdout, stderr)
	}
	if stdout, stderr := m.run(t); stdout+stderr != "" {
		t.Errorf("%s%s", stdout, stderr)
	}
}
