//go:build go1.27 && goexperiment.jsonv2

package shadow_test

// standard is true if the standard library contains encoding/json/v2.
const standard = true
