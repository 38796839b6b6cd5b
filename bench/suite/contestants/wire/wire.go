// Package wire has the contests of the binary codecs.
package wire

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/generated/wirepeer"
	"github.com/hone-go/hone/bench/suite/contestants/generated/wirepeer/pb"
	"github.com/hone-go/hone/bench/suite/contestants/wire/ways"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/layout"
)

// A codec is one way to encode a T and to decode it.
type codec[T any] struct {
	name  string
	notes []string
	make  func(v T) (coder[T], error)
}

// A coder encodes and decodes one value.
type coder[T any] struct {
	encode func(dst []byte) ([]byte, error)
	decode func(data []byte) error
	value  func() T // the value that was decoded last
}

// reused returns a codec that decodes into its previous value.
func reused[T any](name string, encode func([]byte, *T) ([]byte, error), decode func([]byte, *T) error, notes ...string) codec[T] {
	return codec[T]{name, notes, func(v T) (coder[T], error) {
		back := new(T)
		return coder[T]{
			func(dst []byte) ([]byte, error) { return encode(dst, &v) },
			func(data []byte) error { return decode(data, back) },
			func() T { return *back },
		}, nil
	}}
}

// renewed returns a codec that decodes into a new value each time.
func renewed[T any](name string, encode func([]byte, *T) ([]byte, error), decode func([]byte, *T) error, notes ...string) codec[T] {
	return codec[T]{name, notes, func(v T) (coder[T], error) {
		var back *T
		return coder[T]{
			func(dst []byte) ([]byte, error) { return encode(dst, &v) },
			func(data []byte) error {
				back = new(T)
				return decode(data, back)
			},
			func() T { return *back },
		}, nil
	}}
}

// converted returns a codec for T that uses the functions for another type M. The conversion of a T to an M
// is not timed.
func converted[T, M any](name string, to func(*T) *M, from func(*M) *T, encode func([]byte, *M) ([]byte, error), decode func([]byte, *M) error, notes ...string) codec[T] {
	return codec[T]{name, notes, func(v T) (coder[T], error) {
		m := to(&v)
		var back *M
		return coder[T]{
			func(dst []byte) ([]byte, error) { return encode(dst, m) },
			func(data []byte) error {
				back = new(M)
				return decode(data, back)
			},
			func() T { return *from(back) },
		}, nil
	}}
}

// byCodec returns a codec that uses an existing wire.Codec.
func byCodec[T any](name string, c *wire.Codec[T], notes ...string) codec[T] {
	return reused(name, c.Append, c.Unmarshal, notes...)
}

// byHand returns a codec of hand-written functions, which cannot return an error.
func byHand[T any](with makeCodec[T], encode func([]byte, *T) []byte, decode func([]byte, *T)) codec[T] {
	return with("by hand", func(dst []byte, v *T) ([]byte, error) { return encode(dst, v), nil },
		func(data []byte, v *T) error { decode(data, v); return nil }, contest.ByHand)
}

// Contests returns the contests of wire.
func Contests() []contest.Contest {
	var all []contest.Contest
	all = append(all, pair("wire/simple", "reused", simple(), byCodec("hone", wire.Must(wire.For[Simple]())),
		reused("hone Append", wire.Append[Simple], wire.Unmarshal[Simple]),
		generatedReused(func(v *Simple) *honeSimple { return (*honeSimple)(v) }),
		byHand(reused[Simple], appendSimple, readSimple))...)
	all = append(all, pair("wire/nested", "reused", nested(), byCodec("hone", wire.Must(wire.For[Nested]())),
		reused("hone Append", wire.Append[Nested], wire.Unmarshal[Nested]),
		generatedReused(func(v *Nested) *honeNested { return (*honeNested)(v) }),
		byHand(reused[Nested], appendNested, readNested))...)
	all = append(all, writerContest("wire/simple to a writer", simple(), writeSimple), writerContest("wire/nested to a writer", nested(), writeNested))
	for _, of := range []struct {
		name string
		n    int
	}{{"small", 10}, {"medium", 100}, {"large", 1000}} {
		all = append(all, pair("wire/document "+of.name, "reused", parcoDocument(of.n), byCodec("hone", documentLayout()),
			vmihailenco[wirepeer.Document](), shamaton[wirepeer.Document](), gobCodec[wirepeer.Document]())...)
	}
	aliased := wire.Must(wire.For[Record](wire.Options{AliasInput: true}))
	all = append(all, pair("wire/record, aliased", "reused", record(), byCodec("hone", aliased),
		generatedReused(func(v *Record) *honeRecord { return (*honeRecord)(v) }, wire.Options{AliasInput: true}),
		byHand(reused[Record], appendRecord, readRecordAliased), musCodec(reused[Record], "mus unsafe", wirepeer.RecordUnsafeMUS{}),
		gotinyCodec(reused[Record]), vmihailenco[Record](), shamaton[Record](), gobCodec[Record]())...)
	all = append(all, pair("wire/record", "new", record(), honeRenewed[Record](),
		generatedRenewed(func(v *Record) *honeRecord { return (*honeRecord)(v) }),
		byHand(renewed[Record], appendNewRecord, readRecord), musCodec(renewed[Record], "mus", wirepeer.RecordMUS{}), bencCodec[Record](), bebop(), msgpCodec[Record](),
		vtproto("vtprotobuf", (*wirepeer.Record).Proto, wirepeer.RecordOf), protobuf((*wirepeer.Record).Proto, wirepeer.RecordOf),
		gotinyCodec(renewed[Record]), vmihailenco[Record](), renewed("encoding/json", jsonAppend[Record], jsonRead[Record]), gobCodec[Record]())...)
	all = append(all, pair("wire/1000 uint32", "new", numbers(), honeRenewed[wirepeer.Numbers](),
		generatedRenewed(func(v *wirepeer.Numbers) *honeNumbers { return (*honeNumbers)(v) }), musCodec(renewed[wirepeer.Numbers], "mus", wirepeer.NumbersMUS{}),
		bencCodec[wirepeer.Numbers](), msgpCodec[wirepeer.Numbers](), vtproto("vtprotobuf", (*wirepeer.Numbers).Proto, wirepeer.NumbersOf), gobCodec[wirepeer.Numbers]())...)
	all = append(all, pair("wire/100 strings", "new", texts(), honeRenewed[wirepeer.Texts](),
		generatedRenewed(func(v *wirepeer.Texts) *honeTexts { return (*honeTexts)(v) }), musCodec(renewed[wirepeer.Texts], "mus", wirepeer.TextsMUS{}),
		bencCodec[wirepeer.Texts](), msgpCodec[wirepeer.Texts](), vtproto("vtprotobuf", (*wirepeer.Texts).Proto, wirepeer.TextsOf), gobCodec[wirepeer.Texts]())...)
	all = append(all, pair("wire/map of 100", "new", dictionary(), honeRenewed[wirepeer.Dictionary](),
		generatedRenewed(func(v *wirepeer.Dictionary) *honeDictionary { return (*honeDictionary)(v) }), musCodec(renewed[wirepeer.Dictionary], "mus", wirepeer.DictionaryMUS{}),
		bencCodec[wirepeer.Dictionary](), msgpCodec[wirepeer.Dictionary](), vtproto("vtprotobuf", (*wirepeer.Dictionary).Proto, wirepeer.DictionaryOf), gobCodec[wirepeer.Dictionary]())...)
	all = append(all, pair("wire/five levels", "new", levels(), honeRenewed[wirepeer.Level1](),
		generatedRenewed(func(v *wirepeer.Level1) *honeLevels { return (*honeLevels)(v) }), musCodec(renewed[wirepeer.Level1], "mus", wirepeer.Level1MUS{}),
		bencCodec[wirepeer.Level1](), msgpCodec[wirepeer.Level1](), vtproto("vtprotobuf", (*wirepeer.Level1).Proto, wirepeer.Level1Of), gobCodec[wirepeer.Level1]())...)
	all = append(all, pair("wire/pulse batch", "new", batch(), honeRenewed[wirepeer.Batch](),
		generatedRenewed(func(v *wirepeer.Batch) *honeBatch { return (*honeBatch)(v) }), musCodec(renewed[wirepeer.Batch], "mus", wirepeer.BatchMUS{}),
		bencCodec[wirepeer.Batch](),
		converted("msgp", (*wirepeer.Batch).Pointers, (*wirepeer.PBatch).Options, appendMsgp[wirepeer.PBatch], readMsgp[wirepeer.PBatch], "generated"),
		vtproto("vtprotobuf", (*wirepeer.Batch).Proto, wirepeer.BatchOf),
		converted("vmihailenco/msgpack", (*wirepeer.Batch).Pointers, (*wirepeer.PBatch).Options, vmihailencoAppend[wirepeer.PBatch], vmihailencoRead[wirepeer.PBatch]),
		converted("encoding/json", (*wirepeer.Batch).Pointers, (*wirepeer.PBatch).Options, jsonAppend[wirepeer.PBatch], jsonRead[wirepeer.PBatch]),
		converted("encoding/gob", (*wirepeer.Batch).Pointers, (*wirepeer.PBatch).Options, gobAppend[wirepeer.PBatch], gobRead[wirepeer.PBatch]))...)
	return append(all, lookUp())
}

func honeRenewed[T any]() codec[T] {
	return renewed("hone", func(_ []byte, v *T) ([]byte, error) { return wire.Marshal(v) }, wire.Unmarshal[T])
}

// pair returns two contests: encoding v, into a reused or a new buffer, and decoding the encoded v.
func pair[T any](name, buffer string, v T, codecs ...codec[T]) []contest.Contest {
	encode := contest.Contest{Name: name + "/encode"}
	decode := contest.Contest{Name: name + "/decode", Promises: decodes}
	aliased := strings.Contains(name, "aliased")
	if aliased {
		decode.Promises = decodesAliased
	}
	for _, c := range codecs {
		prepare := func() (coder[T], []byte, error) {
			made, err := c.make(v)
			if err != nil {
				return made, nil, err
			}
			data, err := made.encode(nil)
			if err == nil {
				err = made.decode(data)
			}
			if err == nil {
				err = contest.Same(made.value(), v)
			}
			return made, data, err
		}
		var notes []string
		if made, err := c.make(v); err == nil {
			if data, err := made.encode(nil); err == nil {
				notes = append(append(notes, c.notes...), fmt.Sprintf("%d bytes", len(data)))
			}
		}
		encode.Contestants = append(encode.Contestants, contest.Contestant{Name: c.name, Notes: notes, New: func() (func(int), error) {
			made, data, err := prepare()
			if buffer == "new" {
				return contest.Loop(func() { _, _ = made.encode(nil) }), err
			}
			buf := make([]byte, 0, 2*len(data)+64)
			return contest.Loop(func() { buf, _ = made.encode(buf[:0]) }), err
		}})
		decode.Contestants = append(decode.Contestants, contest.Contestant{Name: c.name, Notes: notes, Probes: probing(c, v, aliased), New: func() (func(int), error) {
			made, data, err := prepare()
			return contest.Loop(func() { _ = made.decode(data) }), err
		}})
	}
	return []contest.Contest{encode, decode}
}

// documentLayout returns a codec with the layout that Parco's benchmark gives the document.
func documentLayout() *wire.Codec[wirepeer.Document] {
	return wire.Must(layout.New(func(l *layout.Fields, d *wirepeer.Document) {
		layout.Field(l, &d.Name, layout.Varchar)
		layout.Field(l, &d.Str, layout.Varchar)
		layout.Field(l, &d.Num, layout.Uint16(layout.LE))
		layout.Field(l, &d.Arr, layout.Slice(layout.LenU16LE, layout.Uint16(layout.LE)))
		layout.Field(l, &d.Map, layout.Map(layout.LenU16LE, layout.SmallVarchar, layout.Uint8))
		layout.Field(l, &d.Bool, layout.Bool)
		layout.Field(l, &d.Float32, layout.Float32(layout.LE))
		layout.Field(l, &d.Float64, layout.Float64(layout.LE))
	}))
}

// writerContest returns the contest of passing the parts of v to a BinaryWriter.
func writerContest[T any](name string, v T, writeByHand func(wire.BinaryWriter, *T)) contest.Contest {
	walk := func(name string, make func() (ways.Serializer[T], error), notes ...string) contest.Contestant {
		return contest.Contestant{Name: name, Notes: notes, New: func() (func(int), error) {
			serialize, err := make()
			if err != nil {
				return nil, err
			}
			var got, hand recordingWriter
			if err := serialize(&got, &v); err != nil {
				return nil, err
			}
			writeByHand(&hand, &v)
			var w wire.BinaryWriter = &nullWriter{}
			// Only the number of calls is compared, because the order of a map's elements is
			// random.
			return contest.Loop(func() { _ = serialize(w, &v) }), contest.Same(len(got.calls), len(hand.calls))
		}}
	}
	hone := func() (ways.Serializer[T], error) {
		s, err := wire.MakeSerializer[T]()
		return s, err
	}
	const ours = "written for this contest"
	return contest.Contest{Name: name, Contestants: []contest.Contestant{
		walk("hone", hone),
		{Name: "by hand", Notes: []string{contest.ByHand}, New: func() (func(int), error) {
			var w wire.BinaryWriter = &nullWriter{}
			return contest.Loop(func() { writeByHand(w, &v) }), nil
		}},
		walk("reflection", ways.Reflection[T], ours),
		walk("closures", ways.Closures[T], ours),
		walk("instruction set", ways.Program[T], ours),
	}}
}

// lookUp finds the cached program of a type.
func lookUp() contest.Contest {
	t := reflect.TypeFor[Record]()
	var cache plan.Cache[Record]
	var standard sync.Map
	kept := cache.Put(t, new(Record))
	standard.Store(t, kept)
	sink := kept
	return contest.Contest{Name: "wire/look a type up", Contestants: []contest.Contestant{
		{Name: "hone", New: func() (func(int), error) {
			return contest.Loop(func() { sink = cache.Get(reflect.TypeFor[Record]()) }), contest.Same(cache.Get(t), kept)
		}},
		{Name: "sync.Map", New: func() (func(int), error) {
			return contest.Loop(func() {
				v, _ := standard.Load(reflect.TypeFor[Record]())
				sink = v.(*Record)
			}), contest.Same(kept, sink)
		}},
	}}
}

// protoMessage is the type of the messages that vtprotobuf generates.
type protoMessage[M any] interface {
	*M
	SizeVT() int
	MarshalToSizedBufferVT([]byte) (int, error)
	UnmarshalVT([]byte) error
}

func vtproto[T, M any, P protoMessage[M]](name string, to func(*T) P, from func(P) *T) codec[T] {
	return converted(name, func(v *T) *M { return to(v) }, func(m *M) *T { return from(m) }, func(dst []byte, m *M) ([]byte, error) {
		n := P(m).SizeVT()
		if cap(dst) < n {
			dst = make([]byte, n)
		}
		dst = dst[:n]
		_, err := P(m).MarshalToSizedBufferVT(dst)
		return dst, err
	}, func(data []byte, m *M) error { return P(m).UnmarshalVT(data) }, "generated")
}

func protobuf(to func(*Record) *pb.Record, from func(*pb.Record) *Record) codec[Record] {
	return converted("protobuf-go", to, from, protoAppend, protoRead, "generated")
}
