//go:build !(go1.27 && goexperiment.jsonv2)

package syntax

// standardEscapes are the escapes of the linked encoding/json, if EscapeHTML is off.
const standardEscapes = EscapeJS | EscapeInvalid
