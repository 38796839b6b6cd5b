//go:build go1.27 && goexperiment.jsonv2

package json

import (
	jsonv2 "encoding/json/v2"
)

// StringifyNumbers writes and reads numbers as strings, if v is set, which keeps what a float64 cannot hold.
func StringifyNumbers(v bool) Options { return jsonv2.StringifyNumbers(v) }

// Deterministic writes equal values as equal text, if v is set: the names of maps are sorted.
func Deterministic(v bool) Options { return jsonv2.Deterministic(v) }

// FormatNilSliceAsNull writes nil slices as null, if v is set, and not as [] or "".
func FormatNilSliceAsNull(v bool) Options { return jsonv2.FormatNilSliceAsNull(v) }

// FormatNilMapAsNull writes nil maps as null, if v is set, and not as {}.
func FormatNilMapAsNull(v bool) Options { return jsonv2.FormatNilMapAsNull(v) }

// OmitZeroStructFields leaves out fields whose value is zero, if v is set, as the tag option omitzero does.
func OmitZeroStructFields(v bool) Options { return jsonv2.OmitZeroStructFields(v) }

// MatchCaseInsensitiveNames takes names for those of fields that differ from them in case, dashes and underscores alone, if v is set.
func MatchCaseInsensitiveNames(v bool) Options { return jsonv2.MatchCaseInsensitiveNames(v) }

// RejectUnknownMembers makes a member that the struct has no field for an error, if v is set.
func RejectUnknownMembers(v bool) Options { return jsonv2.RejectUnknownMembers(v) }

// DefaultOptionsV2 returns the options that hold where nothing else is said.
func DefaultOptionsV2() Options { return jsonv2.DefaultOptionsV2() }
