// Package option has the options of a call: the flags and values by which the engines and the
// streams work.
//
// The public Options of encoding/json/v2 are an interface with private methods. A call reads them
// once into a [Set], which is one word of flags and a few values. From Go 1.27 on, where the
// standard library has that interface, ours is the same type, so options pass between the packages;
// [Set.Join] reads either kind.
//
// A flag has a value and a bit that says whether the value was given, since the versions have
// different defaults. Flags that the standard library does not have are carried by a type of our
// own, which its functions refuse.
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

	// The options for the behaviour of v1 in v2.
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

	// Indent and Prefix are set if the Set has the value.
	Indent
	Prefix
	Marshalers
	Unmarshalers

	// LimitLengths bounds slices and maps by the tags of their fields. It is our own option.
	LimitLengths
	// CheckMembers checks objects by the tags of their fields, and implies LimitLengths. It is our
	// own option.
	CheckMembers
	// OmitWriteOnly leaves out the members with the tag writeOnly. It is our own option.
	OmitWriteOnly
	// ByStandard makes the standard library do the work. It is our own option.
	ByStandard

	// The flags from here on have no public option.

	// RawNumbers makes a number in an interface a json.Number.
	RawNumbers
	// AliasInput lets strings point into the input.
	AliasInput
	// CopyInput gives methods copies of the input.
	CopyInput
	// FirstEngine selects the rules of encoding/json before Go 1.27, in version 1.
	FirstEngine
	// NewestPatch selects the newest patch of Go 1.27, whichever is linked, in version 1.
	NewestPatch
	// OneValue makes an Encoder write one value, without a newline after it.
	OneValue
	// Compact makes an Encoder write no white space, although its options may ask for some: the
	// enclosing Encoder adds it.
	Compact
	// WithinCall marks the stream of a call of a user's method or function.
	WithinCall
)

const (
	// ByTags are the options of decoding that read tags other than json.
	ByTags = LimitLengths | CheckMembers

	// OwnOptions are our own options, which the standard library does not have.
	OwnOptions = ByTags | OmitWriteOnly | ByStandard

	// Whitespace are the options for white space.
	Whitespace = SpaceAfterColon | SpaceAfterComma | Multiline

	// OfStream are the flags of one stream, which its options do not pass on to another.
	OfStream = OneValue | Compact | WithinCall

	// CanonicalizeNumbers are the options that rewrite numbers.
	CanonicalizeNumbers = CanonicalizeRawInts | CanonicalizeRawFloats

	// V1 are the flags that encoding/json sets and v2 does not.
	V1 = AllowDuplicateNames | AllowInvalidUTF8 | EscapeForHTML | EscapeForJS | PreserveRawStrings |
		Deterministic | FormatNilMapAsNull | FormatNilSliceAsNull | MatchCaseInsensitiveNames |
		CallMethodsWithLegacySemantics | FormatByteArrayAsArray | FormatBytesWithLegacySemantics |
		FormatDurationAsNano | MatchCaseSensitiveDelimiter | MergeWithLegacySemantics |
		OmitEmptyWithLegacySemantics | ParseBytesWithLooseRFC4648 | ParseTimeWithLooseRFC3339 |
		ReportErrorsWithLegacySemantics | StringifyWithLegacySemantics | UnmarshalArrayFromAnyLength
)

// A Set is the options of one call. The zero value has the defaults of v2.
type Set struct {
	Given Flag // which are set, on or off
	On    Flag // which are on

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

// Add adds the options of other, which override those of s.
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

// Lines adds the defaults that Multiline implies: a space after a colon, and a tab as the indent.
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

// SameWhitespace reports whether both write the same white space.
func (s *Set) SameWhitespace(other *Set) bool {
	return (s.On^other.On)&Whitespace == 0 && (!other.Has(Multiline) || s.Indent == other.Indent && s.Prefix == other.Prefix)
}
