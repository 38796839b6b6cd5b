//go:build !(go1.27 && goexperiment.jsonv2)

package json

// secondEngine says which encoding/json the tests compare with: Go 1.26's, or Go 1.27 with the
// engine of old.
const secondEngine = false
