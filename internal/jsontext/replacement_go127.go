//go:build go1.27 && goexperiment.jsonv2

package jsontext

// replacement is how encoding/json writes bytes that are not UTF-8 where it is
// built on its second version.
const replacement = "\ufffd"
