//go:build !(go1.27 && goexperiment.jsonv2)

package json

// releaseTokens has no methods, because the encoding/json of this release supports no streams.
type releaseTokens struct{}
