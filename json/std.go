package json

import (
	"encoding/json"

	"github.com/hone-go/hone/json/internal/option"
)

// Std returns a *json.Encoder that writes to e's writer with e's options, for code that requires
// this type.
func (e *Encoder) Std() *json.Encoder {
	std := json.NewEncoder(e.w)
	std.SetEscapeHTML(e.on&option.EscapeForHTML != 0)
	std.SetIndent(e.prefix, e.indent)
	return std
}
