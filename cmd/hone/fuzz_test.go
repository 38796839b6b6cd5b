package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/hone-go/hone/cmd/hone/internal/sample"
	"github.com/hone-go/hone/wire"
)

// FuzzTable parses arbitrary bytes as a schema. A schema that is accepted can be printed.
func FuzzTable(f *testing.F) {
	text, err := json.Marshal(wire.Must(wire.SchemaOf[sample.Order]()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":1,"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"slice","length":"uvarint","elem":{"kind":"ref","name":"a"}}}}`))
	f.Add([]byte(`{"version":1,"type":{"kind":"union","tag":"byte","cases":[{"id":0,"name":"x"},{"id":1,"name":"y","type":{"kind":"time"}}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parseSchema("s", text)
		if err != nil {
			return
		}
		if err := writeTable(new(bytes.Buffer), s); err != nil {
			t.Fatal(err)
		}
	})
}
