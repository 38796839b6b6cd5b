//go:build go1.27 && goexperiment.jsonv2

package json

import "encoding/json"

// successor returns the decoder that continues after a syntax error, by the rules from Go 1.27 on.
func (d *Decoder) successor() standard { return d.Std() }

// A secondDecoder is not needed, because the linked encoding/json follows the rules from Go 1.27
// on.
type secondDecoder struct{ standard }

func (*secondDecoder) std(*Config) *json.Decoder { return nil }
