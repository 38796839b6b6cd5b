//go:build go1.27 && goexperiment.jsonv2

package shadow

// hasStandard is set if Go has encoding/json/v2.
const hasStandard = true
