package shadow

import "github.com/hone-go/hone/json"

// Options are those of package json/v2, where the functions below have a use.
type Options = json.Options

// DefaultOptionsV1 returns the options by which package v2 does what
// this one does.
func DefaultOptionsV1() Options { return json.DefaultOptionsV1() }

// CallMethodsWithLegacySemantics calls methods where encoding/json does, if v is set.
func CallMethodsWithLegacySemantics(v bool) Options { return json.CallMethodsWithLegacySemantics(v) }

// FormatByteArrayAsArray writes arrays of bytes as arrays of numbers, if v is set.
func FormatByteArrayAsArray(v bool) Options { return json.FormatByteArrayAsArray(v) }

// FormatBytesWithLegacySemantics takes named byte types for bytes as encoding/json does, if v is set.
func FormatBytesWithLegacySemantics(v bool) Options { return json.FormatBytesWithLegacySemantics(v) }

// FormatDurationAsNano writes durations as nanoseconds, if v is set.
func FormatDurationAsNano(v bool) Options { return json.FormatDurationAsNano(v) }

// MatchCaseSensitiveDelimiter tells names apart by dashes and underscores where case does
// not count, if v is set.
func MatchCaseSensitiveDelimiter(v bool) Options { return json.MatchCaseSensitiveDelimiter(v) }

// MergeWithLegacySemantics merges into values as encoding/json does, if v is set.
func MergeWithLegacySemantics(v bool) Options { return json.MergeWithLegacySemantics(v) }

// OmitEmptyWithLegacySemantics takes for empty what encoding/json does, if v is set.
func OmitEmptyWithLegacySemantics(v bool) Options { return json.OmitEmptyWithLegacySemantics(v) }

// ParseBytesWithLooseRFC4648 reads base64 with line ends in it, if v is set.
func ParseBytesWithLooseRFC4648(v bool) Options { return json.ParseBytesWithLooseRFC4648(v) }

// ParseTimeWithLooseRFC3339 reads times that RFC 3339 does not allow, if v is set.
func ParseTimeWithLooseRFC3339(v bool) Options { return json.ParseTimeWithLooseRFC3339(v) }

// ReportErrorsWithLegacySemantics reports errors as encoding/json does, if v is set.
func ReportErrorsWithLegacySemantics(v bool) Options { return json.ReportErrorsWithLegacySemantics(v) }

// StringifyWithLegacySemantics applies the tag option string as encoding/json does, if v is set.
func StringifyWithLegacySemantics(v bool) Options { return json.StringifyWithLegacySemantics(v) }

// UnmarshalArrayFromAnyLength reads arrays of another length, if v is set.
func UnmarshalArrayFromAnyLength(v bool) Options { return json.UnmarshalArrayFromAnyLength(v) }
