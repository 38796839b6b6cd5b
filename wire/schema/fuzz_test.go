package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/hone-go/hone/internal/testkit"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

// FuzzSchema parses a schema. One that is accepted reads its own
// bytes, is the same schema after a journey through JSON, and decodes any bytes
// or refuses them.
func FuzzSchema(f *testing.F) {
	v := newOrder()
	data, err := wire.Marshal(&v)
	if err != nil {
		f.Fatal(err)
	}
	text, err := json.Marshal(wire.Must(wire.SchemaOf[order]()))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text, data)
	f.Add([]byte(`{"version":1,"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"slice","length":"uvarint","elem":{"kind":"ref","name":"a"}}}}`), []byte("\x02\x00\x00"))
	f.Add([]byte(`{"version":1,"type":{"kind":"array","count":1000000000,"elem":{"kind":"struct"}}}`), []byte{})
	f.Add([]byte(`{"version":1,"type":{"kind":"slice","length":"u64le","elem":{"kind":"skip"}}}`), []byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte(`{"version":1,"type":{"kind":"union","tag":"byte","cases":[{"id":0,"name":"x"},{"id":1,"name":"y","type":{"kind":"time"}}]}}`), []byte("\x01\x00\x00\x00"))
	f.Add([]byte(`{"version":1,"type":{"kind":"struct","evolving":true,"unknown":"Rest","fields":[{"name":"A","was":["B"],"removed":"0000","type":{"kind":"array","count":2,"elem":{"kind":"int","bits":16,"coding":"varint"}}},{"name":"C","type":{"kind":"raw","length":"uvarint","elem":{"kind":"bool"}}}]}}`), []byte("\x06\x80\x80\x08\x00\x01\x01"))
	testkit.AddCorpus(f)
	f.Fuzz(func(t *testing.T, text, data []byte) {
		s, err := parse(text)
		if err != nil {
			return
		}
		if problems := s.Reads(s); len(problems) > 0 {
			t.Fatalf("%s does not read itself: %v", text, problems)
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		back, err := parse(again)
		if err != nil || back.Fingerprint() != s.Fingerprint() {
			t.Fatalf("%s comes back as %s: %v", text, again, err)
		}
		out, err := s.AppendJSON(nil, data)
		const maxEmpty = 1 << 16 // values that take no bytes
		if most := maxEmpty*(len(text)+8) + 64*(len(text)+64)*(len(data)+64); len(out) > most {
			t.Fatalf("%d bytes by a schema of %d are %d of JSON", len(data), len(text), len(out))
		}
		if err == nil && !json.Valid(out) {
			t.Fatalf("%x by %s is %s", data, text, out)
		}
	})
}

func parse(text []byte) (*schema.Schema, error) {
	s := new(schema.Schema)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, err
	}
	return s, s.Check()
}
