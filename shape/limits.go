package shape

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Limits are what the tags of a field say of its values.
type Limits struct {
	Min, Max             *Number // of a number or a duration; nil for any
	MultipleOf           *Number // of a number or a duration, which is positive; nil for any
	MinLength, MaxLength int     // MaxLength is -1 for any
	Pattern              string  // a regular expression, not compiled; "" for any
	Enum                 []string
	Format               string // the name of a form that strings have; "" for any
	Unique               bool   // no two elements of a slice or an array are equal
}

// A Number is a bound. Which of the three counts depends on the field's kind.
type Number struct {
	Text  string // as in the tag
	Int   int64  // of a time.Duration too
	Uint  uint64
	Float float64
}

// HasLength reports whether the length is limited.
func (l *Limits) HasLength() bool { return l.MinLength > 0 || l.MaxLength >= 0 }

// HasLength reports whether values of s have a length: a string's in characters,
// that of bytes in bytes, of a slice, an array or a map in elements.
func (s *Shape) HasLength() bool {
	switch s.Kind {
	case String, Bytes, Slice, Array, Map:
		return true
	}
	return false
}

// Held returns the shape of the value in an optional one, which is an mo.Option,
// an mo.Nullable or a pointer, and nil for any other s.
func (s *Shape) Held() *Shape {
	switch {
	case s.Kind == Option || s.Kind == Pointer:
		return s.Elem
	case s.Union != nil && s.Union.Nullable() >= 0:
		return s.Union.Cases[s.Union.Nullable()].Elem
	}
	return nil
}

// maxNesting bounds the search for a leaf: a type may be a slice of itself.
const maxNesting = 64

// leaf returns what limits of values apply to: what is in optional values and,
// if elements is set, in slices, arrays and maps.
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

// Limits reads the limits in the tags of f:
//
//	min, max   "1", "-2.5", "10s": bounds of a number or a duration, which may be reached
//	length     "3", "1..64", "1..", "..64": see [Shape.HasLength]
//	pattern    a regular expression (RE2) that a string has to match somewhere
//	enum       "a,b,c": the strings or numbers that are allowed
//	format     of a string: the name of a form
//	multipleOf "0.5", "1m": what a number or a duration is a whole multiple of
//	uniqueItems "true": no two elements of a slice or an array are equal
//
// All but length and uniqueItems apply to what is in an optional value, to what a pointer
// points to, and to the elements of a slice, array or map. It returns nil if
// there are none. The error is that of a tag that does not fit the type.
func (f *Field) Limits() (*Limits, error) {
	r := limitReader{field: f, leaf: f.Shape.leaf(true), out: Limits{MaxLength: -1}}
	r.read("min", func(text string) (err error) { r.out.Min, err = number(r.leaf, text); return err })
	r.read("max", func(text string) (err error) { r.out.Max, err = number(r.leaf, text); return err })
	r.read("length", r.length)
	r.read("pattern", func(text string) error {
		if r.leaf.Kind != String {
			return fmt.Errorf("the type is not a string")
		}
		r.out.Pattern = text
		return nil
	})
	r.read("enum", r.enum)
	r.read("multipleOf", r.multipleOf)
	r.read("uniqueItems", r.unique)
	if r.err == nil {
		r.err = f.checkFlags()
	}
	if r.leaf.Kind == String { // of a time it is a layout
		r.read("format", func(text string) error { r.out.Format = text; return nil })
	}
	if !r.found || r.err != nil {
		return nil, r.err
	}
	return &r.out, nil
}

type limitReader struct {
	field *Field
	leaf  *Shape
	out   Limits
	found bool
	err   error
}

// read hands the value of a tag, if f has it, to parse.
func (r *limitReader) read(tag string, parse func(string) error) {
	text, ok := r.field.tag.Lookup(tag)
	if !ok || r.err != nil {
		return
	}
	r.found = true
	if err := parse(text); err != nil {
		r.err = r.field.TagError(tag, err)
	}
}

// TagError returns an error that names a tag of f, its value, and the field.
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
		return fmt.Errorf(`it is not a length such as "1..64"`)
	case !r.field.Shape.leaf(false).HasLength():
		return fmt.Errorf("the type has no length")
	}
	return nil
}

func (r *limitReader) multipleOf(text string) error {
	n, err := number(r.leaf, text)
	if err == nil && n.Int <= 0 && n.Uint == 0 && n.Float <= 0 {
		err = fmt.Errorf("it is not positive")
	}
	r.out.MultipleOf = n
	return err
}

func (r *limitReader) unique(text string) error {
	r.out.Unique = text == "true"
	s := r.field.Shape.leaf(false)
	if s.Kind != Slice && s.Kind != Array {
		return fmt.Errorf("the type is not a slice")
	}
	if !s.Elem.comparable() {
		return fmt.Errorf("its elements are not strings, numbers, or structs of these")
	}
	return nil
}

// comparable reports whether == tells values of s apart as their JSON does.
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
			return fmt.Errorf("the type is a duration")
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

// number reads a bound for values of s.
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
			err = fmt.Errorf("it is not a number")
		}
	default:
		err = fmt.Errorf("the type is not a number")
	}
	return n, err
}
