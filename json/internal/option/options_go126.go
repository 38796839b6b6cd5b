//go:build !(go1.27 && goexperiment.jsonv2)

package option

import "fmt"

// Options is one option of a call or a list of options.
type Options interface{ isOption() }

// A toggle is an option that sets a flag.
type toggle struct {
	flag Flag
	on   bool
}

func (*toggle) isOption() {}
func (*Set) isOption()    {}

// toggles contains all toggles, so that setters do not allocate.
var toggles = func() (list [64][2]toggle) {
	for i := range list {
		list[i] = [2]toggle{{1 << i, false}, {1 << i, true}}
	}
	return list
}()

// The following types are options with a value.
type (
	indent string
	prefix string
)

func (indent) isOption() {}
func (prefix) isOption() {}

// IndentOf and PrefixOf return the options for an indent and a prefix.
func IndentOf(v string) Options { return indent(v) }
func PrefixOf(v string) Options { return prefix(v) }

// DefaultsV1 and DefaultsV2 return the default options of version 1 and of version 2.
func DefaultsV1() Options { return (&Set{Given: V1, On: V1}).Options() }
func DefaultsV2() Options { return (&Set{Given: V1}).Options() }

// A functions option contains marshalers or unmarshalers.
type functions struct {
	flag Flag
	list any
}

func (*functions) isOption() {}

// Of returns the option for one flag.
func Of(f Flag, on bool) Options {
	n := 0
	for f>>n != 1 {
		n++
	}
	if on {
		return &toggles[n][1]
	}
	return &toggles[n][0]
}

// Own returns the option for a flag that the standard library does not have.
func Own(f Flag, on bool) Options { return Of(f, on) }

// Functions returns the option for marshalers or unmarshalers.
func Functions(f Flag, list any) Options { return &functions{f, list} }

// Join adds options to a Set. A later option overrides an earlier one.
func (s *Set) Join(options ...Options) {
	for _, o := range options {
		switch o := o.(type) { // calling a method of o would move s to the heap
		case nil:
		case *toggle:
			s.Put(o.flag, o.on)
		case *Set:
			s.Add(o)
		case indent:
			s.Put(Multiline, true)
			s.Given |= Indent
			s.Indent = string(o)
		case prefix:
			s.Put(Multiline, true)
			s.Given |= Prefix
			s.Prefix = string(o)
		case *functions:
			s.Given |= o.flag
			if o.flag == Marshalers {
				s.Marshalers = o.list
			} else {
				s.Unmarshalers = o.list
			}
		}
	}
}

// Options returns s as the public type. After that the caller must not change s.
func (s *Set) Options() Options { return s }

// Get returns the value of the option that setter sets, and whether options contain this option.
func Get[T any](options Options, setter func(T) Options) (value T, ok bool) {
	var s Set
	s.Join(options)
	var found any
	switch o := setter(value).(type) {
	case *toggle:
		found, ok = s.Has(o.flag), s.Given&o.flag != 0
		if o.flag == ByStandard {
			found = s.engine()
		}
	case indent:
		found, ok = s.Indent, s.Given&Indent != 0
	case prefix:
		found, ok = s.Prefix, s.Given&Prefix != 0
	case *functions:
		if o.flag == Marshalers {
			found, ok = s.Marshalers, s.Given&Marshalers != 0
		} else {
			found, ok = s.Unmarshalers, s.Given&Unmarshalers != 0
		}
	default:
		panic(fmt.Sprintf("json: %T is not an option with one value", o))
	}
	if !ok {
		var zero T
		return zero, false
	}
	return found.(T), true
}
