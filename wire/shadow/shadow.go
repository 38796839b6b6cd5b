// Package shadow tries a format beside the one that a program stores or sends: for a share of
// the calls the other format encodes and decodes the same value, and what comes back is
// compared. encoding/gob answers here, and Hone's wire format is tried:
//
//	var readings = shadow.New(shadow.Gob[Reading](), wire.Must(wire.For[Reading]()), shadow.Settings{Share: 0.01})
//
//	data, err := readings.Marshal(&r)
//	err = readings.Unmarshal(data, &r)
//
// What the other format makes never reaches the caller, and what it panics with is caught.
// Values come back alike if reflect.DeepEqual says so: a format that makes an empty slice nil,
// or drops the monotonic clock of a time, differs. docs/migrating/shadow.md has the steps.
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

// Settings say how much is compared and who is told.
type Settings = shadow.Settings

// A Difference is a call of which the formats made different things.
type Difference = shadow.Difference

// Counts are what has happened since the Compared was made.
type Counts struct {
	shadow.Counts
	// BytesAnswered and BytesOther are the lengths of what both formats made of the same
	// values.
	BytesAnswered, BytesOther uint64
}

// A Compared is a Codec that compares. It may be used by several goroutines at once, if both
// of its formats may.
type Compared[T any] struct {
	answers, other    Codec[T]
	watch             *shadow.Watch
	answered, wouldBe atomic.Uint64 // bytes
}

// New returns the codec by which answers does every call, and other a share of them beside it.
func New[T any](answers, other Codec[T], s Settings) *Compared[T] {
	return &Compared[T]{answers: answers, other: other, watch: shadow.New(s)}
}

// Counts returns what has happened so far.
func (c *Compared[T]) Counts() Counts {
	return Counts{c.watch.Counts(), c.answered.Load(), c.wouldBe.Load()}
}

// Marshal returns the encoding of *v. A nil v is passed to the codec as it is.
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

// Unmarshal decodes data into *v. The other format encodes what came out, and decodes it.
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

// failures compares whether two formats failed: what they say of it is their own.
func failures(answered, other error) *Difference {
	if (answered == nil) == (other == nil) {
		return nil
	}
	return shadow.Errors(answered, other)
}

// Funcs are a Codec of two functions, such as those of a package for MessagePack:
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

// Gob returns the codec by which every value is a stream of encoding/gob of its own.
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
