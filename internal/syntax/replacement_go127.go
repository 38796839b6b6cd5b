//go:build go1.27 && goexperiment.jsonv2

package syntax

// standardEscapes are the rules of the encoding/json that is linked, without EscapeHTML.
const standardEscapes = EscapeJS
