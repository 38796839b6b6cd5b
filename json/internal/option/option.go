// Package option represents the options of a call, as flags and values for the engines and the
// streams.
//
// The public Options of encoding/json/v2 are an interface with private methods. A call converts
// them once to a [Set], which is one word of flags and a few values. From Go 1.27 on, the Options
// of this module are the standard library's type, so that both libraries accept them; [Set.Join]
// converts any of them.
//
// For each flag a Set records its value, and whether it was given, because the versions have
// different defaults. The standard library's functions reject flags that only Hone has, because
// these are options of another type.
//
// Start with option.go. options_go126.go and options_go127.go convert from and to the public type,
// and engine.go contains the engines and the releases that HONE_JSON selects. The setters in json,
// json/v2 and json/jsontext are generated from one list in the folder generate.
package option

//go:generate go run ./generate

// A Flag is an option that is on or off. A Flag value may combine several flags with |.
type Flag uint64

// The options of jsontext.
const (
	AllowDuplicateNames Flag = 1 << iota
	AllowInvalidUTF8
	PreserveRawStrings
	CanonicalizeRawInts
	CanonicalizeRawFloats
	ReorderRawObjects
	EscapeForHTML
	EscapeForJS
	SpaceAfterColon
	SpaceAfterComma
	Multiline

	// The options of v2.
	StringifyNumbers
	Deterministic
	FormatNilMapAsNull
	FormatNilSliceAsNull
	OmitZeroStructFields
	MatchCaseInsensitiveNames
	RejectUnknownMembers

	// Options that make v2 behave like v1.
	CallMethodsWithLegacySemantics
	FormatByteArrayAsArray
	FormatBytesWithLegacySemantics
	FormatDurationAsNano
	MatchCaseSensitiveDelimiter
	MergeWithLegacySemantics
	OmitEmptyWithLegacySemantics
	ParseBytesWithLooseRFC4648
	ParseTimeWithLooseRFC3339
	ReportErrorsWithLegacySemantics
	StringifyWithLegacySemantics
	UnmarshalArrayFromAnyLength

	// Indent and Prefix are set if the Set has an indent or a prefix.
	Indent
	Prefix
	Marshalers
	Unmarshalers

	// LimitLengths limits slices and maps by the tags of their fields. Only Hone has this option.
	LimitLengths
	// CheckMembers checks objects against the tags of the struct fields, and implies LimitLengths.
	// Only Hone has this option.
	CheckMembers
	// OmitWriteOnly omits the members with the tag writeOnly. Only Hone has this option.
	OmitWriteOnly
	// SeparateStrings allocates each decoded string separately. Only Hone has this option.
	SeparateStrings
	// ByStandard selects the standard library's engine. Only Hone has this option.
	ByStandard

	// The following flags have no public option.

	// RawNumbers decodes a number into an empty interface as a json.Number.
	RawNumbers
	// AliasInput lets decoded strings share memory with the input.
	AliasInput
	// CopyInput passes copies of the input to methods.
	CopyInput
	// FirstEngine selects the rules of encoding/json before Go 1.27. Only for version 1.
	FirstEngine
	// NewestPatch selects the rules of the newest patch of Go 1.27, independently of the linked
	// one. Only for version 1.
	NewestPatch
	// OneValue makes an Encoder write one value, without a newline after it.
	OneValue
	// Compact makes an Encoder write no white space, whatever the other options are. It is for JSON
	// to which an enclosing Encoder adds the white space.
	Compact
	// WithinCall marks a stream that was passed to a method or function of the program.
	WithinCall
)

const (
	// ByTags are the options of decoding that apply struct tags other than json.
	ByTags = LimitLengths | CheckMembers

	// OwnOptions are the options that only Hone has.
	OwnOptions = ByTags | OmitWriteOnly | SeparateStrings | ByStandard

	// Whitespace are the options for white space.
	Whitespace = SpaceAfterColon | SpaceAfterComma | Multiline

	// OfStream are flags that the method Options of a stream does not return.
	OfStream = OneValue | Compact | WithinCall

	// CanonicalizeNumbers are the options that rewrite numbers.
	CanonicalizeNumbers = CanonicalizeRawInts | CanonicalizeRawFloats

	// V1 are the flags that are on in encoding/json and off in v2.
	V1 = AllowDuplicateNames | AllowInvalidUTF8 | EscapeForHTML | EscapeForJS | PreserveRawStrings |
		Deterministic | FormatNilMapAsNull | FormatNilSliceAsNull | MatchCaseInsensitiveNames |
		CallMethodsWithLegacySemantics | FormatByteArrayAsArray | FormatBytesWithLegacySemantics |
		FormatDurationAsNano | MatchCaseSensitiveDelimiter | MergeWithLegacySemantics |
		OmitEmptyWithLegacySemantics | ParseBytesWithLooseRFC4648 | ParseTimeWithLooseRFC3339 |
		ReportErrorsWithLegacySemantics | StringifyWithLegacySemantics | UnmarshalArrayFromAnyLength
)

// A Set holds the options of one call. The zero value means the defaults of v2.
type Set struct {
	Given Flag // the flags that were given, on or off
	On    Flag // the flags that are on

	Indent, Prefix           string
	Marshalers, Unmarshalers any // *v2.Marshalers, *v2.Unmarshalers
}

// Has reports whether one of the flags is on.
func (s *Set) Has(f Flag) bool { return s.On&f != 0 }

// Put turns the flags f on or off, and records that they were given.
func (s *Set) Put(f Flag, on bool) {
	s.Given |= f
	s.On &^= f
	if on {
		s.On |= f
	}
}

// Add adds the options of other, which take precedence over the options of s.
func (s *Set) Add(other *Set) {
	s.Given |= other.Given
	s.On = s.On&^other.Given | other.On
	if other.Given&(Indent|Prefix|Marshalers|Unmarshalers) == 0 {
		return
	}
	if other.Given&Indent != 0 {
		s.Indent = other.Indent
	}
	if other.Given&Prefix != 0 {
		s.Prefix = other.Prefix
	}
	if other.Given&Marshalers != 0 {
		s.Marshalers = other.Marshalers
	}
	if other.Given&Unmarshalers != 0 {
		s.Unmarshalers = other.Unmarshalers
	}
}

// If Multiline is on, Lines sets its defaults: a space after a colon, and a tab as the indent.
func (s *Set) Lines() {
	if !s.Has(Multiline) {
		return
	}
	if s.Given&SpaceAfterColon == 0 {
		s.Put(SpaceAfterColon, true)
	}
	if s.Given&SpaceAfterComma == 0 {
		s.Put(SpaceAfterComma, false)
	}
	if s.Given&Indent == 0 {
		s.Given |= Indent
		s.Indent = "\t"
	}
}

// Spaced reports whether the output contains white space.
func (s *Set) Spaced() bool { return s.On&Whitespace != 0 && s.On&Compact == 0 }

// SameWhitespace reports whether s and other write the same white space.
func (s *Set) SameWhitespace(other *Set) bool {
	return (s.On^other.On)&Whitespace == 0 && (!other.Has(Multiline) || s.Indent == other.Indent && s.Prefix == other.Prefix)
}
