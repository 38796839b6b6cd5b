//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"encoding/json"
	"io"
)

// successor returns the decoder that goes on after an error, by the rules from Go 1.27 on.
func (d *Decoder) successor() standard { return d.Std() }

// A secondDecoder is not needed where encoding/json has these rules.
type secondDecoder struct{ standard }

func (*secondDecoder) std(io.Reader, *Config) *json.Decoder { return nil }
