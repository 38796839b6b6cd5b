//go:build !(go1.27 && goexperiment.jsonv2)

package json

// secondEngine says which encoding/json the tests are held to: that of Go 1.26, or of
// Go 1.27 with the engine of old.
const secondEngine = false
