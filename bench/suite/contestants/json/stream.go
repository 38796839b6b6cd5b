package json

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	stdtext "github.com/go-json-experiment/json/jsontext"
	goccyv2 "github.com/goccy/go-json/v2"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/generated/jsonpeer"
	"github.com/hone-go/hone/json/jsontext"
	honev2 "github.com/hone-go/hone/json/v2"
)

// standard is the name of encoding/json/v2 and encoding/json/jsontext; before Go 1.27 the
// packages are from go-json-experiment/json.
const standard = "encoding/json/v2"

// streamContests read and write the Twitter document by streams of tokens, and by methods and
// functions with such streams.
func streamContests() []contest.Contest {
	return []contest.Contest{
		textContest("json/twitter stream/read tokens", "", nil, []textEngine{
			{"hone", readTokens}, {standard, readStandardTokens}, {goccyV2, readGoccyTokens},
		}),
		textContest("json/twitter stream/write tokens", "", nil, []textEngine{
			{"hone", writeTokens}, {standard, writeStandardTokens}, {goccyV2, writeGoccyTokens},
		}),
		textContest("json/twitter stream/skip a value", "", nil, []textEngine{
			{"hone", func(_ *bytes.Buffer, text []byte) error {
				return jsontext.NewDecoder(bytes.NewReader(text)).SkipValue()
			}},
			{standard, func(_ *bytes.Buffer, text []byte) error {
				return stdtext.NewDecoder(bytes.NewReader(text)).SkipValue()
			}},
			{goccyV2, skipGoccyValue},
		}),
		textContest("json/twitter stream/canonicalize", "", nil, []textEngine{
			{"hone", func(w *bytes.Buffer, text []byte) error {
				b, err := jsontext.AppendFormat(w.AvailableBuffer(), text, jsontext.CanonicalizeRawInts(true), jsontext.CanonicalizeRawFloats(true), jsontext.ReorderRawObjects(true))
				w.Write(b)
				return err
			}},
			{standard, func(w *bytes.Buffer, text []byte) error {
				b, err := stdtext.AppendFormat(w.AvailableBuffer(), text, stdtext.CanonicalizeRawInts(true), stdtext.CanonicalizeRawFloats(true), stdtext.ReorderRawObjects(true))
				w.Write(b)
				return err
			}},
			{goccyV2, canonicalizeByGoccy},
		}),
		methodContest("json/methods with streams/encode", true),
		methodContest("json/methods with streams/decode", false),
		functionContest("json/a function for a leaf/encode"),
	}
}

func readTokens(_ *bytes.Buffer, text []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.ReadToken(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func readStandardTokens(_ *bytes.Buffer, text []byte) error {
	d := stdtext.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.ReadToken(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// The tokens to write: objects with a name, a string and a number.
const tokensWritten = 5000

func writeTokens(w *bytes.Buffer, _ []byte) error {
	e := jsontext.NewEncoder(w)
	err := e.WriteToken(jsontext.BeginArray)
	for i := range tokensWritten {
		err = errors.Join(err, e.WriteToken(jsontext.BeginObject), e.WriteToken(jsontext.String("name")), e.WriteToken(jsontext.String("a text of some length")),
			e.WriteToken(jsontext.String("id")), e.WriteToken(jsontext.Int(int64(i))), e.WriteToken(jsontext.EndObject))
	}
	return errors.Join(err, e.WriteToken(jsontext.EndArray))
}

func writeStandardTokens(w *bytes.Buffer, _ []byte) error {
	e := stdtext.NewEncoder(w)
	err := e.WriteToken(stdtext.BeginArray)
	for i := range tokensWritten {
		err = errors.Join(err, e.WriteToken(stdtext.BeginObject), e.WriteToken(stdtext.String("name")), e.WriteToken(stdtext.String("a text of some length")),
			e.WriteToken(stdtext.String("id")), e.WriteToken(stdtext.Int(int64(i))), e.WriteToken(stdtext.EndObject))
	}
	return errors.Join(err, e.WriteToken(stdtext.EndArray))
}

// Points have methods for streams: Hone's, and the standard library's.
type (
	ourPoint      struct{ X, Y int64 }
	standardPoint struct{ X, Y int64 }
)

func (p ourPoint) MarshalJSONTo(e *jsontext.Encoder) error {
	return errors.Join(e.WriteToken(jsontext.BeginArray), e.WriteToken(jsontext.Int(p.X)), e.WriteToken(jsontext.Int(p.Y)), e.WriteToken(jsontext.EndArray))
}

func (p standardPoint) MarshalJSONTo(e *stdtext.Encoder) error {
	return errors.Join(e.WriteToken(stdtext.BeginArray), e.WriteToken(stdtext.Int(p.X)), e.WriteToken(stdtext.Int(p.Y)), e.WriteToken(stdtext.EndArray))
}

func (p *ourPoint) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	_, err := d.ReadToken()
	x, err1 := d.ReadToken()
	p.X, _ = x.Int()
	y, err2 := d.ReadToken()
	p.Y, _ = y.Int()
	_, err3 := d.ReadToken()
	return errors.Join(err, err1, err2, err3)
}

func (p *standardPoint) UnmarshalJSONFrom(d *stdtext.Decoder) error {
	_, err := d.ReadToken()
	x, err1 := d.ReadToken()
	p.X, _ = x.Int()
	y, err2 := d.ReadToken()
	p.Y, _ = y.Int()
	_, err3 := d.ReadToken()
	return errors.Join(err, err1, err2, err3)
}

func points[T any](of func(x, y int64) T) []T {
	list := make([]T, 1000)
	for i := range list {
		list[i] = of(int64(i), -int64(i))
	}
	return list
}

func methodContest(name string, encoding bool) contest.Contest {
	ours := points(func(x, y int64) ourPoint { return ourPoint{x, y} })
	theirs := points(func(x, y int64) standardPoint { return standardPoint{x, y} })
	goccys := points(func(x, y int64) goccyPoint { return goccyPoint{x, y} })
	text, err := jsonv2.Marshal(theirs)
	encode := func(f func(buf []byte) ([]byte, error)) func() (func(int), error) {
		return func() (func(int), error) {
			got, failed := f(nil)
			if err := errors.Join(err, failed); err != nil || !bytes.Equal(got, text) {
				return nil, errors.Join(err, errors.New("the output differs"))
			}
			return contest.Loop(func() { got, _ = f(got[:0]) }), nil
		}
	}
	decode := func(f func() error) func() (func(int), error) {
		return func() (func(int), error) {
			if err := errors.Join(err, f()); err != nil {
				return nil, err
			}
			return contest.Loop(func() { _ = f() }), nil
		}
	}
	standardEncode := func(buf []byte) ([]byte, error) {
		w := bytes.NewBuffer(buf)
		err := jsonv2.MarshalWrite(w, theirs)
		return w.Bytes(), err
	}
	// Hone calls the methods with the standard library's streams, which Go 1.26 lacks.
	const onStandard = "hone v2 std methods"
	inStandard := reflect.TypeFor[stdtext.Encoder]().PkgPath() == "encoding/json/jsontext"
	c := contest.Contest{Name: name}
	if encoding {
		c.Contestants = append(c.Contestants, contest.Contestant{Name: "hone v2", New: encode(func(buf []byte) ([]byte, error) { return honev2.Append(buf, ours) })})
		if inStandard {
			c.Contestants = append(c.Contestants, contest.Contestant{Name: onStandard, New: encode(func(buf []byte) ([]byte, error) { return honev2.Append(buf, theirs) })})
		}
		c.Contestants = append(c.Contestants, contest.Contestant{Name: standard, New: encode(standardEncode)},
			contest.Contestant{Name: goccyV2, New: encode(func(buf []byte) ([]byte, error) { return encodeByGoccy(buf, goccys) })})
		return c
	}
	c.Contestants = append(c.Contestants, contest.Contestant{Name: "hone v2", New: decode(func() error { var v []ourPoint; return honev2.Unmarshal(text, &v) })})
	if inStandard {
		c.Contestants = append(c.Contestants, contest.Contestant{Name: onStandard, New: decode(func() error { var v []standardPoint; return honev2.Unmarshal(text, &v) })})
	}
	c.Contestants = append(c.Contestants, contest.Contestant{Name: standard, New: decode(func() error { var v []standardPoint; return jsonv2.Unmarshal(text, &v) })},
		contest.Contestant{Name: goccyV2, New: decode(func() error { var v []goccyPoint; return goccyv2.Unmarshal(text, &v) })})
	return c
}

// functionContest encodes the Twitter document with a custom marshal function for the type bool.
func functionContest(name string) contest.Contest {
	yes := func(v bool) ([]byte, error) {
		if v {
			return []byte(`"yes"`), nil
		}
		return []byte(`"no"`), nil
	}
	ours := honev2.WithMarshalers(honev2.MarshalFunc(yes))
	theirs := jsonv2.WithMarshalers(jsonv2.MarshalFunc(yes))
	way := func(f func(buf []byte, v *jsonpeer.TwitterDocument) ([]byte, error)) func() (func(int), error) {
		return func() (func(int), error) {
			v, _, err := document[jsonpeer.TwitterDocument]("twitter_status")()
			if err != nil {
				return nil, err
			}
			got, err := f(nil, &v)
			if err != nil || !strings.Contains(string(got), `"no"`) {
				return nil, errors.Join(err, errors.New("the function was not called"))
			}
			return contest.Loop(func() { got, _ = f(got[:0], &v) }), nil
		}
	}
	return contest.Contest{Name: name, Contestants: []contest.Contestant{
		{Name: "hone v2", New: way(func(buf []byte, v *jsonpeer.TwitterDocument) ([]byte, error) { return honev2.Append(buf, v, ours) })},
		{Name: standard, New: way(func(buf []byte, v *jsonpeer.TwitterDocument) ([]byte, error) {
			w := bytes.NewBuffer(buf)
			err := jsonv2.MarshalWrite(w, v, theirs)
			return w.Bytes(), err
		})},
		{Name: goccyV2, New: way(encodeWithFunction(yes))},
	}}
}
