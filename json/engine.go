package json

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// An Engine is the implementation that encodes or decodes.
type Engine = option.Engine

// Values of [Engine].
const (
	// DefaultEngine is Hone's, or the standard library's if the environment variable HONE_JSON
	// is "std" when the program starts.
	DefaultEngine = option.DefaultEngine
	// HoneEngine is the engine of this module.
	HoneEngine = option.HoneEngine
	// StdEngine is encoding/json.
	StdEngine = option.StdEngine
)

// EngineByDefault returns the engine that [DefaultEngine] selects in this program.
func EngineByDefault() Engine { return option.EngineByDefault }

// byStd reports whether e selects encoding/json.
func byStd(e Engine) bool {
	return e == StdEngine || e == DefaultEngine && option.EngineByDefault == StdEngine
}

// byStd reports whether to use encoding/json. CheckMembers and OmitWriteOnly need Hone's engine.
func (o *Config) byStd() bool { return byStd(o.Engine) && !o.CheckMembers && !o.OmitWriteOnly }

// byStdFor is like byStd, for a value of type t. It reports false if t may contain types with
// methods that take Hone's streams, because encoding/json does not call these methods. Callers
// check byStd first, because the compiler inlines only byStd.
func (o *Config) byStdFor(t reflect.Type) bool { return o.byStd() && !rules.NeedsHone(t) }

// appendByStd implements append with encoding/json.
func (o *Config) appendByStd(dst []byte, v any) ([]byte, error) {
	if err := o.otherRelease(); err != nil {
		return dst, err
	}
	out := bytes.NewBuffer(dst)
	std := json.NewEncoder(out)
	std.SetEscapeHTML(!o.NoEscapeHTML)
	if err := std.Encode(v); err != nil {
		return dst, err
	}
	return out.Bytes()[:out.Len()-1], nil // without the newline
}

// unmarshalByStd implements unmarshal with encoding/json. The option AliasInput has no effect: the
// decoded strings are copies.
func (o *Config) unmarshalByStd(data []byte, v reflect.Value) error {
	if err := o.otherRelease(); err != nil {
		return err
	}
	if o.CopyInput {
		data = slices.Clone(data)
	}
	var target any
	if v.IsValid() {
		target = v.Interface()
	}
	if o.LimitLengths && target != nil && json.Valid(data) {
		data = decodingOf(option.Linked).Cut(data, v)
	}
	if !o.UseNumber && !o.DisallowUnknownFields {
		return json.Unmarshal(data, target)
	}
	// A json.Decoder ignores the input after the first value, so check the whole input first.
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return err
	}
	return v1.StandardDecoder(bytes.NewReader(data), o.flags()).Decode(target)
}
