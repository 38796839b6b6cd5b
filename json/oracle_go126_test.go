//go:build !(go1.27 && goexperiment.jsonv2)

package json

// secondEngine says whether the linked encoding/json has the second engine. Go 1.26 has the first
// one, and so has Go 1.27 with GOEXPERIMENT=nojsonv2.
const secondEngine = false
