//go:build !(go1.27 && goexperiment.jsonv2)

package syntax

// standardInvalid is how encoding/json writes bytes that are not UTF-8.
const standardInvalid = EscapeInvalid

// waits reports whether a value that ends with c, which all that has come ends with, is
// complete only when the byte behind it has come.
func waits(c byte) bool { return c != ']' && c != '}' }
