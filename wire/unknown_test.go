package wire

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

type (
	passing1 struct {
		_    Evolving
		Name string
		Unknown
	}
	passing2 struct {
		_    Evolving
		Name string
		Port uint16
		Rest Unknown
	}
	emptyPassing struct {
		_    Evolving
		Rest Unknown
	}
)

// TestUnknown decodes each version of a struct as older versions with a wire.Unknown, and encodes it
// again. Every byte must be preserved.
func TestUnknown(t *testing.T) {
	passes(t, make5[config1](2))
	passes(t, make5[config2](2))
	passes(t, make5[config3](0))
	passes(t, make5[config4](3))
	passes(t, make5[config5](2))
}

func passes[T any](t *testing.T, v enclosing[T]) {
	t.Helper()
	data := Must(Marshal(&v))
	through[enclosing[passing1]](t, data)
	through[enclosing[emptyPassing]](t, data)
	if reflect.TypeFor[T]() != reflect.TypeFor[config1]() {
		through[enclosing[passing2]](t, data)
	}
}

func through[P any](t *testing.T, data []byte) {
	t.Helper()
	for _, alias := range []bool{false, true} {
		c := Must(For[P](Options{AliasInput: alias}))
		in := bytes.Clone(data)
		v := new(P)
		reflect.ValueOf(v).Elem().FieldByName("One").FieldByName(unknownField[P]()).SetBytes([]byte("before"))
		if err := c.Unmarshal(in, v); err != nil {
			t.Errorf("%T: %v", v, err)
			return
		}
		if !alias {
			clear(in) // the decoded bytes are a copy
		}
		if got, err := c.Append(nil, v); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%T: %x, %v, want %x", v, got, err, data)
		}
		if n, err := c.Size(v); n != len(data) || err != nil {
			t.Errorf("%T: size %d, %v, want %d", v, n, err, len(data))
		}
	}
}

func unknownField[P any]() string {
	one, _ := reflect.TypeFor[P]().FieldByName("One")
	return one.Type.Field(one.Type.NumField() - 1).Name
}

// TestUnknownIsNil decodes structs without unknown fields into a value whose wire.Unknown is set.
// The wire.Unknown must become nil.
func TestUnknownIsNil(t *testing.T) {
	for _, in := range []string{"\x00", "\x02\x01a", "\x04\x01a\x90\x03"} {
		v := passing2{Name: "b", Port: 1, Rest: Unknown("x")}
		if err := Unmarshal([]byte(in), &v); err != nil || v.Rest != nil {
			t.Errorf("%x: %+v, %v", in, v, err)
		}
	}
	type inner struct {
		_ Evolving
		A passing2
		B int
	}
	v := inner{A: passing2{Rest: Unknown("x")}, B: 1}
	if err := Unmarshal([]byte("\x00"), &v); err != nil || v.A.Rest != nil {
		t.Errorf("in the missing fields: %+v, %v", v, err)
	}
}

// TestUnknownLimits checks that unknown fields count as exactly their length in the memory limits of
// encoding and decoding.
func TestUnknownLimits(t *testing.T) {
	v := passing1{Name: "nn", Unknown: make(Unknown, 100)}
	c := Must(For[passing1]())
	data := Must(c.Marshal(&v))
	for _, test := range []struct {
		bytes int
		ok    bool
	}{{102, true}, {101, false}} {
		within := c.WithLimits(Limits{Bytes: test.bytes})
		if _, err := within.Marshal(&v); (err == nil) != test.ok || !test.ok && !errors.Is(err, ErrLimit) {
			t.Errorf("encoding within %d: %v", test.bytes, err)
		}
		if err := within.Unmarshal(data, new(passing1)); (err == nil) != test.ok || !test.ok && !errors.Is(err, ErrLimit) {
			t.Errorf("decoding within %d: %v", test.bytes, err)
		}
	}
	var stream bytes.Buffer
	if err := EncodeWith(NewEncoder(&stream), c, &v); err != nil {
		t.Fatal(err)
	}
	d := NewDecoder(&stream, 0)
	d.Limits = Limits{Bytes: 101}
	if err := d.Decode(new(passing1)); !errors.Is(err, ErrLimit) {
		t.Errorf("from a stream: %v", err)
	}
}

func TestUnknownCanonical(t *testing.T) {
	c := Must(For[passing1](Options{Canonical: true}))
	v := passing1{Name: "a", Unknown: Unknown("x")}
	if _, err := c.Marshal(&v); !errors.Is(err, ErrCanonical) || !strings.Contains(err.Error(), ".Unknown") {
		t.Errorf("encoding: %v", err)
	}
	if err := c.Unmarshal([]byte("\x03\x01ax"), &v); !errors.Is(err, ErrCanonical) {
		t.Errorf("decoding: %v", err)
	}
	v = passing1{Name: "a", Unknown: Unknown{}}
	data, err := c.Marshal(&v)
	if err != nil || string(data) != "\x02\x01a" {
		t.Errorf("%x, %v", data, err)
	}
	if err := c.Unmarshal(data, &v); err != nil || v.Unknown != nil {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestUnknownSchema(t *testing.T) {
	with, without := Must(SchemaOf[passing1]()), Must(SchemaOf[config1]())
	if with.Resolve(with.Type).Unknown != "Unknown" {
		t.Errorf("%+v", with.Resolve(with.Type))
	}
	if a, b := with.Fingerprint(), without.Fingerprint(); a != b {
		t.Errorf("the fingerprint of %s is %v, of %s %v", with.Canonical(), a, without.Canonical(), b)
	}
	for _, p := range [][]any{{with.Reads(without)}, {without.Reads(with)}, {with.Reads(Must(SchemaOf[config3]()))}} {
		if s := p[0]; !reflect.ValueOf(s).IsNil() {
			t.Error(s)
		}
	}
	if out, err := with.AppendJSON(nil, []byte("\x04\x01axy")); err != nil || string(out) != `{"Name":"a","Unknown":"eHk="}` {
		t.Errorf("%s, %v", out, err)
	}
	if out, err := with.AppendJSON(nil, []byte("\x02\x01a")); err != nil || string(out) != `{"Name":"a"}` {
		t.Errorf("%s, %v", out, err)
	}
}

func TestUnknownAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	data := Must(Marshal(&passing1{Name: "a", Unknown: make(Unknown, 100)}))
	buf := make([]byte, 0, 500)
	var v passing1
	aliased := Must(For[passing1](Options{AliasInput: true}))
	wantAllocs(t, "Unmarshal", 1, func() { _ = Unmarshal(data, &v) })
	wantAllocs(t, "Unmarshal, aliased", 0, func() { _ = aliased.Unmarshal(data, &v) })
	wantAllocs(t, "Append", 0, func() { buf, _ = Append(buf[:0], &v) })
}

type (
	unknownFrozen struct{ Rest Unknown }
	unknownFirst  struct {
		_    Evolving
		Rest Unknown
		Name string
	}
	unknownBeforeRemoved struct {
		_    Evolving
		Rest Unknown
		_    Removed[int]
	}
	unknownTwice struct {
		_    Evolving
		A, B Unknown
	}
	unknownHidden struct {
		_    Evolving
		Name string
		rest Unknown
	}
	unknownTagged struct {
		_    Evolving
		Rest Unknown `wire:",was=Tail"`
	}
)

func TestUnknownRefused(t *testing.T) {
	_ = unknownHidden{}.rest
	for _, test := range []struct {
		err  error
		want string
	}{
		{codecError[unknownFrozen](), ".Rest wire.Unknown: a wire.Unknown must be a field of an evolving struct"},
		{codecError[Unknown](), "a wire.Unknown must be a field of an evolving struct"},
		{codecError[[]Unknown](), "a wire.Unknown must be a field of an evolving struct"},
		{codecError[unknownFirst](), ".Rest wire.unknownFirst: a wire.Unknown is the last field of its struct, but Name comes after it"},
		{codecError[unknownBeforeRemoved](), "_ comes after it"},
		{codecError[unknownTwice](), "B comes after it"},
		{codecError[unknownHidden](), ".rest wire.Unknown: a wire.Unknown that is not exported cannot be set"},
		{codecError[unknownTagged](), "a wire.Unknown cannot have a tag"},
	} {
		var te *TypeError
		if !errors.As(test.err, &te) || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%v, want %s", test.err, test.want)
		}
	}
}

// TestUnknownWriter passes a struct with unknown fields to a BinaryWriter, which must receive only
// the known fields.
func TestUnknownWriter(t *testing.T) {
	serialize := Must(MakeSerializer[struct {
		In passing1
		R  Raw[int]
		_  Removed[string]
		B  int8  `wire:",varint"`
		C  uint8 `wire:",varint"`
	}]())
	var w script
	v := struct {
		In passing1
		R  Raw[int]
		_  Removed[string]
		B  int8  `wire:",varint"`
		C  uint8 `wire:",varint"`
	}{In: passing1{Name: "n", Unknown: Unknown("xyz")}, R: Raw[int]("\x02"), B: -1, C: 200}
	if err := serialize(&w, &v); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(w.calls, " "), "string(n) uint(1) uint8(2) int8(-1) uint8(200)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
