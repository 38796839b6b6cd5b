// Package shadow tests a new binary format in a program that already uses another format. For a fraction of the
// calls, the second format, which is the new one, encodes and decodes the same value. The results of both formats
// are compared. Here encoding/gob is the first format, and Hone's wire format is the second:
//
//	var readings = shadow.New(shadow.Gob[Reading](), wire.Must(wire.For[Reading]()), shadow.Settings{Share: 0.01})
//
//	data, err := readings.Marshal(&r)
//	err = readings.Unmarshal(data, &r)
//
// The caller never gets a result of the second format, and panics of the second format are caught. Results are
// compared with reflect.DeepEqual, so a format that decodes an empty slice as nil, or drops the monotonic clock of
// a time, differs. docs/migrating/shadow.md has the steps.
package shadow

import (
	"bytes"
	"encoding/gob"
	"reflect"
	"sync/atomic"

	"github.com/hone-go/hone/internal/shadow"
)

// A Codec encodes and decodes values of one type, such as a *wire.Codec.
type Codec[T any] interface {
	Marshal(v *T) ([]byte, error)
	Unmarshal(data []byte, v *T) error
}

// Settings select the calls that are compared, and the function that gets the differences.
type Settings = shadow.Settings

// A Difference is a call whose results differ between the two formats.
type Difference = shadow.Difference

// Counts are totals since the Compared was made.
type Counts struct {
	shadow.Counts
	// BytesAnswered and BytesOther are the total lengths of the encodings of the same values by
	// the first and by the second format.
	BytesAnswered, BytesOther uint64
}

// A Compared is a Codec that compares two formats. It is safe for concurrent use if both formats
// are.
type Compared[T any] struct {
	answers, other    Codec[T]
	watch             *shadow.Watch
	answered, wouldBe atomic.Uint64 // total bytes of the first and of the second format
}

// New returns a codec that compares two formats. Its methods return the results of the first format, answers. For
// a fraction of the calls they compare these results with the results of the second format, other.
func New[T any](answers, other Codec[T], s Settings) *Compared[T] {
	return &Compared[T]{answers: answers, other: other, watch: shadow.New(s)}
}

// Counts returns the counts so far.
func (c *Compared[T]) Counts() Counts {
	return Counts{c.watch.Counts(), c.answered.Load(), c.wouldBe.Load()}
}

// Marshal returns the encoding of *v by the first format. A nil v is passed to that format, and
// not compared.
func (c *Compared[T]) Marshal(v *T) ([]byte, error) {
	data, err := c.answers.Marshal(v)
	if c.watch.Chosen() {
		if v == nil || len(data) > c.watch.MaxBytes() {
			c.watch.Pass()
			return data, err
		}
		c.watch.Compare("Marshal", reflect.TypeFor[T](), func() *Difference {
			before := bytes.Clone(data)
			other, otherErr := c.other.Marshal(v)
			if d := failures(err, otherErr); d != nil || err != nil {
				return d
			}
			c.answered.Add(uint64(len(data)))
			c.wouldBe.Add(uint64(len(other)))
			var a, b T
			if d := failures(c.answers.Unmarshal(before, &a), c.other.Unmarshal(other, &b)); d != nil {
				return d
			}
			return shadow.Values(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
		})
	}
	return data, err
}

// Unmarshal decodes data into *v by the first format. The second format encodes and decodes the
// result.
func (c *Compared[T]) Unmarshal(data []byte, v *T) error {
	err := c.answers.Unmarshal(data, v)
	if c.watch.Chosen() {
		if v == nil || err != nil || len(data) > c.watch.MaxBytes() {
			c.watch.Pass()
			return err
		}
		c.watch.Compare("Unmarshal", reflect.TypeFor[T](), func() *Difference {
			other, err := c.other.Marshal(v)
			var b T
			if err == nil {
				err = c.other.Unmarshal(other, &b)
			}
			if d := failures(nil, err); d != nil {
				return d
			}
			return shadow.Values(reflect.ValueOf(v).Elem(), reflect.ValueOf(&b).Elem())
		})
	}
	return err
}

// failures returns a Difference if only one of the formats failed. It does not compare the
// texts of errors.
func failures(answered, other error) *Difference {
	if (answered == nil) == (other == nil) {
		return nil
	}
	return shadow.Errors(answered, other)
}

// Funcs is a Codec of two functions, such as those in a package for MessagePack:
//
//	shadow.Funcs[Reading]{
//		Encode: func(v *Reading) ([]byte, error) { return msgpack.Marshal(v) },
//		Decode: func(data []byte, v *Reading) error { return msgpack.Unmarshal(data, v) },
//	}
type Funcs[T any] struct {
	Encode func(v *T) ([]byte, error)
	Decode func(data []byte, v *T) error
}

// Marshal calls Encode.
func (f Funcs[T]) Marshal(v *T) ([]byte, error) { return f.Encode(v) }

// Unmarshal calls Decode.
func (f Funcs[T]) Unmarshal(data []byte, v *T) error { return f.Decode(data, v) }

// Gob returns a codec that encodes each value as a complete stream of encoding/gob.
func Gob[T any]() Codec[T] {
	return Funcs[T]{
		Encode: func(v *T) ([]byte, error) {
			var out bytes.Buffer
			err := gob.NewEncoder(&out).Encode(v)
			return out.Bytes(), err
		},
		Decode: func(data []byte, v *T) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) },
	}
}
