package layout

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/wire"
)

// The vectors are values with the bytes that Parco wrote for them.
type vector struct {
	Layout string
	Value  json.RawMessage
	Hex    string
}

func vectors(t testing.TB) []vector {
	data, err := os.ReadFile("testdata/parco/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// codecOf returns the codec of a T that is laid out as of.
func codecOf[T any](t testing.TB, of Type[T]) *wire.Codec[T] {
	t.Helper()
	c, err := New(func(l *Fields, v *T) { Field(l, v, of) })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// holds checks that v has these bytes by of, that they read back as v or, if it
// is not as it was written, as back, and that no part of them does.
func holds[T any](t *testing.T, of Type[T], v T, data []byte) {
	t.Helper()
	c := codecOf(t, of)
	got, err := c.Append([]byte("x"), &v)
	if err != nil || string(got) != "x"+string(data) {
		t.Errorf("%v is written as %x, %v; Parco writes %x", v, got[1:], err, data)
	}
	var back T
	if err := c.Unmarshal(data, &back); err != nil {
		t.Errorf("%x: %v", data, err)
		return
	}
	if !same(reflect.ValueOf(v), reflect.ValueOf(back)) {
		t.Errorf("%x reads back as %#v, want %#v", data, back, v)
	}
	for n := range data {
		if err := c.Unmarshal(data[:n], new(T)); err == nil {
			t.Errorf("%d of the %d bytes of %x are taken for a value", n, len(data), data)
		}
	}
	if err := c.Unmarshal(append(bytes.Clone(data), 0), new(T)); err == nil {
		t.Errorf("%x and a byte are taken for a value", data)
	}
	if size, err := c.Size(&v); err != nil || size != len(data) {
		t.Errorf("Size = %d, %v, want %d", size, err, len(data))
	}
}

// same is reflect.DeepEqual but for times, which are equal as instants with
// locations, NaNs, and nil slices and maps, which read back empty.
func same(a, b reflect.Value) bool {
	if a.Type() == reflect.TypeFor[time.Time]() {
		x, y := a.Interface().(time.Time), b.Interface().(time.Time)
		return x.Equal(y) && x.Location().String() == y.Location().String()
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case reflect.Slice, reflect.Map:
		if b.IsNil() {
			return false
		}
		if a.Len() == 0 {
			return b.Len() == 0
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

func value[T any](t *testing.T, v vector) (out T) {
	t.Helper()
	raw := v.Value
	kind := reflect.TypeFor[T]().Kind()
	if strings.HasPrefix(string(raw), `"`) && kind != reflect.String && kind != reflect.Pointer {
		text := value[string](t, v)
		if text == "" {
			return out // an empty slice
		}
		raw = json.RawMessage(text)
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s %s: %v", v.Layout, v.Value, err)
	}
	return out
}

type pet struct {
	Specie string
	Age    uint8
}

type animal struct {
	Name  string
	Num   uint16
	Tags  []string
	Meta  map[string]uint8
	Ok    bool
	Pet   pet
	Ptr   *int
	Flags [5]bool
	F32   float32
	F64   float64
	At    time.Time
	Small int32
	Big   int64
	UBig  uint64
	B     uint8
	I8    int8
}

func layoutPet(l *Fields, p *pet) {
	SmallVarchar(l, &p.Specie)
	Uint8(l, &p.Age)
}

func layoutAnimal(t testing.TB) *wire.Codec[animal] {
	pets := wire.Must(New(layoutPet))
	c, err := New(func(l *Fields, a *animal) {
		Varchar(l, &a.Name)
		Uint16(l, &a.Num, LE)
		Slice(l, &a.Tags, LenU16LE, SmallVarcharType)
		Map(l, &a.Meta, LenU8, SmallVarcharType, Uint8Type)
		Bool(l, &a.Ok)
		Struct(l, &a.Pet, pets)
		Optional(l, &a.Ptr, IntType(LE))
		Array(l, a.Flags[:], BoolType)
		Float32(l, &a.F32, LE)
		Float64(l, &a.F64, BE)
		TimeUTC(l, &a.At)
		Int32(l, &a.Small, BE)
		Int64(l, &a.Big, LE)
		Uint64(l, &a.UBig, BE)
		Uint8(l, &a.B)
		Int8(l, &a.I8)
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var lens = map[string]Len{
	"u8": LenU8, "i8": LenI8, "u16le": LenU16LE, "u16be": LenU16BE, "i16le": LenI16LE, "i16be": LenI16BE,
	"u32le": LenU32LE, "u32be": LenU32BE, "i32le": LenI32LE, "i32be": LenI32BE,
	"u64le": LenU64LE, "u64be": LenU64BE, "i64le": LenI64LE, "i64be": LenI64BE,
	"int le": LenI64LE, "int be": LenI64BE, "uint le": LenU64LE, "uint be": LenU64BE,
}

func TestParco(t *testing.T) {
	all := vectors(t)
	if len(all) != 285 {
		t.Fatalf("%d vectors", len(all))
	}
	for _, v := range all {
		data, err := hex.DecodeString(v.Hex)
		if err != nil {
			t.Fatal(err)
		}
		o := LE
		if strings.Contains(v.Layout, "be") && !strings.HasPrefix(v.Layout, "str") {
			o = BE
		}
		bits := func() uint64 {
			n, err := strconv.ParseUint(strings.TrimPrefix(value[string](t, v), "bits 0x"), 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		args := strings.Split(strings.TrimSuffix(v.Layout[strings.IndexByte(v.Layout, '(')+1:], ")"), ", ")
		length := lens[args[0]]
		switch name, _, _ := strings.Cut(v.Layout, "("); {
		case v.Layout == "u8":
			holds(t, Uint8Type, value[uint8](t, v), data)
		case v.Layout == "i8":
			holds(t, Int8Type, value[int8](t, v), data)
		case strings.HasPrefix(v.Layout, "u16"):
			holds(t, Uint16Type(o), value[uint16](t, v), data)
		case strings.HasPrefix(v.Layout, "i16"):
			holds(t, Int16Type(o), value[int16](t, v), data)
		case strings.HasPrefix(v.Layout, "u32"):
			holds(t, Uint32Type(o), value[uint32](t, v), data)
		case strings.HasPrefix(v.Layout, "i32"):
			holds(t, Int32Type(o), value[int32](t, v), data)
		case strings.HasPrefix(v.Layout, "u64"):
			holds(t, Uint64Type(o), value[uint64](t, v), data)
		case strings.HasPrefix(v.Layout, "i64"):
			holds(t, Int64Type(o), value[int64](t, v), data)
		case strings.HasPrefix(v.Layout, "int "):
			holdsInt(t, v, o, data)
		case strings.HasPrefix(v.Layout, "uint "):
			holdsInt(t, v, o, data)
		case strings.HasPrefix(v.Layout, "f32"):
			holds(t, Float32Type(o), math.Float32frombits(uint32(bits())), data)
		case strings.HasPrefix(v.Layout, "f64"):
			holds(t, Float64Type(o), math.Float64frombits(bits()), data)
		case v.Layout == "bool":
			holds(t, BoolType, value[bool](t, v), data)
		case v.Layout == "smallvarchar":
			holds(t, SmallVarcharType, value[string](t, v), data)
		case name == "varchar ":
			holds(t, VarcharType, value[string](t, v), data)
		case v.Layout == "varcharorder be":
			holds(t, VarcharOrderType(BE), value[string](t, v), data)
		case name == "text le ", name == "text be ":
			holds(t, TextType(o), value[string](t, v), data)
		case name == "longtext le ":
			holds(t, LongTextType(LE), value[string](t, v), data)
		case name == "blob":
			text, err := strconv.Unquote(strings.TrimPrefix(value[string](t, v), "utf-8 of "))
			if err != nil {
				t.Fatal(err)
			}
			holds(t, BlobType(length), []byte(text), data)
		case name == "string":
			holds(t, StringType(length), value[string](t, v), data)
		case v.Layout == "timeutc":
			holds(t, TimeUTCType, parcoTime(t, v), data)
		case strings.HasPrefix(v.Layout, "timelocation"):
			holds(t, TimeLocationType, parcoTime(t, v), data)
		case v.Layout == "option(i32le)":
			holds(t, OptionalType(Int32Type(LE)), value[*int32](t, v), data)
		case v.Layout == "option(smallvarchar)":
			holds(t, OptionalType(SmallVarcharType), value[*string](t, v), data)
		case v.Layout == "slice(u8, slice(u8, bool))":
			holds(t, SliceType(LenU8, SliceType(LenU8, BoolType)), value[[][]bool](t, v), data)
		case name == "slice" && args[1] == "u16le":
			holds(t, SliceType(length, Uint16Type(LE)), value[[]uint16](t, v), data)
		case name == "slice" && args[1] == "smallvarchar":
			holds(t, SliceType(length, SmallVarcharType), value[[]string](t, v), data)
		case name == "slice" && args[1] == "u8) empty":
			holds(t, SliceType(length, Uint8Type), value[[]uint8](t, v), data)
		case name == "map":
			holds(t, MapType(length, SmallVarcharType, Uint32Type(BE)), value[map[string]uint32](t, v), data)
		case v.Layout == "array(3, i16be)":
			holds(t, ArrayType(func(a *[3]int16) []int16 { return a[:] }, Int16Type(BE)), value[[3]int16](t, v), data)
			holds(t, ListType(3, Int16Type(BE)), value[[]int16](t, v), data)
		case name == "skip":
			n, err := strconv.Atoi(args[0])
			if err != nil {
				t.Fatal(err)
			}
			c, err := New(func(l *Fields, _ *struct{}) { l.Skip(n) })
			if err != nil {
				t.Fatal(err)
			}
			holds(t, StructType(c), struct{}{}, data)
		case strings.HasPrefix(v.Layout, "struct{Name varchar"):
			holds(t, StructType(layoutAnimal(t)), value[animal](t, v), data)
		case strings.HasPrefix(v.Layout, "stream of models"):
			testModelStream(t, v, data)
		default:
			t.Errorf("no layout for %s", v.Layout)
		}
	}
}

// holdsInt checks an int or a uint, which has 8 bytes and may not fit memory on a
// 32-bit platform; there it must be refused.
func holdsInt(t *testing.T, v vector, o Order, data []byte) {
	t.Helper()
	text := value[string](t, v)
	if strings.HasPrefix(v.Layout, "int ") {
		if n, err := strconv.Atoi(text); err == nil {
			holds(t, IntType(o), n, data)
		} else if err := codecOf(t, IntType(o)).Unmarshal(data, new(int)); err == nil {
			t.Errorf("%s is taken for an int", text)
		}
		return
	}
	if n, err := strconv.ParseUint(text, 10, strconv.IntSize); err == nil {
		holds(t, UintType(o), uint(n), data)
	} else if err := codecOf(t, UintType(o)).Unmarshal(data, new(uint)); err == nil {
		t.Errorf("%s is taken for a uint", text)
	}
}

func parcoTime(t *testing.T, v vector) time.Time {
	t.Helper()
	text, zone, _ := strings.Cut(value[string](t, v), " in ")
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	return at.In(loc)
}

func testModelStream(t *testing.T, v vector, data []byte) {
	t.Helper()
	if strings.Contains(v.Layout, "header u8:") {
		modelStream(t, v, data, Uint8Type, 1, 7)
	} else {
		modelStream(t, v, data, Uint16Type(LE), 300, 2)
	}
}

func modelStream[ID comparable](t *testing.T, v vector, data []byte, header Type[ID], petID, animalID ID) {
	t.Helper()
	models := wire.Must(NewModels(header))
	if err := RegisterModel(models, petID, wire.Must(New(layoutPet))); err != nil {
		t.Fatal(err)
	}
	if err := RegisterModel(models, animalID, layoutAnimal(t)); err != nil {
		t.Fatal(err)
	}
	parts := value[[]json.RawMessage](t, v)
	var p pet
	var a animal
	if err := json.Unmarshal(parts[0], &p); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(parts[1], &a); err != nil {
		t.Fatal(err)
	}
	got, err := AppendModel(models, nil, &p)
	if err == nil {
		got, err = models.Append(got, a)
	}
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("models are written as %x, %v; Parco writes %x", got, err, data)
	}
	d := models.NewDecoder(bytes.NewReader(data), 0)
	id, one, err := d.Decode()
	if got, ok := one.(*pet); err != nil || id != petID || !ok || *got != p {
		t.Errorf("Decode = %v, %v, %v", id, one, err)
	}
	id, two, err := d.Decode()
	if got, ok := two.(*animal); err != nil || id != animalID || !ok || !same(reflect.ValueOf(*got), reflect.ValueOf(a)) {
		t.Errorf("Decode = %v, %v, %v", id, two, err)
	}
	rest, err := DecodeModel(models, data, new(pet))
	if err != nil {
		t.Fatal(err)
	}
	var back animal
	if rest, err = DecodeModel(models, rest, &back); err != nil || len(rest) > 0 || !same(reflect.ValueOf(back), reflect.ValueOf(a)) {
		t.Errorf("DecodeModel = %v, %d bytes left, %v", back, len(rest), err)
	}
}
