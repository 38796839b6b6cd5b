//go:build !(go1.27 && goexperiment.jsonv2)

package syntax

// standardInvalid is the rule by which encoding/json writes bytes that are not UTF-8.
const standardInvalid = EscapeInvalid

// waits reports whether a value that ends with c at the end of the input needs the next byte to be
// complete.
func waits(c byte) bool { return c != ']' && c != '}' }
