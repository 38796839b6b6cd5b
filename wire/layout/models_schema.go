package layout

import (
	"bytes"
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/schema"
)

// Schema returns the schema of the models that are registered so far, in the order of the bytes
// of their ids. An error is only possible if the methods of an id type fail now, though they
// did not fail at registration.
func (m *Models[ID]) Schema() (*schema.Models, error) {
	out := &schema.Models{Version: schema.Version, ID: schemaOf(program.Runner{Program: m.header})}
	encoded := map[string][]byte{}
	for id, one := range m.table.Load().byID {
		data, err := m.header.Append(nil, false, mem.Of(&id), wire.Limits{})
		if err != nil {
			return nil, err
		}
		text, err := out.ID.AppendJSON(nil, data)
		if err != nil {
			return nil, err
		}
		encoded[string(text)] = data
		out.Models = append(out.Models, schema.Model{ID: string(text), Schema: schemaOf(one.Runner)})
	}
	slices.SortFunc(out.Models, func(a, b schema.Model) int { return bytes.Compare(encoded[a.ID], encoded[b.ID]) })
	return out, nil
}

// schemaOf returns the schema of r's encoding. It converts r to a codec of an arbitrary type,
// which has no influence on the schema.
func schemaOf(r program.Runner) *schema.Schema {
	return (*wire.Codec[struct{}])(program.CodecOf[struct{}](r)).Schema()
}
