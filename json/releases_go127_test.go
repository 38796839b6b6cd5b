//go:build go1.27 && goexperiment.jsonv2

package json

import "encoding/json/jsontext"

// releaseTokens has methods that encode and decode it with streams.
type releaseTokens struct{ Read bool }

func (releaseTokens) MarshalJSONTo(to *jsontext.Encoder) error {
	return to.WriteToken(jsontext.String("tokens"))
}
func (t *releaseTokens) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	t.Read = true
	return from.SkipValue()
}
