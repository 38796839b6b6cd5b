package json

import (
	"bytes"
	"testing"

	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/mo"
)

type account struct {
	Name   string
	Secret string `writeOnly:"true"`
	*credentials
	Next   *account `json:",omitempty"`
	List   []account
	ByName map[string]account
	Any    any
	Maybe  mo.Option[*account]
	Either mo.Either[int, *account]
	Keeps  selfEncoding
}

type credentials struct {
	Login    string
	Password string `writeOnly:"true" json:"password,omitempty"`
}

// A selfEncoding has a marshal method, so its tags are ignored.
type selfEncoding struct {
	Secret string `writeOnly:"true"`
}

func (s selfEncoding) MarshalJSON() ([]byte, error) { return []byte(`{"Secret":"kept"}`), nil }

// TestOmitWriteOnly checks that secrets are omitted in every place of a struct.
func TestOmitWriteOnly(t *testing.T) {
	leaf := account{Name: "leaf", Secret: "s3cret", credentials: &credentials{"l", "s3cret"}}
	v := leaf
	v.Next, v.List, v.ByName, v.Any = &leaf, []account{leaf}, map[string]account{"k": leaf}, &leaf
	v.Maybe, v.Either = mo.Some(&leaf), mo.Right[int](&leaf)
	twin, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{`"Secret":"s3cret",`, `,"password":"s3cret"`} {
		twin = bytes.ReplaceAll(twin, []byte(name), nil)
	}
	var stream bytes.Buffer
	if err := (Config{OmitWriteOnly: true, Engine: StdEngine}).NewEncoder(&stream).Encode(v); err != nil {
		t.Fatal(err)
	}
	codec := For[account](Config{OmitWriteOnly: true})
	for name, encode := range map[string]func() ([]byte, error){
		"Config":       func() ([]byte, error) { return Config{OmitWriteOnly: true}.Marshal(v) },
		"pointer":      func() ([]byte, error) { return Config{OmitWriteOnly: true}.Append(nil, &v) },
		"interface":    func() ([]byte, error) { var i any = v; return Config{OmitWriteOnly: true}.Append(nil, &i) },
		"std":          func() ([]byte, error) { return Config{OmitWriteOnly: true, Engine: StdEngine}.Marshal(v) },
		"Encoder":      func() ([]byte, error) { return bytes.TrimSpace(stream.Bytes()), nil },
		"Codec":        func() ([]byte, error) { return codec.Marshal(&v) },
		"MarshalWrite": func() ([]byte, error) { var b bytes.Buffer; err := codec.MarshalWrite(&b, v); return b.Bytes(), err },
	} {
		if got, err := encode(); err != nil || !bytes.Equal(got, twin) {
			t.Errorf("%s: %v\n%s, want\n%s", name, err, got, twin)
		}
	}
	// Without the option all members are encoded.
	if got, _ := Marshal(v); bytes.Count(got, []byte("s3cret")) != 14 {
		t.Errorf("without the option: %s", got)
	}
	sorted := jsonv2.JoinOptions(DefaultOptionsV1(), jsonv2.OmitWriteOnly(true))
	for _, opts := range []jsonv2.Options{sorted, jsonv2.JoinOptions(sorted, jsonv2.WithEngine(jsonv2.StdEngine))} {
		if got, err := jsonv2.Marshal(v, opts); err != nil || !bytes.Equal(got, twin) {
			t.Errorf("v2: %v\n%s, want\n%s", err, got, twin)
		}
	}
	if on, ok := jsonv2.GetOption(sorted, jsonv2.OmitWriteOnly); !on || !ok {
		t.Error("v2: the option is not set")
	}
}
