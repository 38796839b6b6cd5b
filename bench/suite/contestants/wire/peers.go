package wire

import (
	"bytes"
	"encoding/gob"
	"encoding/json"

	"github.com/cybriq/gotiny"
	musgo "github.com/mus-format/mus-go"
	shamatonpack "github.com/shamaton/msgpack/v3"
	"github.com/tinylib/msgp/msgp"
	vmihailencopack "github.com/vmihailenco/msgpack/v5"
	"google.golang.org/protobuf/proto"

	"github.com/hone-go/hone/bench/suite/contestants/generated/wirepeer"
	"github.com/hone-go/hone/bench/suite/contestants/generated/wirepeer/bop"
	"github.com/hone-go/hone/bench/suite/contestants/generated/wirepeer/pb"
)

// utc sets the time of a decoded record to UTC. Some codecs decode it in the local zone.
func utc[T any](decode func([]byte, *T) error) func([]byte, *T) error {
	if _, ok := any((*T)(nil)).(*Record); !ok {
		return decode
	}
	return func(data []byte, v *T) error {
		err := decode(data, v)
		r := any(v).(*Record)
		r.BirthDay = r.BirthDay.UTC()
		return err
	}
}

type makeCodec[T any] func(name string, encode func([]byte, *T) ([]byte, error), decode func([]byte, *T) error, notes ...string) codec[T]

func musCodec[T any](with makeCodec[T], name string, s musgo.Serializer[T]) codec[T] {
	encode, decode := wirepeer.MUS(s)
	return with(name, encode, decode, "generated")
}

type bencer[T any] interface {
	*T
	SizePlain() int
	MarshalPlain(n int, b []byte) int
	UnmarshalPlain(n int, b []byte) (int, error)
}

func bencCodec[T any, P bencer[T]]() codec[T] {
	encode, decode := wirepeer.Benc[T, P]()
	return renewed("benc", encode, decode, "generated")
}

type msgper[T any] interface {
	*T
	msgp.Marshaler
	msgp.Unmarshaler
}

func appendMsgp[T any, P msgper[T]](dst []byte, v *T) ([]byte, error) { return P(v).MarshalMsg(dst) }

func readMsgp[T any, P msgper[T]](data []byte, v *T) error {
	_, err := P(v).UnmarshalMsg(data)
	return err
}

func msgpCodec[T any, P msgper[T]]() codec[T] {
	return renewed("msgp", appendMsgp[T, P], utc(readMsgp[T, P]), "generated")
}

func bebop() codec[Record] {
	return converted("bebop", func(v *Record) *bop.Record {
		return &bop.Record{Name: v.Name, BirthDay: v.BirthDay, Phone: v.Phone, Siblings: int32(v.Siblings), Spouse: v.Spouse, Money: v.Money}
	}, func(m *bop.Record) *Record {
		return &Record{Name: m.Name, BirthDay: m.BirthDay.UTC(), Phone: m.Phone, Siblings: int(m.Siblings), Spouse: m.Spouse, Money: m.Money}
	}, func(dst []byte, m *bop.Record) ([]byte, error) {
		n := m.Size()
		if cap(dst) < n {
			dst = make([]byte, n)
		}
		return dst[:m.MarshalBebopTo(dst[:n])], nil
	}, func(data []byte, m *bop.Record) error { return m.UnmarshalBebop(data) }, "generated", "times to 100 ns")
}

func vmihailencoAppend[T any](dst []byte, v *T) ([]byte, error) {
	b := bytes.NewBuffer(dst[:0])
	e := vmihailencopack.GetEncoder()
	e.Reset(b)
	err := e.Encode(v)
	vmihailencopack.PutEncoder(e)
	return b.Bytes(), err
}

func vmihailencoRead[T any](data []byte, v *T) error { return vmihailencopack.Unmarshal(data, v) }

func vmihailenco[T any]() codec[T] {
	return reused("vmihailenco/msgpack", vmihailencoAppend[T], utc(vmihailencoRead[T]))
}

func shamaton[T any]() codec[T] {
	return reused("shamaton/msgpack", func(_ []byte, v *T) ([]byte, error) { return shamatonpack.Marshal(v) },
		utc(func(data []byte, v *T) error { return shamatonpack.Unmarshal(data, v) }))
}

// gotinyCodec keeps an encoder and a decoder. Two goroutines may not use one of them at once.
func gotinyCodec[T any](with makeCodec[T]) codec[T] {
	encoder, decoder := gotiny.NewEncoderWithPtr((*T)(nil)), gotiny.NewDecoderWithPtr((*T)(nil))
	return with("gotiny", func(dst []byte, v *T) ([]byte, error) {
		encoder.AppendTo(dst)
		return encoder.Encode(v), nil
	}, utc(func(data []byte, v *T) error {
		decoder.Decode(data, v)
		return nil
	}), "not checked")
}

func jsonAppend[T any](_ []byte, v *T) ([]byte, error) { return json.Marshal(v) }

func jsonRead[T any](data []byte, v *T) error { return json.Unmarshal(data, v) }

func protoAppend(dst []byte, m *pb.Record) ([]byte, error) {
	return proto.MarshalOptions{}.MarshalAppend(dst, m)
}

func protoRead(data []byte, m *pb.Record) error { return proto.Unmarshal(data, m) }

// gob encodes each value separately, including its type description, as necessary for a value
// that is stored or sent alone.
func gobAppend[T any](dst []byte, v *T) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	err := gob.NewEncoder(b).Encode(v)
	return b.Bytes(), err
}

func gobRead[T any](data []byte, v *T) error {
	var whole T // gob omits zero fields, so decode into a zero value
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(&whole)
	*v = whole
	return err
}

func gobCodec[T any]() codec[T] { return reused("encoding/gob", gobAppend[T], utc(gobRead[T])) }
