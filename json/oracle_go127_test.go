//go:build go1.27 && goexperiment.jsonv2

package json

// secondEngine says whether the linked encoding/json has the second engine, which is new in Go 1.27.
// Tests skip the differences that docs/migrating/encoding-json.md lists for it.
const secondEngine = true
