package json

import (
	"fmt"
	"os"
	"sync"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// An Engine is the implementation that encodes or decodes. It is the Engine of package json.
type Engine = option.Engine

// The engines.
const (
	// DefaultEngine is Hone's, or the standard library's if the environment variable HONE_JSON
	// is "std" when the program starts.
	DefaultEngine = option.DefaultEngine
	// HoneEngine is the engine of this module.
	HoneEngine = option.HoneEngine
	// StdEngine is encoding/json/v2. Go 1.26 has no such package: there, Hone's engine is used
	// instead, and the first such call writes a line to the standard error.
	StdEngine = option.StdEngine
)

// EngineByDefault returns the engine that [DefaultEngine] selects in this program.
func EngineByDefault() Engine {
	if hasStandard {
		return option.EngineByDefault
	}
	return HoneEngine
}

// WithEngine selects the engine of a call, a codec or a stream. It takes precedence over the
// environment. [LimitLengths], [CheckMembers] and [OmitWriteOnly] always use Hone's engine.
// Functions of the standard library panic if they are given this option.
func WithEngine(e Engine) Options {
	if e == DefaultEngine {
		e = option.EngineByDefault
	}
	return option.Own(option.ByStandard, e == StdEngine)
}

// byStd reports whether encoding/json/v2 encodes or decodes.
func byStd(set *option.Set) bool {
	return (set.Given&option.ByStandard != 0 || option.EngineByDefault == StdEngine) && asksStd(set)
}

func asksStd(set *option.Set) bool {
	if set.Given&^set.On&option.ByStandard != 0 || set.Has(option.ByTags|option.OmitWriteOnly) {
		return false
	}
	if !hasStandard {
		reportMissing()
	}
	return hasStandard
}

var reportMissing = sync.OnceFunc(func() {
	fmt.Fprintln(os.Stderr, "json/v2: HONE_JSON or an option selects encoding/json/v2, which this build of Go does not have; Hone's engine is used instead")
})

// The following methods hide the methods of the embedded calls of Hone's engine, and choose the
// engine.

func (c *encodeCall) Append(dst []byte, v any) ([]byte, error) {
	if byStd(&c.Set) {
		return c.appendByStd(dst, v)
	}
	return c.append(dst, v)
}

func (c *encodeCall) MarshalEncode(to *stream.Encoder, v any) error {
	if byStd(&c.Set) {
		return c.encodeByStd(to, v)
	}
	return c.Call.MarshalEncode(to, v)
}

func (c *decodeCall) Unmarshal(data []byte, v any) error {
	if byStd(&c.Set) {
		return c.unmarshalByStd(data, nil, v)
	}
	return c.Call.Unmarshal(data, v)
}

func (c *decodeCall) UnmarshalFailed(data []byte, readErr error, v any) error {
	if byStd(&c.Set) {
		return c.unmarshalByStd(data, readErr, v)
	}
	return c.Call.UnmarshalFailed(data, readErr, v)
}

func (c *decodeCall) UnmarshalDecode(from *stream.Decoder, v any) error {
	if byStd(&c.Set) {
		return c.decodeByStd(from, v)
	}
	return c.Call.UnmarshalDecode(from, v)
}
