//go:build go1.27 && goexperiment.jsonv2

package union_test

import (
	"bytes"
	stdtext "encoding/json/jsontext"
	stdv2 "encoding/json/v2"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	jsonv2 "github.com/hone-go/hone/json/v2"
)

// decodeCase returns the oracle of version 2 for the interface I: a decoding function for
// encoding/json/v2. find returns the name of the case and the JSON of its value.
func decodeCase[I any](find func(raw stdtext.Value, options stdv2.Options) (name string, value stdtext.Value, err error)) *stdv2.Unmarshalers {
	return stdv2.UnmarshalFromFunc(func(d *stdtext.Decoder, to *I) error {
		raw, err := d.ReadValue()
		if err != nil {
			return err
		}
		*to = *new(I)
		if raw.Kind() == 'n' {
			return nil
		}
		name, value, err := find(raw.Clone(), d.Options())
		if err != nil {
			return err
		}
		t := casesOf(reflect.TypeFor[I]())[name]
		if t == nil {
			return errors.New("not a case")
		}
		held := reflect.New(t)
		at := held
		if t.Kind() == reflect.Pointer {
			at = reflect.New(t.Elem())
			held.Elem().Set(at)
		}
		if value != nil {
			if err := stdv2.Unmarshal(value, at.Interface(), d.Options()); err != nil {
				return err
			}
		}
		*to = held.Elem().Interface().(I)
		return nil
	})
}

var stdOracle = stdv2.JoinUnmarshalers(
	decodeCase[Event](func(raw stdtext.Value, options stdv2.Options) (string, stdtext.Value, error) {
		var tag struct {
			Type *string `json:"type"`
		}
		if err := stdv2.Unmarshal(raw, &tag, options); err != nil {
			return "", nil, err
		}
		if tag.Type == nil {
			return "", nil, errors.New("no tag")
		}
		return *tag.Type, raw, nil
	}),
	decodeCase[Shape](func(raw stdtext.Value, options stdv2.Options) (string, stdtext.Value, error) {
		var tag struct {
			Kind *string       `json:"kind"`
			Data stdtext.Value `json:"data"`
		}
		if err := stdv2.Unmarshal(raw, &tag, options); err != nil {
			return "", nil, err
		}
		if tag.Kind == nil {
			return "", nil, errors.New("no tag")
		}
		return *tag.Kind, tag.Data, nil
	}),
	decodeCase[Node](func(raw stdtext.Value, options stdv2.Options) (string, stdtext.Value, error) {
		var members map[string]stdtext.Value
		if err := stdv2.Unmarshal(raw, &members, options); err != nil {
			return "", nil, err
		}
		if len(members) == 1 {
			for name, value := range members {
				return name, value, nil
			}
		}
		return "", nil, errors.New("not one member")
	}))

// FuzzUnionsV2 decodes texts that are damaged in up to three places. Package json/v2 must return the same
// values, and fail for the same texts, as encoding/json/v2 with an unmarshal function for each union. The
// damage may repeat a name, or change the case of its letters.
func FuzzUnionsV2(f *testing.F) {
	for seed := range uint64(600) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		root := roots[r.IntN(len(roots))]
		v := reflect.New(root)
		fill(r, v.Elem(), 5)
		text := []byte(slowEncode(v.Elem(), r))
		for range r.IntN(4) {
			damage(r, &text)
		}
		want, got := reflect.New(root), reflect.New(root)
		failed := stdv2.Unmarshal(text, want.Interface(), stdv2.WithUnmarshalers(stdOracle))
		err := jsonv2.Unmarshal(text, got.Interface())
		if (failed == nil) != (err == nil) {
			t.Fatalf("%v, %s: %v\nwant %v", root, text, err, failed)
		}
		if err == nil && !reflect.DeepEqual(got.Interface(), want.Interface()) {
			t.Fatalf("%v, %s:\ngot  %s\nwant %s", root, text, slowEncode(got.Elem(), nil), slowEncode(want.Elem(), nil))
		}
	})
}

// damage replaces a name by another one, repeats or removes a part, or changes a byte.
func damage(r *rand.Rand, text *[]byte) {
	b := *text
	if len(b) == 0 {
		return
	}
	at := r.IntN(len(b))
	switch r.IntN(4) {
	case 0:
		b[at] = `{}[],:"0nx\`[r.IntN(11)]
	case 1:
		// Repeat or remove up to 20 bytes.
		end := min(len(b), at+r.IntN(20))
		if r.IntN(2) == 0 {
			b = append(b[:end:end], b[at:]...)
		} else {
			b = append(b[:at:at], b[end:]...)
		}
	case 2:
		b = bytes.ToUpper(b)
	default:
		names := []string{`"type"`, `"kind"`, `"data"`, `"id"`, `"leaf"`, `"created"`, `"empty"`, `"Type"`}
		b = bytes.Replace(b, []byte(names[r.IntN(len(names))]), []byte(names[r.IntN(len(names))]), 1)
	}
	*text = b
}
