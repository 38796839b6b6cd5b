//go:build !goexperiment.jsonv2

package json

// The oracle of most tests is encoding/json, errors and all.
const onV2 = false
