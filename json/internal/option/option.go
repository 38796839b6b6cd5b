// Package option holds the options of the JSON packages in the form in which the engine
// and the streams of tokens read them: one word of flags and a few values.
//
// The public Options of encoding/json/v2 are an interface. Where the standard library has
// that package, ours is the same interface, so that options pass between the two; [Set.Join]
// reads either.
package option

//go:generate go run ./generate

// A Flag is one option that is on or off. Several may be joined by |.
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

	// Those of v2.
	StringifyNumbers
	Deterministic
	FormatNilMapAsNull
	FormatNilSliceAsNull
	OmitZeroStructFields
	MatchCaseInsensitiveNames
	RejectUnknownMembers

	// The options by which v2 behaves as v1 does.
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

	// Indent and Prefix say that the value of the Set is given.
	Indent
	Prefix
	Marshalers
	Unmarshalers

	// LimitLengths bounds slices and maps by the tags of their fields. The standard library
	// has no such option.
	LimitLengths
	// CheckMembers holds objects to the tags of their fields, and implies LimitLengths. The
	// standard library has no such option.
	CheckMembers
	// OmitWriteOnly leaves out the members that are tagged writeOnly. The standard library has
	// no such option.
	OmitWriteOnly
	// ByStandard has the standard library do the work. The standard library has no such
	// option.
	ByStandard

	// The rest have no public option.

	// RawNumbers makes a number in an interface a json.Number.
	RawNumbers
	// AliasInput lets strings point into the input.
	AliasInput
	// CopyInput gives methods memory of their own.
	CopyInput
	// FirstEngine asks for the rules of encoding/json before Go 1.27.
	FirstEngine
	// OneValue is for an Encoder of one value: no newline follows it.
	OneValue
	// WithinCall marks a stream that a method or a function of the user was given.
	WithinCall
)

const (
	// ByTags are the options of decoding that read tags other than json.
	ByTags = LimitLengths | CheckMembers

	// OwnOptions are the options that the standard library does not have.
	OwnOptions = ByTags | OmitWriteOnly | ByStandard

	// Whitespace are the options that make an encoder write white space.
	Whitespace = SpaceAfterColon | SpaceAfterComma | Multiline

	// CanonicalizeNumbers are the options that make an encoder rewrite numbers.
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

// Add adds the options of other, which count.
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

// Lines adds the options that Multiline implies: a space after a colon, and a tab as the
// indent, unless other ones are given.
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

// SameWhitespace reports whether both write the same white space.
func (s *Set) SameWhitespace(other *Set) bool {
	return (s.On^other.On)&Whitespace == 0 && (!other.Has(Multiline) || s.Indent == other.Indent && s.Prefix == other.Prefix)
}
