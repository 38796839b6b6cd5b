//go:build go1.27 && goexperiment.jsonv2

package syntax

// standardInvalid is the rule by which encoding/json of Go 1.27 writes bytes that are not UTF-8.
const standardInvalid = Escapes(0)

// waits reports whether a value that ends with c at the end of the input needs the next byte to be
// complete. A number does; the index sees to that itself.
func waits(byte) bool { return false }
