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

// A vector is a value with the bytes that Parco wrote for it.
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

// codecOf returns a codec that encodes a T by typ.
func codecOf[T any](t testing.TB, typ Type[T]) *wire.Codec[T] {
	t.Helper()
	c, err := New(func(l *Fields, v *T) { Field(l, v, typ) })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// holds checks that v is encoded by typ as data, and that data is decoded as v. The decoder must
// refuse every proper prefix of data, and data followed by another byte.
func holds[T any](t *testing.T, typ Type[T], v T, data []byte) {
	t.Helper()
	c := codecOf(t, typ)
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
		t.Errorf("%x is decoded as %#v, want %#v", data, back, v)
	}
	for n := range data {
		if err := c.Unmarshal(data[:n], new(T)); err == nil {
			t.Errorf("%d of the %d bytes of %x are accepted as a value", n, len(data), data)
		}
	}
	if err := c.Unmarshal(append(bytes.Clone(data), 0), new(T)); err == nil {
		t.Errorf("%x and a byte are accepted as a value", data)
	}
	if size, err := c.Size(&v); err != nil || size != len(data) {
		t.Errorf("Size = %d, %v, want %d", size, err, len(data))
	}
}

// same compares like reflect.DeepEqual, with three exceptions. Times are equal if they are the same
// instant in locations of the same name. Floats are equal if they have the same bits. Empty slices
// and maps are equal to each other, but b must not be nil.
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
	Field(l, &p.Specie, SmallVarchar)
	Field(l, &p.Age, Uint8)
}

func layoutAnimal(t testing.TB) *wire.Codec[animal] {
	pets := wire.Must(New(layoutPet))
	c, err := New(func(l *Fields, a *animal) {
		Field(l, &a.Name, Varchar)
		Field(l, &a.Num, Uint16(LE))
		Field(l, &a.Tags, Slice(LenU16LE, SmallVarchar))
		Field(l, &a.Meta, Map(LenU8, SmallVarchar, Uint8))
		Field(l, &a.Ok, Bool)
		Field(l, &a.Pet, Struct(pets))
		Field(l, &a.Ptr, Optional(Int(LE)))
		Field(l, &a.Flags, Array[[5]bool](Bool))
		Field(l, &a.F32, Float32(LE))
		Field(l, &a.F64, Float64(BE))
		Field(l, &a.At, TimeUTC)
		Field(l, &a.Small, Int32(BE))
		Field(l, &a.Big, Int64(LE))
		Field(l, &a.UBig, Uint64(BE))
		Field(l, &a.B, Uint8)
		Field(l, &a.I8, Int8)
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
			holds(t, Uint8, value[uint8](t, v), data)
		case v.Layout == "i8":
			holds(t, Int8, value[int8](t, v), data)
		case strings.HasPrefix(v.Layout, "u16"):
			holds(t, Uint16(o), value[uint16](t, v), data)
		case strings.HasPrefix(v.Layout, "i16"):
			holds(t, Int16(o), value[int16](t, v), data)
		case strings.HasPrefix(v.Layout, "u32"):
			holds(t, Uint32(o), value[uint32](t, v), data)
		case strings.HasPrefix(v.Layout, "i32"):
			holds(t, Int32(o), value[int32](t, v), data)
		case strings.HasPrefix(v.Layout, "u64"):
			holds(t, Uint64(o), value[uint64](t, v), data)
		case strings.HasPrefix(v.Layout, "i64"):
			holds(t, Int64(o), value[int64](t, v), data)
		case strings.HasPrefix(v.Layout, "int "):
			holdsInt(t, v, o, data)
		case strings.HasPrefix(v.Layout, "uint "):
			holdsInt(t, v, o, data)
		case strings.HasPrefix(v.Layout, "f32"):
			holds(t, Float32(o), math.Float32frombits(uint32(bits())), data)
		case strings.HasPrefix(v.Layout, "f64"):
			holds(t, Float64(o), math.Float64frombits(bits()), data)
		case v.Layout == "bool":
			holds(t, Bool, value[bool](t, v), data)
		case v.Layout == "smallvarchar":
			holds(t, SmallVarchar, value[string](t, v), data)
		case name == "varchar ":
			holds(t, Varchar, value[string](t, v), data)
		case v.Layout == "varcharorder be":
			holds(t, String(LenU16BE), value[string](t, v), data)
		case name == "text le ":
			holds(t, String(LenU32LE), value[string](t, v), data)
		case name == "text be ":
			holds(t, String(LenU32BE), value[string](t, v), data)
		case name == "longtext le ":
			holds(t, String(LenU64LE), value[string](t, v), data)
		case name == "blob":
			text, err := strconv.Unquote(strings.TrimPrefix(value[string](t, v), "utf-8 of "))
			if err != nil {
				t.Fatal(err)
			}
			holds(t, Blob(length), []byte(text), data)
		case name == "string":
			holds(t, String(length), value[string](t, v), data)
		case v.Layout == "timeutc":
			holds(t, TimeUTC, parcoTime(t, v), data)
		case strings.HasPrefix(v.Layout, "timelocation"):
			holds(t, TimeLocation, parcoTime(t, v), data)
		case v.Layout == "option(i32le)":
			holds(t, Optional(Int32(LE)), value[*int32](t, v), data)
		case v.Layout == "option(smallvarchar)":
			holds(t, Optional(SmallVarchar), value[*string](t, v), data)
		case v.Layout == "slice(u8, slice(u8, bool))":
			holds(t, Slice(LenU8, Slice(LenU8, Bool)), value[[][]bool](t, v), data)
		case name == "slice" && args[1] == "u16le":
			holds(t, Slice(length, Uint16(LE)), value[[]uint16](t, v), data)
		case name == "slice" && args[1] == "smallvarchar":
			holds(t, Slice(length, SmallVarchar), value[[]string](t, v), data)
		case name == "slice" && args[1] == "u8) empty":
			holds(t, Slice(length, Uint8), value[[]uint8](t, v), data)
		case name == "map":
			holds(t, Map(length, SmallVarchar, Uint32(BE)), value[map[string]uint32](t, v), data)
		case v.Layout == "array(3, i16be)":
			holds(t, Array[[3]int16](Int16(BE)), value[[3]int16](t, v), data)
			holds(t, List(3, Int16(BE)), value[[]int16](t, v), data)
		case name == "skip":
			n, err := strconv.Atoi(args[0])
			if err != nil {
				t.Fatal(err)
			}
			c, err := New(func(l *Fields, _ *struct{}) { l.Skip(n) })
			if err != nil {
				t.Fatal(err)
			}
			holds(t, Struct(c), struct{}{}, data)
		case strings.HasPrefix(v.Layout, "struct{Name varchar"):
			holds(t, Struct(layoutAnimal(t)), value[animal](t, v), data)
		case strings.HasPrefix(v.Layout, "stream of models"):
			testModelStream(t, v, data)
		default:
			t.Errorf("no layout for %s", v.Layout)
		}
	}
}

// holdsInt is like holds, for an int or a uint, whose encoding has 8 bytes. Where an int has 32
// bits, the decoder must refuse a number that does not fit.
func holdsInt(t *testing.T, v vector, o Order, data []byte) {
	t.Helper()
	text := value[string](t, v)
	if strings.HasPrefix(v.Layout, "int ") {
		if n, err := strconv.Atoi(text); err == nil {
			holds(t, Int(o), n, data)
		} else if err := codecOf(t, Int(o)).Unmarshal(data, new(int)); err == nil {
			t.Errorf("%s is accepted as an int", text)
		}
		return
	}
	if n, err := strconv.ParseUint(text, 10, strconv.IntSize); err == nil {
		holds(t, Uint(o), uint(n), data)
	} else if err := codecOf(t, Uint(o)).Unmarshal(data, new(uint)); err == nil {
		t.Errorf("%s is accepted as a uint", text)
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
		modelStream(t, v, data, Uint8, 1, 7)
	} else {
		modelStream(t, v, data, Uint16(LE), 300, 2)
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
