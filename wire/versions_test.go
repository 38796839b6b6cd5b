package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire/schema"
)

// Versions of one struct, an account. The comment on each states how it differs from the previous
// version.
type (
	account01 struct {
		_    Evolving
		Name string
		Port int16
	}
	account02 struct { // Tags is added
		_    Evolving
		Name string
		Port int16
		Tags []string
	}
	account03 struct { // Port has more bits
		_    Evolving
		Name string
		Port int32
	}
	account04 struct {
		_    Evolving
		Name string
		Port int64
		Tags []string
	}
	account05 struct { // Name is called Title
		_     Evolving
		Title string `wire:",was=Name"`
		Port  int16
		Tags  []string
	}
	account06 struct { // Port is removed
		_    Evolving
		Name string
		_    Removed[int16] `wire:",was=Port"`
		Tags []string
	}
	account07 struct {
		_     Evolving
		Name  string
		_     Removed[int64] `wire:",was=Port"`
		Tags  []string
		Limit uint32
	}
	account08 struct { // unknown fields are kept
		_     Evolving
		Name  string
		_     Removed[int32] `wire:",was=Port"`
		Tags  []string
		Limit uint64
		Unknown
	}
	account09 struct {
		_    Evolving
		Name string
		Port int16
		Rest Unknown
	}
	account10 struct {
		_    Evolving
		Name string
		Rest Unknown
	}
	account11 struct {
		_ Evolving
		Unknown
	}
	account12 struct { // Level is a varint of 8 bits
		_     Evolving
		Name  string
		Port  int16
		Tags  []string
		Limit uint32
		Level uint8 `wire:",varint"`
	}
	account13 struct { // Level has more bits
		_     Evolving
		Name  string
		Port  int16
		Tags  []string
		Limit uint32
		Level uint16
	}
	account14 struct { // Body is added
		_     Evolving
		Name  string
		Port  int32
		Tags  []string
		Limit uint32
		Level uint16
		Body  Raw[account01]
	}
	account15 struct { // Body is decoded later
		_     Evolving
		Name  string
		Port  int32
		Tags  []string
		Limit uint32
		Level uint16
		Body  []byte
	}
	account16 struct { // Body is evolving too
		_     Evolving
		Name  string
		Port  int32
		Tags  []string
		Limit uint32
		Level uint16
		Body  Raw[account04]
	}
	account17 struct { // an account in an account, which keeps unknown fields
		_     Evolving
		Name  string
		Port  int64
		Tags  []string
		Limit uint64
		Level uint32
		Body  Raw[account04]
		Owner account09
		Email mo.Option[string]
	}
	account18 struct { // Owner has more fields, Email is removed
		_     Evolving
		Name  string
		Port  int64
		Tags  []string
		Limit uint64
		Level uint32
		Body  Raw[account04]
		Owner account04
		_     Removed[mo.Option[string]] `wire:",was=Email"`
		Since int64                      `wire:",fixed"`
	}
	account19 struct { // names change: Host was Name, and another field is Name
		_    Evolving
		Host []byte   `wire:",was=Name"`
		Name int16    `wire:",was=Port"`
		Port []string `wire:",was=Tags"`
	}
	account20 struct { // a mistake: two fields are swapped
		_    Evolving
		Port int16
		Name string
	}
	account21 struct { // a mistake: Port becomes unsigned
		_    Evolving
		Name string
		Port uint16
	}
	account22 struct { // a mistake: the struct is not marked as evolving
		Name string
		Port int16
	}
	account23 struct { // a mistake: Port is deleted without a Removed in its place
		_    Evolving
		Name string
		Tags []string
	}
)

func accountTypes() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[account01](), reflect.TypeFor[account02](), reflect.TypeFor[account03](), reflect.TypeFor[account04](),
		reflect.TypeFor[account05](), reflect.TypeFor[account06](), reflect.TypeFor[account07](), reflect.TypeFor[account08](),
		reflect.TypeFor[account09](), reflect.TypeFor[account10](), reflect.TypeFor[account11](), reflect.TypeFor[account12](),
		reflect.TypeFor[account13](), reflect.TypeFor[account14](), reflect.TypeFor[account15](), reflect.TypeFor[account16](),
		reflect.TypeFor[account17](), reflect.TypeFor[account18](), reflect.TypeFor[account19](), reflect.TypeFor[account20](),
		reflect.TypeFor[account21](), reflect.TypeFor[account22](), reflect.TypeFor[account23](),
	}
}

// fillAccount sets all fields of v, to small values or, if large is set, to values with all bits.
func fillAccount(v reflect.Value, large bool) {
	switch is := v.Addr().Interface().(type) {
	case *Unknown:
		return
	case *Raw[account01]:
		var body account01
		fillAccount(reflect.ValueOf(&body).Elem(), large)
		*is = Must(Marshal(&body))
		return
	case *Raw[account04]:
		var body account04
		fillAccount(reflect.ValueOf(&body).Elem(), large)
		*is = Must(Marshal(&body))
		return
	case *mo.Option[string]:
		*is = mo.Some("a@example.org")
		return
	case *[]byte:
		*is = []byte("AB")
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("AB")
	case reflect.Slice:
		v.Set(reflect.ValueOf([]string{"x", "yz"}))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fillAccount(v.Field(i), large)
			}
		}
	default:
		switch n := uint64(7); {
		case v.CanInt() && large:
			v.SetInt(-1 << (min(v.Type().Bits(), 50) - 1))
		case v.CanInt():
			v.SetInt(-7)
		case large:
			v.SetUint(1<<min(v.Type().Bits(), 50) - 1)
		default:
			v.SetUint(n)
		}
	}
}

// The file of vectors has the schema and values of each version, and the results of decoding the
// values of each version by every other. It is for implementations in any language.
type (
	versionVectors struct {
		Versions []versionVector `json:"versions"`
		Reads    []readVector    `json:"reads"`
	}
	versionVector struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
		Values []valueVector   `json:"values"`
	}
	valueVector struct {
		Bytes string          `json:"bytes,omitempty"` // hexadecimal
		JSON  json.RawMessage `json:"json,omitempty"`
		Fails bool            `json:"fails,omitempty"` // decoding fails; only if the schemas have problems
	}
	readVector struct {
		Reader   string        `json:"reader"`
		Writer   string        `json:"writer"`
		Problems []string      `json:"problems,omitempty"`
		Values   []valueVector `json:"values,omitempty"` // the values, as the reader decodes and encodes them
	}
)

// TestVersions encodes values of each version and decodes them by every other. If the schemas
// have no problem, decoding succeeds and the values agree. If decoding fails, the schemas have a
// problem. The results are frozen; HONE_UPDATE=1 adds new ones.
func TestVersions(t *testing.T) {
	types := accountTypes()
	codecs := make([]*AnyCodec, len(types))
	written := make([][2]reflect.Value, len(types))
	var got versionVectors
	for i, typ := range types {
		codecs[i] = Must(ForType(typ))
		one := versionVector{Name: typ.Name(), Schema: Must(json.Marshal(codecs[i].Schema()))}
		for k := range written[i] {
			written[i][k] = reflect.New(typ)
			fillAccount(written[i][k].Elem(), k == 1)
			one.Values = append(one.Values, valueOf(t, codecs[i], written[i][k]))
		}
		got.Versions = append(got.Versions, one)
	}
	for r := range types {
		for w := range types {
			one := readVector{Reader: types[r].Name(), Writer: types[w].Name()}
			for _, p := range codecs[r].Schema().Reads(codecs[w].Schema()) {
				one.Problems = append(one.Problems, p.String())
			}
			for k, v := range written[w] {
				data := Must(codecs[w].Append(nil, v.Interface()))
				one.Values = append(one.Values, readVersion(t, codecs[r], types[r], v, data, one.Problems, fmt.Sprintf("%s, value %d of %s", one.Reader, k, one.Writer)))
			}
			if one.Problems != nil {
				for k := range one.Values { // the values are not specified if the schemas have problems
					one.Values[k] = valueVector{Fails: one.Values[k].Fails}
				}
			}
			got.Reads = append(got.Reads, one)
		}
	}
	compareVersions(t, got)
}

func valueOf(t *testing.T, c *AnyCodec, v reflect.Value) valueVector {
	t.Helper()
	data, err := c.Append(nil, v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	out := valueVector{Bytes: hex.EncodeToString(data)}
	if out.JSON, err = c.Schema().AppendJSON(nil, data); err != nil {
		t.Fatalf("%x, the encoding of a %v: %v", data, v.Type(), err)
	}
	return out
}

// readVersion decodes data, the encoding of v, into a new typ.
func readVersion(t *testing.T, c *AnyCodec, typ reflect.Type, v reflect.Value, data []byte, problems []string, name string) valueVector {
	t.Helper()
	read := reflect.New(typ)
	err := c.Unmarshal(data, read.Interface())
	switch {
	case err != nil && problems == nil:
		t.Errorf("%s: %v, though the schemas have no problem", name, err)
	case err != nil:
		return valueVector{Fails: true}
	case problems != nil:
		return valueVector{}
	case !agree(read.Elem(), v.Elem()):
		t.Errorf("%s: %+v is decoded as %+v", name, v.Elem(), read.Elem())
	}
	if text, err := c.Schema().AppendJSON(nil, data); err != nil {
		t.Errorf("%s: the bytes are not read by the schema: %v: %s", name, err, text)
	}
	return valueOf(t, c, read)
}

// compareVersions compares the results with the file, which has one line for each version and
// each pair of versions.
func compareVersions(t *testing.T, got versionVectors) {
	t.Helper()
	path := filepath.Join("testdata", "versions", "v1.json")
	var lines bytes.Buffer
	line := func(v any, last bool) {
		lines.WriteString("\t\t")
		lines.Write(Must(json.Marshal(v)))
		if !last {
			lines.WriteByte(',')
		}
		lines.WriteByte('\n')
	}
	lines.WriteString("{\n\t\"versions\": [\n")
	for i, v := range got.Versions {
		line(v, i == len(got.Versions)-1)
	}
	lines.WriteString("\t],\n\t\"reads\": [\n")
	for i, r := range got.Reads {
		line(r, i == len(got.Reads)-1)
	}
	lines.WriteString("\t]\n}\n")
	frozen, err := os.ReadFile(path)
	if os.Getenv("HONE_UPDATE") != "" && os.IsNotExist(err) {
		if err := os.WriteFile(path, lines.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	was, is := bytes.Split(frozen, []byte("\n")), bytes.Split(lines.Bytes(), []byte("\n"))
	for i := range max(len(was), len(is)) {
		if i >= len(was) || i >= len(is) || !bytes.Equal(was[i], is[i]) {
			t.Fatalf("line %d of %s differs from the results:\n%s", i+1, path, is[min(i, len(is)-1)])
		}
	}
}

// TestVersionSchemas compares all pairs of schemas in the file, from which other implementations
// start. At least a quarter of the pairs must be compatible, and at least a quarter must not.
func TestVersionSchemas(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "versions", "v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all versionVectors
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*schema.Schema{}
	for _, v := range all.Versions {
		s := new(schema.Schema)
		if err := json.Unmarshal(v.Schema, s); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		schemas[v.Name] = s
	}
	compatible := 0
	for _, r := range all.Reads {
		var problems []string
		for _, p := range schemas[r.Reader].Reads(schemas[r.Writer]) {
			problems = append(problems, p.String())
		}
		if !reflect.DeepEqual(problems, r.Problems) {
			t.Errorf("%s of %s: %q, want %q", r.Reader, r.Writer, problems, r.Problems)
		}
		if problems == nil {
			compatible++
		}
	}
	if n := len(all.Versions); compatible < n*n/4 || compatible > n*n*3/4 {
		t.Errorf("%d of %d pairs have no problem: the versions are too much alike", compatible, n*n)
	}
}
