//go:build go1.27 && goexperiment.jsonv2

package syntax

// standardInvalid is how encoding/json writes bytes that are not UTF-8 where it is built on
// its second version.
const standardInvalid = Escapes(0)

// waits reports whether a value that ends with c, which all that has come ends with, is
// complete only when the byte behind it has come. A number is not, as it may go on; the
// index waits for that by itself.
func waits(byte) bool { return false }
