package json

import (
	"bytes"
	"errors"
	"io"

	goccytext "github.com/goccy/go-json/jsontext"
	goccyv2 "github.com/goccy/go-json/v2"

	"github.com/hone-go/hone/bench/suite/contestants/generated/jsonpeer"
)

// goccyV2 is the name of the packages v2 and jsontext of goccy/go-json. Each package has its own copy of
// the calls, since a generic function would add an indirect call to each token.
const goccyV2 = "goccy v2"

func readGoccyTokens(_ *bytes.Buffer, text []byte) error {
	d := goccytext.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.ReadToken(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func writeGoccyTokens(w *bytes.Buffer, _ []byte) error {
	e := goccytext.NewEncoder(w)
	err := e.WriteToken(goccytext.BeginArray)
	for i := range tokensWritten {
		err = errors.Join(err, e.WriteToken(goccytext.BeginObject), e.WriteToken(goccytext.String("name")), e.WriteToken(goccytext.String("a text of some length")),
			e.WriteToken(goccytext.String("id")), e.WriteToken(goccytext.Int(int64(i))), e.WriteToken(goccytext.EndObject))
	}
	return errors.Join(err, e.WriteToken(goccytext.EndArray))
}

func skipGoccyValue(_ *bytes.Buffer, text []byte) error {
	return goccytext.NewDecoder(bytes.NewReader(text)).SkipValue()
}

func canonicalizeByGoccy(w *bytes.Buffer, text []byte) error {
	b, err := goccytext.AppendFormat(w.AvailableBuffer(), text, goccytext.CanonicalizeRawInts(true), goccytext.CanonicalizeRawFloats(true), goccytext.ReorderRawObjects(true))
	w.Write(b)
	return err
}

// A goccyPoint has methods for goccy's streams.
type goccyPoint struct{ X, Y int64 }

func (p goccyPoint) MarshalJSONTo(e *goccytext.Encoder) error {
	return errors.Join(e.WriteToken(goccytext.BeginArray), e.WriteToken(goccytext.Int(p.X)), e.WriteToken(goccytext.Int(p.Y)), e.WriteToken(goccytext.EndArray))
}

func (p *goccyPoint) UnmarshalJSONFrom(d *goccytext.Decoder) error {
	_, err := d.ReadToken()
	x, err1 := d.ReadToken()
	p.X, _ = x.Int()
	y, err2 := d.ReadToken()
	p.Y, _ = y.Int()
	_, err3 := d.ReadToken()
	return errors.Join(err, err1, err2, err3)
}

// encodeByGoccy appends the encoding of v by version 2 to buf.
func encodeByGoccy(buf []byte, v any, options ...goccyv2.Options) ([]byte, error) {
	w := bytes.NewBuffer(buf)
	err := goccyv2.MarshalWrite(w, v, options...)
	return w.Bytes(), err
}

// encodeWithFunction encodes a document with the marshal function yes for the type bool.
func encodeWithFunction(yes func(bool) ([]byte, error)) func(buf []byte, v *jsonpeer.TwitterDocument) ([]byte, error) {
	option := goccyv2.WithMarshalers(goccyv2.MarshalFunc(yes))
	return func(buf []byte, v *jsonpeer.TwitterDocument) ([]byte, error) { return encodeByGoccy(buf, v, option) }
}
