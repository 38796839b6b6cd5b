package rules

import (
	"bytes"
	"encoding/json"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

// SyntaxErrorOf returns the error of encoding/json for data, which must not be valid JSON. Only encoding/json can set
// the message of a SyntaxError, so it decodes data again. The message comes from the linked release, and the offset
// follows the release that the flags select.
func SyntaxErrorOf(data []byte, on option.Flag) error {
	var raw RawMessage
	err := json.Unmarshal(data, &raw)
	if e, ok := err.(*SyntaxError); ok && !option.FollowsLinked(on) {
		e.Offset = SyntaxOffset(data, on)
	}
	return err
}

// CompactErrorOf returns the error of encoding/json's Compact for data, which must not be valid
// JSON. Before Go 1.27 its offset is 0.
func CompactErrorOf(data []byte, on option.Flag) error {
	err := json.Compact(new(bytes.Buffer), data)
	if e, ok := err.(*SyntaxError); ok && !option.FollowsLinked(on) {
		e.Offset = 0
		if on&option.FirstEngine == 0 {
			e.Offset = SyntaxOffset(data, on)
		}
	}
	return err
}

// IndentErrorOf is like CompactErrorOf, for Indent.
func IndentErrorOf(data []byte, prefix, indent string, on option.Flag) error {
	err := json.Indent(new(bytes.Buffer), data, prefix, indent)
	if e, ok := err.(*SyntaxError); ok && !option.FollowsLinked(on) {
		e.Offset = SyntaxOffset(data, on)
	}
	return err
}

// SyntaxOffset returns the offset of the SyntaxError for data, by the rules that the given flags
// select.
func SyntaxOffset(data []byte, flags option.Flag) int64 {
	f := syntax.FaultOf(data)
	if flags&option.FirstEngine != 0 {
		return int64(f.Read)
	}
	return int64(f.After)
}
