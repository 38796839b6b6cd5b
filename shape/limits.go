package shape

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Limits are the limits that a field's tags set for its values.
type Limits struct {
	Min, Max             *Number // bounds of numbers and durations; nil: no bound
	MultipleOf           *Number // positive; a number or a duration must be a whole multiple of it; nil: any
	MinLength, MaxLength int     // MaxLength -1: no maximum
	Pattern              string  // a regular expression, not compiled; "": any string
	Enum                 []string
	Format               string // the name of a string format; "": any string
	Unique               bool   // the elements of a slice or an array must be distinct
}

// A Number is a bound. The field's kind selects Int, Uint or Float.
type Number struct {
	Text  string // the text in the tag
	Int   int64  // also for a time.Duration
	Uint  uint64
	Float float64
}

// HasLength reports whether the length is limited.
func (l *Limits) HasLength() bool { return l.MinLength > 0 || l.MaxLength >= 0 }

// HasLength reports whether values of s have a length. The length is counted in characters for a
// string, in bytes for Bytes, and in elements for a slice, an array or a map.
func (s *Shape) HasLength() bool {
	switch s.Kind {
	case String, Bytes, Slice, Array, Map:
		return true
	}
	return false
}

// Held returns the shape of the value in an mo.Option, an mo.Nullable or a pointer, and nil for
// other types and for a pointer that is [Shape.Endless].
func (s *Shape) Held() *Shape {
	if s.Endless() {
		return nil
	}
	return s.optional()
}

// optional implements Held. A chain of its results may have no end.
func (s *Shape) optional() *Shape {
	switch {
	case s.Kind == Option || s.Kind == Pointer:
		return s.Elem
	case s.Union != nil && s.Union.Nullable() >= 0:
		return s.Union.Cases[s.Union.Nullable()].Elem
	}
	return nil
}

// maxNesting limits the loop in leaf, because a type may be a slice of itself.
const maxNesting = 64

// leaf returns the shape that value limits apply to: the shape inside optional values and, if
// elements is set, inside slices, arrays and maps.
func (s *Shape) leaf(elements bool) *Shape {
	for range maxNesting {
		switch held := s.Held(); {
		case held != nil:
			s = held
		case elements && (s.Kind == Slice || s.Kind == Array || s.Kind == Map):
			s = s.Elem
		default:
			return s
		}
	}
	return s
}

// Limits parses the tags of f that limit its values:
//
//	min, max   "1", "-2.5", "10s": inclusive bounds of a number or a duration
//	length     "3", "1..64", "1..", "..64": see [Shape.HasLength]
//	pattern    a regular expression (RE2) that matches some part of a string
//	enum       "a,b,c": the allowed strings or numbers
//	format     the name of a string format
//	multipleOf "0.5", "1m": a number or a duration must be a whole multiple of it
//	uniqueItems "true": the elements of a slice or an array are distinct
//
// All tags except length and uniqueItems apply to the value inside an option, to the target of
// a pointer, and to the elements of a slice, array or map. Limits returns nil if f has no such
// tags. The error reports a tag that does not fit the type.
func (f *Field) Limits() (*Limits, error) {
	r := limitReader{field: f, leaf: f.Shape.leaf(true), out: Limits{MaxLength: -1}}
	found := false
	for i := range limitTags {
		t := &limitTags[i]
		text, ok := f.tag.Lookup(t.tag)
		if !ok || t.ofStrings && r.leaf.Kind != String {
			continue
		}
		found = true
		if err := t.read(&r, text); err != nil {
			return nil, f.TagError(t.tag, err)
		}
	}
	if err := f.checkFlags(); err != nil || !found {
		return nil, err
	}
	return &r.out, nil
}

// limitTags are the tags that set limits, in the order in which they are read. Each has a row in
// the tables of package internal/limit, which checks values, and of package api/openapi, which
// writes keywords of JSON Schema.
var limitTags = []struct {
	tag  string
	read func(r *limitReader, text string) error
	// ofStrings is set for a tag that is a limit only on strings and has another meaning on fields
	// of other types.
	ofStrings bool
}{
	{tag: "min", read: func(r *limitReader, text string) (err error) { r.out.Min, err = number(r.leaf, text); return err }},
	{tag: "max", read: func(r *limitReader, text string) (err error) { r.out.Max, err = number(r.leaf, text); return err }},
	{tag: "length", read: (*limitReader).length},
	{tag: "pattern", read: (*limitReader).pattern},
	{tag: "enum", read: (*limitReader).enum},
	{tag: "multipleOf", read: (*limitReader).multipleOf},
	{tag: "uniqueItems", read: (*limitReader).unique},
	{tag: "format", read: func(r *limitReader, text string) error { r.out.Format = text; return nil }, ofStrings: true},
}

// LimitTags returns the tags that [Field.Limits] reads.
func LimitTags() []string {
	tags := make([]string, len(limitTags))
	for i := range limitTags {
		tags[i] = limitTags[i].tag
	}
	return tags
}

// A limitReader reads the limit tags of one field.
type limitReader struct {
	field *Field
	leaf  *Shape // shape of the values that all limits apply to, except length and uniqueItems
	out   Limits
}

// TagError returns an error about a tag of f. The text contains the tag, its value and the field.
func (f *Field) TagError(tag string, cause error) error {
	return fmt.Errorf("the tag %s:%q of field %s (%v): %w", tag, f.tag.Get(tag), f.Name, f.Shape.Type, cause)
}

func (r *limitReader) length(text string) (err error) {
	low, high, isRange := strings.Cut(text, "..")
	if !isRange {
		high = low
	}
	if low != "" {
		r.out.MinLength, err = strconv.Atoi(low)
	}
	if high != "" && err == nil {
		r.out.MaxLength, err = strconv.Atoi(high)
	}
	switch {
	case err != nil, low == "" && high == "", r.out.MinLength < 0, high != "" && r.out.MaxLength < r.out.MinLength:
		return fmt.Errorf(`not a length such as "1..64"`)
	case !r.field.Shape.leaf(false).HasLength():
		return fmt.Errorf("the tag is for strings, slices, arrays and maps")
	}
	return nil
}

func (r *limitReader) pattern(text string) error {
	if r.leaf.Kind != String {
		return fmt.Errorf("the tag is for strings")
	}
	r.out.Pattern = text
	return nil
}

func (r *limitReader) multipleOf(text string) error {
	n, err := number(r.leaf, text)
	if err == nil && n.Int <= 0 && n.Uint == 0 && n.Float <= 0 {
		err = fmt.Errorf("the number must be positive")
	}
	r.out.MultipleOf = n
	return err
}

func (r *limitReader) unique(text string) error {
	r.out.Unique = text == "true"
	s := r.field.Shape.leaf(false)
	if s.Kind != Slice && s.Kind != Array {
		return fmt.Errorf("the tag applies only to slices and arrays")
	}
	if !s.Elem.comparable() {
		return fmt.Errorf("the elements must be strings, numbers, bools, or structs and arrays of these")
	}
	return nil
}

// comparable reports whether == on values of s gives the same result as comparing their JSON.
func (s *Shape) comparable() bool {
	switch {
	case s.Kind >= Bool && s.Kind <= Float64, s.Kind == String:
		return true
	case s.Kind == Array || s.Kind == Option:
		return s.Elem.comparable()
	case s.Kind != Struct || s.Union != nil:
		return false
	}
	for i := range s.Fields {
		if !s.Fields[i].Shape.comparable() {
			return false
		}
	}
	return true
}

func (r *limitReader) enum(text string) error {
	r.out.Enum = strings.Split(text, ",")
	if r.leaf.Kind == String {
		return nil
	}
	for i, e := range r.out.Enum {
		n, err := number(r.leaf, e)
		switch k := r.leaf.Kind; {
		case r.leaf.Type == durationType:
			return fmt.Errorf("the tag does not apply to durations; use min and max")
		case err != nil:
			return err
		case k <= Int64:
			r.out.Enum[i] = strconv.FormatInt(n.Int, 10)
		case k <= Uintptr:
			r.out.Enum[i] = strconv.FormatUint(n.Uint, 10)
		default:
			r.out.Enum[i] = strconv.FormatFloat(n.Float, 'g', -1, r.leaf.Type.Bits())
		}
	}
	return nil
}

var durationType = reflect.TypeFor[time.Duration]()

// number parses a bound for values of s.
func number(s *Shape, text string) (*Number, error) {
	n := &Number{Text: text}
	var err error
	switch k := s.Kind; {
	case s.Type == durationType:
		var d time.Duration
		d, err = time.ParseDuration(text)
		n.Int = int64(d)
	case k >= Int8 && k <= Int64:
		n.Int, err = strconv.ParseInt(text, 10, 64)
	case k >= Uint8 && k <= Uintptr:
		n.Uint, err = strconv.ParseUint(text, 10, 64)
	case k == Float32 || k == Float64:
		if n.Float, err = strconv.ParseFloat(text, 64); err == nil && (math.IsNaN(n.Float) || math.IsInf(n.Float, 0)) {
			err = fmt.Errorf("the number must be finite")
		}
	default:
		err = fmt.Errorf("the tag does not apply to values of this type")
	}
	return n, err
}

// Values returns the values listed by the method Values of a named string or integer type, in the
// format of the `enum` tag. The method has no arguments and returns a slice of the type or of
// strings. It is called on the zero value. Values returns nil for other types.
func (s *Shape) Values() []string {
	if s.Type.Name() == "" || s.Type.PkgPath() == "" || s.Kind != String && (s.Kind < Int8 || s.Kind > Uintptr) {
		return nil
	}
	method := reflect.New(s.Type).MethodByName("Values")
	if !method.IsValid() {
		return nil
	}
	t := method.Type()
	if t.NumIn() != 0 || t.NumOut() != 1 || t.Out(0).Kind() != reflect.Slice {
		return nil
	}
	if elem := t.Out(0).Elem(); elem != s.Type && elem.Kind() != reflect.String {
		return nil
	}
	list := method.Call(nil)[0]
	values := make([]string, list.Len())
	for i := range values {
		switch v := list.Index(i); {
		case v.Kind() == reflect.String:
			values[i] = v.String()
		case v.CanInt():
			values[i] = strconv.FormatInt(v.Int(), 10)
		default:
			values[i] = strconv.FormatUint(v.Uint(), 10)
		}
	}
	return values
}
