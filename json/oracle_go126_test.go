//go:build !(go1.27 && goexperiment.jsonv2)

package json

// secondEngine says whether the linked encoding/json has the second engine. It has not in Go 1.26,
// and in Go 1.27 with the old engine.
const secondEngine = false
