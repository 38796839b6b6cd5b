package contestants

import (
	"bytes"
	"encoding/gob"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/wire"
)

// A codec is one way to encode a T into a reused buffer and to decode it into
// a reused value.
type codec[T any] struct {
	name  string
	notes []string
	// loses says what of a value the codec does not bring back, if anything:
	// the check then is only that it decodes.
	loses string
	make  func() (encode func(dst []byte, v *T) ([]byte, error), decode func(data []byte, v *T) error)
}

func wireContests() []contest.Contest {
	var all []contest.Contest
	all = append(all, pair("wire/simple", simple(), appendSimple, readSimple)...)
	all = append(all, pair("wire/nested", nested(), appendNested, readNested)...)
	all = append(all, pair("wire/record", record(), appendRecord, readRecord)...)
	return all
}

// pair returns the contests in encoding and in decoding v.
func pair[T any](name string, v T, appendByHand func([]byte, *T) []byte, readByHand func([]byte, *T)) []contest.Contest {
	codecs := []codec[T]{
		{"hone", nil, "", func() (func([]byte, *T) ([]byte, error), func([]byte, *T) error) {
			return wire.Append[T], wire.Unmarshal[T]
		}},
		{"by hand", []string{"hand-written code"}, "", func() (func([]byte, *T) ([]byte, error), func([]byte, *T) error) {
			return func(dst []byte, v *T) ([]byte, error) { return appendByHand(dst, v), nil },
				func(data []byte, v *T) error { readByHand(data, v); return nil }
		}},
		{"encoding/gob", nil, gobLoses[name], gobCodec[T]},
	}
	encode := contest.Contest{Name: name + "/encode"}
	decode := contest.Contest{Name: name + "/decode"}
	for _, c := range codecs {
		check := same[T]
		if c.loses != "" {
			c.notes = append(c.notes, "loses "+c.loses)
			check = func(T, T) error { return nil }
		}
		encode.Contestants = append(encode.Contestants, contest.Contestant{Name: c.name, Notes: c.notes, New: func() (func(int), error) {
			enc, dec := c.make()
			buf, err := enc(make([]byte, 0, 4096), &v)
			if err != nil {
				return nil, err
			}
			var back T
			if err := dec(buf, &back); err != nil {
				return nil, err
			}
			return loop(func() { buf, _ = enc(buf[:0], &v) }), check(back, v)
		}})
		decode.Contestants = append(decode.Contestants, contest.Contestant{Name: c.name, Notes: c.notes, New: func() (func(int), error) {
			enc, dec := c.make()
			data, err := enc(nil, &v)
			if err != nil {
				return nil, err
			}
			var back T
			if err := dec(data, &back); err != nil {
				return nil, err
			}
			return loop(func() { _ = dec(data, &back) }), check(back, v)
		}})
	}
	return []contest.Contest{encode, decode}
}

var gobLoses = map[string]string{
	"wire/simple": "pointers to zero", "wire/nested": "pointers to zero",
}

// gobCodec encodes each value by itself, type description included, as one
// stored or sent alone has to be.
func gobCodec[T any]() (func([]byte, *T) ([]byte, error), func([]byte, *T) error) {
	return func(dst []byte, v *T) ([]byte, error) {
			b := bytes.NewBuffer(dst)
			err := gob.NewEncoder(b).Encode(v)
			return b.Bytes(), err
		}, func(data []byte, v *T) error {
			var fresh T // gob leaves out zero fields
			err := gob.NewDecoder(bytes.NewReader(data)).Decode(&fresh)
			*v = fresh
			return err
		}
}
