package telemetry

import (
	_ "embed"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/schema"
)

// layout1 is the schema of a Batch in layout 1 of the binary format.
//
//go:embed layout1.json
var layout1 []byte

// A converter converts values from layout 1 of the binary format to the present layout. In layout 1
// structs have no lengths, so they could not get new fields. Agents, servers and files of older
// versions of pulse use it.
type converter struct{ older, present *schema.Schema }

// OlderBatch and OlderReading convert a [Batch] and a [Reading].
var OlderBatch, OlderReading = func() (batch, reading converter) {
	older := new(schema.Schema)
	if err := json.Unmarshal(layout1, older); err != nil {
		panic(err) // the file is valid
	}
	if err := older.Check(); err != nil {
		panic(err)
	}
	one := *older
	one.Type = older.Resolve(older.Type).Fields[0].Type.Elem
	return converter{older, wire.Must(wire.SchemaOf[Batch]())}, converter{&one, wire.Must(wire.SchemaOf[Reading]())}
}()

// Fingerprint returns the fingerprint of layout 1.
func (c converter) Fingerprint() schema.Fingerprint { return c.older.Fingerprint() }

// Convert returns the encoding in the present layout.
func (c converter) Convert(data []byte) ([]byte, error) {
	text, err := c.older.AppendJSON(nil, data)
	if err != nil {
		return nil, err
	}
	return c.present.EncodeJSON(nil, text)
}
