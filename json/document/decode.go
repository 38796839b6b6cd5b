package document

import (
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/json"
)

// Decode decodes v into the Go value that target points to, as [json.Config.Unmarshal] decodes the text
// of v with these options. The error is an [*Error] whose Err is the error of package json. Its Pointer
// and Offset locate the value in the whole text, as far as [json.Locate] finds it. Offsets in the error of
// package json count from the start of v.
func (v Value) Decode(target any, options ...json.Config) error {
	if !v.ok() {
		return v.failed()
	}
	config := variadic.Only(options)
	raw := v.Raw()
	err := config.Unmarshal(raw, target)
	if err == nil {
		return nil
	}
	e := v.errorAt(err)
	if p, ok := json.Locate(raw, err); ok {
		e.Offset += int64(p.Offset)
		if e.located {
			e.Pointer += p.Pointer
		}
	}
	return e
}
