//go:build !(go1.27 && goexperiment.jsonv2)

package shadow_test

// standard is set if Go has encoding/json/v2.
const standard = false
