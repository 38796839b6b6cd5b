// Package option has the options of a call, which are flags and values for the engines and the
// streams.
//
// The public Options of encoding/json/v2 are an interface with private methods. A call reads them
// once into a [Set], which is one word of flags and a few values. From Go 1.27 on, where the
// standard library has that interface, ours is the same type, so options pass between the packages;
// [Set.Join] reads either kind.
//
// A flag has a bit for its value and a bit that says whether the value was given, since the
// versions have different defaults. Flags that the standard library does not have are options of
// another type, which the standard library's functions refuse.
//
// Begin with option.go. options_go126.go and options_go127.go convert from and to the public type,
// and engine.go has the engines and the releases that HONE_JSON selects. The setters in json, json/v2 and json/jsontext are generated from
// one list in the folder generate.
package option

//go:generate go run ./generate

// A Flag is an option that is on or off. Flags are joined by |.
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

	// The options that select the behaviour of v1 in v2.
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

	// Indent and Prefix say whether the Set has an indent and a prefix.
	Indent
	Prefix
	Marshalers
	Unmarshalers

	// LimitLengths limits slices and maps by the tags of their fields. Only Hone has this option.
	LimitLengths
	// CheckMembers checks objects by the tags of their fields, and implies LimitLengths. Only Hone
	// has this option.
	CheckMembers
	// OmitWriteOnly omits the members with the tag writeOnly. Only Hone has this option.
	OmitWriteOnly
	// ByStandard makes the standard library encode and decode. Only Hone has this option.
	ByStandard

	// The flags from here on have no public option.

	// RawNumbers decodes a number into an empty interface as a json.Number.
	RawNumbers
	// AliasInput lets decoded strings share memory with the input.
	AliasInput
	// CopyInput gives methods copies of the input.
	CopyInput
	// FirstEngine selects the rules of encoding/json before Go 1.27. Only for version 1.
	FirstEngine
	// NewestPatch selects the newest patch of Go 1.27, whichever is linked. Only for version 1.
	NewestPatch
	// OneValue makes an Encoder write one value, without a newline after it.
	OneValue
	// Compact makes an Encoder write no white space, whatever its options are, since the enclosing
	// Encoder adds it.
	Compact
	// WithinCall marks a stream that was passed to a method or function of the user.
	WithinCall
)

const (
	// ByTags are the decoding options that read tags other than json.
	ByTags = LimitLengths | CheckMembers

	// OwnOptions are the options that only Hone has.
	OwnOptions = ByTags | OmitWriteOnly | ByStandard

	// Whitespace are the options for white space.
	Whitespace = SpaceAfterColon | SpaceAfterComma | Multiline

	// OfStream are the flags of one stream, which are not among the options that it returns.
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

// A Set is the options of one call. The zero value has the defaults of v2.
type Set struct {
	Given Flag // the flags that were given, on or off
	On    Flag // the flags that are on

	Indent, Prefix           string
	Marshalers, Unmarshalers any // *v2.Marshalers, *v2.Unmarshalers
}

// Has reports whether one of the flags is on.
func (s *Set) Has(f Flag) bool { return s.On&f != 0 }

// Put turns flags on or off.
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

// Lines adds the defaults of Multiline: a space after a colon, and a tab as the indent.
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

// Spaced reports whether white space is written.
func (s *Set) Spaced() bool { return s.On&Whitespace != 0 && s.On&Compact == 0 }

// SameWhitespace reports whether s and other write the same white space.
func (s *Set) SameWhitespace(other *Set) bool {
	return (s.On^other.On)&Whitespace == 0 && (!other.Has(Multiline) || s.Indent == other.Indent && s.Prefix == other.Prefix)
}
