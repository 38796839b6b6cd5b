package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/hone-go/hone/cmd/hone/internal/sample"
	"github.com/hone-go/hone/internal/testkit"
	"github.com/hone-go/hone/wire"
)

// FuzzSchema parses a schema. One that is accepted can be printed, reads its own
// bytes, is the same schema after a journey through JSON, and decodes any bytes
// or refuses them.
func FuzzSchema(f *testing.F) {
	v := order()
	data, err := wire.Marshal(&v)
	if err != nil {
		f.Fatal(err)
	}
	text, err := json.Marshal(wire.Must(wire.SchemaOf[sample.Order]()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, data)
	f.Add([]byte(`{"version":1,"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"slice","length":"uvarint","elem":{"kind":"ref","name":"a"}}}}`), []byte("\x02\x00\x00"))
	f.Add([]byte(`{"version":1,"type":{"kind":"array","count":1000000000,"elem":{"kind":"struct"}}}`), []byte{})
	f.Add([]byte(`{"version":1,"type":{"kind":"slice","length":"u64le","elem":{"kind":"skip"}}}`), []byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte(`{"version":1,"type":{"kind":"union","tag":"byte","cases":[{"id":0,"name":"x"},{"id":1,"name":"y","type":{"kind":"time"}}]}}`), []byte("\x01\x00\x00\x00"))
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, text, data []byte) {
		s, err := parseSchema("s", text)
		if err != nil {
			return
		}
		var table bytes.Buffer
		if err := writeTable(&table, s); err != nil {
			t.Fatal(err)
		}
		if problems := s.Reads(s); len(problems) > 0 {
			t.Fatalf("%s does not read itself: %v", text, problems)
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		back, err := parseSchema("s", again)
		if err != nil || back.Fingerprint() != s.Fingerprint() {
			t.Fatalf("%s comes back as %s: %v", text, again, err)
		}
		var out bytes.Buffer
		r := reader{schema: s, in: data, out: &out}
		err = r.value(s.Type, "", maxDepth)
		if most := maxEmpty*(len(text)+8) + 64*(len(text)+64)*(len(data)+64); out.Len() > most {
			t.Fatalf("%d bytes by a schema of %d are %d of JSON", len(data), len(text), out.Len())
		}
		if err == nil && !json.Valid(out.Bytes()) {
			t.Fatalf("%x by %s is %s", data, text, &out)
		}
	})
}
