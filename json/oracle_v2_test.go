//go:build goexperiment.jsonv2

package json

// Under GOEXPERIMENT=jsonv2 encoding/json is a layer over its second version. It
// writes the same bytes but words errors in other ways, takes some documents for
// wrong that the first version reads, and panics at a few. Tests then hold
// package json to it where it succeeds.
const onV2 = true
