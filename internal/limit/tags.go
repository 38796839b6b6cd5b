package limit

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/shape"
)

// Tags are what the tags of a field say of its values. The zero value says
// nothing.
type Tags struct {
	Min, Max             *Number
	MinLength, MaxLength int // of a string in characters, or of a slice or map in elements; MaxLength is -1 for any
	Pattern              *regexp.Regexp
	Enum                 []string
	Format               string
}

// A Number is a bound. Which of the three counts depends on the field's kind.
type Number struct {
	Text  string // as in the tag
	Int   int64
	Uint  uint64
	Float float64
}

// Of reads the limits in a field's tags:
//
//	min, max   "1", "-2.5", "10s": bounds of a number or a duration, which may be reached
//	length     "3", "1..64", "1..", "..64": characters of a string, elements of a slice, array or map
//	pattern    a regular expression (RE2) that a string has to match somewhere
//	enum       "a,b,c": the strings or numbers that are allowed
//	format     of a string: date, date-time, duration, email, hostname, ipv4, ipv6, uri or uuid
//
// All but length apply to what is in an optional value, to what a pointer
// points to, and to the elements of a slice, array or map. It returns nil if
// there are none.
func Of(f reflect.StructField) (*Tags, error) {
	t := &Tags{MaxLength: -1}
	found := false
	leaf := leafOf(f.Type)
	bad := func(tag, value, why string) error {
		return fmt.Errorf("the tag %s:%q of field %s (%v): %s", tag, value, f.Name, f.Type, why)
	}
	for _, bound := range []struct {
		tag string
		to  **Number
	}{{"min", &t.Min}, {"max", &t.Max}} {
		text, ok := f.Tag.Lookup(bound.tag)
		if !ok {
			continue
		}
		n, err := number(leaf, text)
		if err != nil {
			return nil, bad(bound.tag, text, err.Error())
		}
		*bound.to, found = n, true
	}
	if text, ok := f.Tag.Lookup("length"); ok {
		low, high, isRange := strings.Cut(text, "..")
		if !isRange {
			high = low
		}
		var err error
		if low != "" {
			t.MinLength, err = strconv.Atoi(low)
		}
		if high != "" && err == nil {
			t.MaxLength, err = strconv.Atoi(high)
		}
		if err != nil || low == "" && high == "" || t.MinLength < 0 || high != "" && t.MaxLength < t.MinLength {
			return nil, bad("length", text, `it is not a length such as "1..64"`)
		}
		if !hasLength(f.Type) {
			return nil, bad("length", text, "the type has no length")
		}
		found = true
	}
	if text, ok := f.Tag.Lookup("pattern"); ok {
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, bad("pattern", text, err.Error())
		}
		if leaf.Kind() != reflect.String {
			return nil, bad("pattern", text, "the type is not a string")
		}
		t.Pattern, found = re, true
	}
	if text, ok := f.Tag.Lookup("enum"); ok {
		t.Enum, found = strings.Split(text, ","), true
		for i, e := range t.Enum {
			if leaf.Kind() == reflect.String {
				break
			}
			n, err := number(leaf, e)
			switch {
			case leaf == durationType:
				return nil, bad("enum", text, "the type is a duration")
			case err != nil:
				return nil, bad("enum", text, err.Error())
			case leaf.Kind() == reflect.Float32 || leaf.Kind() == reflect.Float64:
				t.Enum[i] = strconv.FormatFloat(n.Float, 'g', -1, leaf.Bits())
			default:
				t.Enum[i] = strconv.FormatInt(n.Int, 10)
				if n.Uint != 0 {
					t.Enum[i] = strconv.FormatUint(n.Uint, 10)
				}
			}
		}
	}
	if text, ok := f.Tag.Lookup("format"); ok && leaf.Kind() == reflect.String {
		if _, known := formats[text]; !known {
			return nil, bad("format", text, "there is no such format; there are "+formatNames())
		}
		t.Format, found = text, true
	}
	if !found {
		return nil, nil
	}
	return t, nil
}

// leafOf returns the type that limits of values apply to.
func leafOf(t reflect.Type) reflect.Type {
	for range maxNesting { // a type may be a slice of itself
		switch s := shape.Of(t); {
		case s.Kind == shape.Option || s.Kind == shape.Pointer:
			t = s.Elem.Type
		case s.Union != nil && nullable(s) >= 0:
			t = s.Union.Cases[nullable(s)].Elem.Type
		case s.Kind == shape.Slice || s.Kind == shape.Array || s.Kind == shape.Map:
			t = s.Elem.Type
		default:
			return t
		}
	}
	return t
}

const maxNesting = 64

// nullable returns the case of a Nullable that holds a value, or -1.
func nullable(s *shape.Shape) int {
	held := -1
	for i, c := range s.Union.Cases {
		if c.Elem != nil {
			if c.Name != "" || held >= 0 {
				return -1
			}
			held = i
		}
	}
	return held
}

// hasLength reports whether the values of t, within an optional one or behind
// pointers, have a length.
func hasLength(t reflect.Type) bool {
	for range maxNesting {
		switch s := shape.Of(t); {
		case s.Kind == shape.Option || s.Kind == shape.Pointer:
			t = s.Elem.Type
		case s.Union != nil && nullable(s) >= 0:
			t = s.Union.Cases[nullable(s)].Elem.Type
		default:
			return s.Kind == shape.String || s.Kind == shape.Bytes || s.Kind == shape.Slice || s.Kind == shape.Array || s.Kind == shape.Map
		}
	}
	return false
}

var durationType = reflect.TypeFor[time.Duration]()

// number reads a bound for values of type t.
func number(t reflect.Type, text string) (*Number, error) {
	n := &Number{Text: text}
	var err error
	switch {
	case t == durationType:
		var d time.Duration
		d, err = time.ParseDuration(text)
		n.Int = int64(d)
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		n.Int, err = strconv.ParseInt(text, 10, 64)
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uintptr:
		n.Uint, err = strconv.ParseUint(text, 10, 64)
	case t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64:
		if n.Float, err = strconv.ParseFloat(text, 64); err == nil && (math.IsNaN(n.Float) || math.IsInf(n.Float, 0)) {
			err = fmt.Errorf("it is not a number")
		}
	default:
		err = fmt.Errorf("the type is not a number")
	}
	return n, err
}
