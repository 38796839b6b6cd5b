//go:build !(go1.27 && goexperiment.jsonv2)

package jsontext

// replacement is how encoding/json writes bytes that are not UTF-8.
const replacement = `\ufffd`
