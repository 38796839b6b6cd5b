//go:build !(go1.27 && goexperiment.jsonv2)

package json

// releaseTokens has no methods that this encoding/json could call.
type releaseTokens struct{}
