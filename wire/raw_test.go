package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

type (
	message struct {
		Topic string
		Body  Raw[record]
		Last  int
	}
	opaque struct { // has the same encoding as message
		Topic string
		Body  []byte
		Last  int
	}
	// A chain holds the next chain without decoding it.
	chain struct {
		N    int
		Next Raw[chain]
	}
	definedRaw  Raw[int]
	embeddedRaw struct{ Raw[int] }
)

func TestRaw(t *testing.T) {
	body := record{Name: "n", Money: 1.5}
	v := message{Topic: "t", Last: 7}
	if err := v.Body.Encode(&body); err != nil {
		t.Fatal(err)
	}
	data := Must(Marshal(&v))
	want := Must(Marshal(&opaque{"t", Must(Marshal(&body)), 7}))
	if !bytes.Equal(data, want) {
		t.Errorf("%x, want %x", data, want)
	}
	var back message
	var got record
	if err := Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v", back, err)
	}
	clear(data)
	if err := back.Body.Decode(&got); err != nil || got.Name != "n" || got.Money != 1.5 {
		t.Errorf("%+v, %v", got, err)
	}
	// A codec decodes the bytes with its own options.
	c := Must(For[record](Options{Canonical: true}))
	back.Body = Must(c.Marshal(&body))
	if err := c.Unmarshal(back.Body, &got); err != nil {
		t.Error(err)
	}
	before := bytes.Clone(back.Body)
	deep := Raw[tree](before)
	v2 := new(tree)
	v2.Left = v2
	if err := deep.Encode(v2); !errors.Is(err, ErrDepth) || !bytes.Equal(deep, before) {
		t.Errorf("a failed Encode leaves %x, %v", deep, err)
	}
}

// TestRawEncodeKeepsInput encodes into a Raw that aliases the input. The input must not change.
func TestRawEncodeKeepsInput(t *testing.T) {
	data := Must(Marshal(&message{Body: make(Raw[record], 100)}))
	in := bytes.Clone(data)
	var v message
	if err := Must(For[message](Options{AliasInput: true})).Unmarshal(in, &v); err != nil {
		t.Fatal(err)
	}
	if err := v.Body.Encode(&record{Name: "new"}); err != nil || !bytes.Equal(in, data) {
		t.Errorf("the input changed to %x, %v", in, err)
	}
}

func TestRawHostile(t *testing.T) {
	for _, test := range []struct {
		in    string
		cause error
	}{
		{"\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", io.ErrUnexpectedEOF},
		{"\x00\x05abc\x00", io.ErrUnexpectedEOF},
		{"\x00\x80\x00\x00", ErrNonMinimal},
		{"\x00\x02ab", io.ErrUnexpectedEOF},
	} {
		if err := Unmarshal([]byte(test.in), new(message)); !errors.Is(err, test.cause) {
			t.Errorf("%x: %v, want %v", test.in, err, test.cause)
		}
	}
	// The content is not examined before Decode.
	var v message
	if err := Unmarshal([]byte("\x00\x03\xff\xff\xff\x00"), &v); err != nil {
		t.Fatal(err)
	}
	var de *DecodeError
	if err := v.Body.Decode(new(record)); !errors.As(err, &de) || de.Offset != 3 {
		t.Errorf("%v", err)
	}
	if err := Must(For[message](Options{Limits: Limits{Bytes: 2}})).Unmarshal([]byte("\x00\x03\xff\xff\xff\x00"), &v); !errors.Is(err, ErrLimit) {
		t.Errorf("beyond the limit: %v", err)
	}
	// A Raw in a Raw does not count as nesting. Each is decoded by itself.
	deep := Raw[chain](Must(Marshal(&chain{N: 1})))
	for range 5000 {
		deep = Must(Marshal(&chain{Next: deep}))
	}
	var levels int
	for next := deep; len(next) > 0; levels++ {
		var c chain
		if err := next.Decode(&c); err != nil {
			t.Fatal(err)
		}
		next = c.Next
	}
	if levels != 5001 {
		t.Errorf("%d levels", levels)
	}
}

func TestRawSchema(t *testing.T) {
	framed, plain := Must(SchemaOf[message]()), Must(SchemaOf[opaque]())
	if p := plain.Reads(framed); len(p) > 0 {
		t.Error(p)
	}
	if p := fmt.Sprint(framed.Reads(plain)); p != "[.Body is read as raw uvarint and written as bytes uvarint: it may be the encoding of something else]" {
		t.Error(p)
	}
	if p := fmt.Sprint(Must(SchemaOf[struct {
		Topic string
		Body  Raw[struct{ Name, BirthDay string }]
		Last  int
	}]()).Reads(framed)); !strings.Contains(p, ".Body.BirthDay is read as string uvarint and written as time") {
		t.Error(p)
	}
	if s, want := Must(SchemaOf[chain]()).Canonical(), `@0=struct{"N":int varint 64,"Next":raw uvarint(@0)}`; s != want {
		t.Errorf("%s, want %s", s, want)
	}
	data := Must(Marshal(&chain{N: 1, Next: Must(Marshal(&chain{N: 2}))}))
	out, err := Must(SchemaOf[chain]()).AppendJSON(nil, data)
	if err != nil || string(out) != `{"N":1,"Next":{"N":2,"Next":null}}` {
		t.Errorf("%s, %v", out, err)
	}
	type plainBody struct{ Body Raw[[]string] }
	out, err = Must(SchemaOf[plainBody]()).AppendJSON(nil, []byte("\x04\x01\x02ab"))
	if err != nil || string(out) != `{"Body":["ab"]}` {
		t.Errorf("%s, %v", out, err)
	}
	for _, in := range []string{"\x05\x01\x02abc", "\x03\x01\x02ab"} {
		if out, err = Must(SchemaOf[plainBody]()).AppendJSON(nil, []byte(in)); err == nil {
			t.Errorf("%x is %s", in, out)
		}
	}
}

// TestRawTypes describes types that are a Raw, contain one, or have its methods without being a
// Raw. Only the schema of a real Raw must describe the type of its content.
func TestRawTypes(t *testing.T) {
	if s := Must(SchemaOf[definedRaw]()).Canonical(); s != "bytes uvarint" {
		t.Error(s)
	}
	if s := Must(SchemaOf[embeddedRaw]()).Canonical(); s != `@0=struct{"Raw":raw uvarint(int varint 64)}` {
		t.Error(s)
	}
	if s := Must(SchemaOf[map[string][]Raw[string]]()).Canonical(); s != "map uvarint<string uvarint>(slice uvarint(raw uvarint(string uvarint)))" {
		t.Error(s)
	}
	var te *TypeError
	if err := codecError[Raw[chan int]](); !errors.As(err, &te) || te.Path != ".Raw" {
		t.Errorf("%v", err)
	}
	o := Options{Types: shapes(t), Canonical: true}
	if _, err := For[Raw[any]](o); err != nil {
		t.Error(err)
	}
	c := Must(For[[]Raw[int]](Options{Canonical: true}))
	v := []Raw[int]{Raw[int]("\x02"), nil, Raw[int]("not an int")}
	data := Must(c.Marshal(&v))
	var back []Raw[int]
	if err := c.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%q, %v", back, err)
	}
}

func TestRawAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	v := message{Body: Must(Marshal(&record{}))}
	data := Must(Marshal(&v))
	buf := make([]byte, 0, 500)
	var r record
	wantAllocs(t, "Append", 0, func() { buf, _ = Append(buf[:0], &v) })
	wantAllocs(t, "Unmarshal", 1, func() { _ = Unmarshal(data, &v) })
	wantAllocs(t, "Encode", 1, func() { _ = v.Body.Encode(&r) })
	wantAllocs(t, "Decode", 0, func() { _ = v.Body.Decode(&r) })
}
