package json

import (
	"fmt"
	"os"
	"reflect"
	"sync"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// An Engine is the implementation that encodes or decodes. Package json has the same type.
type Engine = option.Engine

// Values of [Engine].
const (
	// DefaultEngine is HoneEngine. If the environment variable HONE_JSON is "std" at the start of
	// the program, it is StdEngine.
	DefaultEngine = option.DefaultEngine
	// HoneEngine is the engine of this module.
	HoneEngine = option.HoneEngine
	// StdEngine is encoding/json/v2. Go 1.26 does not have this package. There Hone's engine is
	// used instead, and the first such call writes a line to standard error.
	StdEngine = option.StdEngine
)

// EngineByDefault returns the engine that [DefaultEngine] selects in this program.
func EngineByDefault() Engine {
	if hasStandard {
		return option.EngineByDefault
	}
	return HoneEngine
}

// WithEngine selects the engine for a call, a codec or a stream. It takes precedence over the
// environment. Calls with [LimitLengths], [CheckMembers] or [OmitWriteOnly], and values that may
// contain a union declared with package union, always use Hone's engine. Functions of the standard
// library panic if they receive this option.
func WithEngine(e Engine) Options {
	if e == DefaultEngine {
		e = option.EngineByDefault
	}
	return option.Own(option.ByStandard, e == StdEngine)
}

// byStd reports whether to use encoding/json/v2.
func byStd(set *option.Set) bool {
	return (set.Given&option.ByStandard != 0 || option.EngineByDefault == StdEngine) && mayUseStd(set)
}

// byStdFor is like byStd, for a call with the value v. Hone's engine handles values that may contain
// a union with declared cases: encoding/json/v2 would write them without the name of the case, and
// could not read them.
func byStdFor(set *option.Set, v any) bool {
	return byStd(set) && !rules.HoldsCases(reflect.TypeOf(v))
}

// mayUseStd reports whether the options allow encoding/json/v2, and the standard library has it. If
// the package is missing, mayUseStd reports this on standard error once.
func mayUseStd(set *option.Set) bool {
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

// The following methods override the methods of the embedded Call, and select the engine.

func (c *encodeCall) Append(dst []byte, v any) ([]byte, error) {
	if byStdFor(&c.Set, v) {
		return c.appendByStd(dst, v)
	}
	return c.append(dst, v)
}

func (c *encodeCall) MarshalEncode(to *stream.Encoder, v any) error {
	if byStdFor(&c.Set, v) {
		return c.encodeByStd(to, v)
	}
	return c.Call.MarshalEncode(to, v)
}

func (c *decodeCall) Unmarshal(data []byte, v any) error {
	if byStdFor(&c.Set, v) {
		return c.unmarshalByStd(data, nil, v)
	}
	return c.Call.Unmarshal(data, v)
}

func (c *decodeCall) UnmarshalFailed(data []byte, readErr error, v any) error {
	if byStdFor(&c.Set, v) {
		return c.unmarshalByStd(data, readErr, v)
	}
	return c.Call.UnmarshalFailed(data, readErr, v)
}

func (c *decodeCall) UnmarshalDecode(from *stream.Decoder, v any) error {
	if byStdFor(&c.Set, v) {
		return c.decodeByStd(from, v)
	}
	return c.Call.UnmarshalDecode(from, v)
}
