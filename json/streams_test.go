package json_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
)

// Types with one form of method each. All of them are encoded as the string "m:" and their text.
type (
	byStream  struct{ S string } // its methods take Hone's streams
	byPointer struct{ S string } // the same, with pointer receivers
	byJSON    struct{ S string }
	byText    struct{ S string }
	// The first methods of these types decline the value, so the next method or the kind is used.
	declinesToJSON struct{ S string }
	declinesToText struct{ S string }
	declinesToKind struct{ S string }
)

func write(to *jsontext.Encoder, s string) error { return to.WriteToken(jsontext.String("m:" + s)) }

func read(from *jsontext.Decoder, s *string) error {
	t, err := from.ReadToken()
	if err == nil {
		*s = strings.TrimPrefix(t.String(), "m:")
	}
	return err
}

func (v byStream) MarshalJSONTo(to *jsontext.Encoder) error         { return write(to, v.S) }
func (v *byStream) UnmarshalJSONFrom(from *jsontext.Decoder) error  { return read(from, &v.S) }
func (v *byPointer) MarshalJSONTo(to *jsontext.Encoder) error       { return write(to, v.S) }
func (v *byPointer) UnmarshalJSONFrom(from *jsontext.Decoder) error { return read(from, &v.S) }
func (v byJSON) MarshalJSON() ([]byte, error)                       { return []byte(`"m:` + v.S + `"`), nil }
func (v *byJSON) UnmarshalJSON(b []byte) error {
	v.S = strings.TrimPrefix(strings.Trim(string(b), `"`), "m:")
	return nil
}
func (v byText) MarshalText() ([]byte, error)                     { return []byte("m:" + v.S), nil }
func (v *byText) UnmarshalText(b []byte) error                    { v.S = strings.TrimPrefix(string(b), "m:"); return nil }
func (declinesToJSON) MarshalJSONTo(*jsontext.Encoder) error      { return errors.ErrUnsupported }
func (*declinesToJSON) UnmarshalJSONFrom(*jsontext.Decoder) error { return errors.ErrUnsupported }
func (v declinesToJSON) MarshalJSON() ([]byte, error)             { return byJSON(v).MarshalJSON() }
func (v *declinesToJSON) UnmarshalJSON(b []byte) error            { return (*byJSON)(v).UnmarshalJSON(b) }
func (declinesToText) MarshalJSONTo(*jsontext.Encoder) error      { return errors.ErrUnsupported }
func (*declinesToText) UnmarshalJSONFrom(*jsontext.Decoder) error { return errors.ErrUnsupported }
func (v declinesToText) MarshalText() ([]byte, error)             { return byText(v).MarshalText() }
func (v *declinesToText) UnmarshalText(b []byte) error            { return (*byText)(v).UnmarshalText(b) }
func (declinesToKind) MarshalJSONTo(*jsontext.Encoder) error      { return errors.ErrUnsupported }
func (*declinesToKind) UnmarshalJSONFrom(*jsontext.Decoder) error { return errors.ErrUnsupported }

// holder contains a T as a field, and in each kind of container.
type holder[T any] struct {
	V T
	P *T
	L []T
	A [1]T
	M map[string]T
	O mo.Option[T]
	N mo.Nullable[T]
	I any
	E struct{ V T } `json:"e"`
}

func holderOf[T any](v T) holder[T] {
	x := holder[T]{V: v, P: &v, L: []T{v}, A: [1]T{v}, M: map[string]T{"k": v}, O: mo.Some(v), N: mo.Value(v), I: v}
	x.E.V = v
	return x
}

// streamEntries are the functions of package json that encode and decode. With such types they use
// Hone's engine even if StdEngine is selected.
var streamEntries = map[string]struct {
	encode func(v any) ([]byte, error)
	decode func(data []byte, v any) error
}{
	"Marshal": {json.Marshal, json.Unmarshal},
	"Append": {func(v any) ([]byte, error) { return json.Append(nil, v) }, func(data []byte, v any) error {
		return json.UnmarshalRead(bytes.NewReader(data), v)
	}},
	"Encoder": {func(v any) ([]byte, error) {
		var b bytes.Buffer
		err := json.NewEncoder(&b).Encode(v)
		return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
	}, func(data []byte, v any) error { return json.NewDecoder(bytes.NewReader(data)).Decode(v) }},
	"StdEngine": {json.Config{Engine: json.StdEngine}.Marshal, json.Config{Engine: json.StdEngine}.Unmarshal},
	"StdEngine's Encoder": {func(v any) ([]byte, error) {
		var b bytes.Buffer
		err := json.Config{Engine: json.StdEngine}.NewEncoder(&b).Encode(v)
		return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
	}, func(data []byte, v any) error {
		return json.Config{Engine: json.StdEngine}.NewDecoder(bytes.NewReader(data)).Decode(v)
	}},
	"version 2": {func(v any) ([]byte, error) { return jsonv2.Marshal(v, json.DefaultOptionsV1()) }, func(data []byte, v any) error {
		return jsonv2.Unmarshal(data, v, json.DefaultOptionsV1())
	}},
	"MarshalIndent": {func(v any) ([]byte, error) {
		b, err := json.MarshalIndent(v, "", " ")
		var out bytes.Buffer
		err = errors.Join(err, json.Compact(&out, b))
		return out.Bytes(), err
	}, json.Unmarshal},
}

func streamMatrix[T comparable](t *testing.T, v T, want string) {
	text := fmt.Sprintf(`{"V":%[1]s,"P":%[1]s,"L":[%[1]s],"A":[%[1]s],"M":{"k":%[1]s},"O":%[1]s,"N":%[1]s,"I":%[1]s,"e":{"V":%[1]s}}`, want)
	x := holderOf(v)
	// Elements of maps and values in interfaces are not addressable, so methods with pointer
	// receivers are not called.
	oracle, err := jsonv2.Marshal(&x, json.DefaultOptionsV1())
	if err != nil || !bytes.HasPrefix(oracle, []byte(`{"V":`+want+`,"P":`+want)) {
		t.Fatalf("%T: version 2 has %s, %v", v, oracle, err)
	}
	codec := json.For[holder[T]]()
	if got, err := codec.Append(nil, &x); err != nil || !bytes.Equal(got, oracle) {
		t.Errorf("%T, Codec: got %s, %v, want %s", v, got, err, oracle)
	}
	for name, entry := range streamEntries {
		got, err := entry.encode(&x)
		if err != nil || !bytes.Equal(got, oracle) {
			t.Errorf("%T, %s: got %s, %v, want %s", v, name, got, err, oracle)
		}
		var back holder[T]
		if err := entry.decode([]byte(text), &back); err != nil {
			t.Errorf("%T, %s: %v", v, name, err)
			continue
		}
		back.I = x.I // may be any JSON
		if !reflect.DeepEqual(back, x) {
			t.Errorf("%T, %s: got %+v, want %+v", v, name, back, x)
		}
	}
}

// TestStreamMethods encodes and decodes types with each form of method, in each kind of container
// and with each function of the package. Every value must be encoded by the expected method, and
// decoded again.
func TestStreamMethods(t *testing.T) {
	if json.EngineByDefault() == json.StdEngine {
		// On Go 1.27 the test would compare with encoding/json/v2, which calls the methods of mo's
		// types.
		t.Skip("encoding/json/v2 is the engine of version 2")
	}
	streamMatrix(t, byStream{"x<y"}, `"m:x\u003cy"`)
	streamMatrix(t, byPointer{"x"}, `"m:x"`)
	streamMatrix(t, byJSON{"x"}, `"m:x"`)
	streamMatrix(t, byText{"x"}, `"m:x"`)
	streamMatrix(t, declinesToJSON{"x"}, `"m:x"`)
	streamMatrix(t, declinesToText{"x"}, `"m:x"`)
	streamMatrix(t, declinesToKind{"x"}, `{"S":"x"}`)
}

type failing struct{ how int }

var errStream = errors.New("no")

func (f failing) MarshalJSONTo(to *jsontext.Encoder) error {
	switch f.how {
	case 0:
		return errStream
	case 1:
		return nil // writes no value
	case 2:
		_ = to.WriteToken(jsontext.Null)
		return to.WriteToken(jsontext.Null) // the stream returns an error, or there are two values
	case 3:
		_ = to.WriteToken(jsontext.BeginArray)
		return errors.ErrUnsupported
	}
	return to.WriteToken(jsontext.BeginArray) // the array remains open
}

func (f *failing) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	switch f.how {
	case 0:
		return errStream
	case 1:
		return nil
	case 3:
		_, _ = from.ReadToken()
		return errors.ErrUnsupported
	}
	_, err := from.ReadToken()
	return err // an array remains open
}

// TestStreamMethodErrors checks methods that fail, or that leave an array or object open. The
// errors must be equal to the errors of version 2 with the options of version 1, and nothing may be
// written.
func TestStreamMethodErrors(t *testing.T) {
	if json.EngineByDefault() == json.StdEngine {
		t.Skip("encoding/json encodes values in interfaces")
	}
	for how := range 5 {
		v := map[string]any{"a": []any{1, failing{how}}}
		got, err := json.Marshal(v)
		_, want := jsonv2.Marshal(v, json.DefaultOptionsV1())
		if err == nil || want == nil || got != nil || reflect.TypeOf(err) != reflect.TypeOf(want) || err.Error() != want.Error() {
			t.Errorf("%d: got %q, %T %v, want %T %v", how, got, err, err, want, want)
		}
		if how == 0 && !errors.Is(err, errStream) {
			t.Errorf("%v does not wrap the method's error", err)
		}
		data := []byte(`{"F":[1,2],"B":2}`)
		x := struct {
			F failing
			B int
		}{F: failing{how}}
		err = json.Unmarshal(data, &x)
		if err == nil {
			t.Errorf("%d: no error of decoding", how)
		}
	}
}

// nested has a method that encodes with version 2 on its stream, with the options of the stream.
type nested struct{ In byStream }

func (n nested) MarshalJSONTo(to *jsontext.Encoder) error {
	if err := to.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	if err := jsonv2.MarshalEncode(to, []byte(nil), to.Options()); err != nil { // null, because of the options of version 1
		return err
	}
	if err := jsonv2.MarshalEncode(to, n.In); err != nil {
		return err
	}
	return to.WriteToken(jsontext.EndArray)
}

func (n *nested) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	list := []any{new([]byte), &n.In}
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	for _, v := range list {
		if err := jsonv2.UnmarshalDecode(from, v); err != nil {
			return err
		}
	}
	_, err := from.ReadToken()
	return err
}

func TestStreamsInStreams(t *testing.T) {
	v := map[string]nested{"a": {byStream{"1"}}, "b": {byStream{"2"}}}
	got, err := json.Marshal(v)
	if want := `{"a":[null,"m:1"],"b":[null,"m:2"]}`; err != nil || string(got) != want {
		t.Fatalf("got %s, %v, want %s", got, err, want)
	}
	var back map[string]nested
	if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("got %v, %v", back, err)
	}
}

// TestStreamsInDenseText decodes a text with very many short values into types whose methods take
// Hone's streams. The methods must be called, although Hone decodes such a text with encoding/json
// if the types have no streams.
func TestStreamsInDenseText(t *testing.T) {
	text := `{"V":"m:1","Other":[` + strings.Repeat("[],", 2<<20) + `0],"L":[` + strings.Repeat(`"m:2",`, 10) + `"m:3"]}`
	var v struct {
		V     byStream
		Other any
		L     []byPointer
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil || v.V.S != "1" || len(v.L) != 11 || v.L[10].S != "3" {
		t.Errorf("%v, %v, %v", err, v.V, v.L)
	}
}
