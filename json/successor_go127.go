//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"encoding/json"
	"io"
)

// successor returns the decoder that continues after an error, by the rules from Go 1.27 on.
func (d *Decoder) successor() standard { return d.Std() }

// A secondDecoder is not needed, since the linked encoding/json has the rules from Go 1.27 on.
type secondDecoder struct{ standard }

func (*secondDecoder) std(io.Reader, *Config) *json.Decoder { return nil }
