//go:build go1.27 && goexperiment.jsonv2

package shadow

// hasStandard is true if the standard library contains encoding/json/v2.
const hasStandard = true
