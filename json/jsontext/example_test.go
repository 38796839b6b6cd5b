package jsontext_test

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hone-go/hone/json/jsontext"
)

// A Decoder reads one token at a time, and reports its position in the text.
func ExampleDecoder() {
	d := jsontext.NewDecoder(strings.NewReader(`{"name":"web-1","load":[0.5,0.25]}`))
	for {
		token, err := d.ReadToken()
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		if token.Kind() == '0' {
			load, err := token.Float()
			fmt.Println(d.StackPointer(), load, err)
		}
	}
	// Output:
	// /load/0 0.5 <nil>
	// /load/1 0.25 <nil>
}

// An Encoder writes the punctuation between the tokens, and refuses a token in a wrong place.
func ExampleEncoder() {
	e := jsontext.NewEncoder(os.Stdout, jsontext.Multiline(true))
	for _, token := range []jsontext.Token{
		jsontext.BeginObject, jsontext.String("id"), jsontext.Int(7), jsontext.String("ok"), jsontext.True, jsontext.EndObject,
	} {
		if err := e.WriteToken(token); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// {
	// 	"id": 7,
	// 	"ok": true
	// }
}

func ExampleValue_Canonicalize() {
	v := jsontext.Value(`{"b": 1.0, "a": "\u0041"}`)
	err := v.Canonicalize()
	fmt.Println(v, err)
	// Output: {"a":"A","b":1} <nil>
}
