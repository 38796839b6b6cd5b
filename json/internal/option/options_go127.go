//go:build go1.27 && goexperiment.jsonv2

package option

import (
	"encoding/json"
	"encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"
)

// Options is the type of the standard library.
type Options = jsonv2.Options

// byBit contains the standard library's setter for each flag, indexed by bit number.
var byBit = func() (list [64]func(bool) Options) {
	for _, s := range standard {
		list[bits.TrailingZeros64(uint64(s.flag))] = s.setter
	}
	return list
}()

// Of returns the standard library's option for one flag. The standard library must have the flag.
func Of(f Flag, on bool) Options { return byBit[bits.TrailingZeros64(uint64(f))](on) }

// DefaultsV1 and DefaultsV2 return the default options of version 1 and of version 2.
func DefaultsV1() Options { return json.DefaultOptionsV1() }
func DefaultsV2() Options { return jsonv2.DefaultOptionsV2() }

// A functions option contains marshalers or unmarshalers of Hone. It embeds an Options to implement
// the standard library's interface.
type functions struct {
	Options
	flag Flag
	list any
}

// An own option is a flag that only Hone has.
type own struct {
	Options
	flag Flag
	on   bool
}

// Own returns the option for a flag that only Hone has.
func Own(f Flag, on bool) Options {
	return &own{Options: jsonv2.JoinOptions(), flag: f, on: on}
}

// A joined option is a Set that contains options which the standard library does not have.
type joined struct {
	Options // the options that the standard library supports
	set     Set
}

// seen caches the conversion of the standard library's options to Sets. It contains only options
// that consist of flags, so it has one entry for each combination of flags that the process uses.
var seen sync.Map // Options -> *Set

// A seenFlag caches the conversion of one option to a Set. The standard library represents the
// option as a number, and its bits are flags.
type seenFlag struct {
	bits uint64
	set  Set
}

const flagBits = 7

// flags caches recent conversions, indexed by a hash of bits.
var flags [1 << flagBits]atomic.Pointer[seenFlag]

// Join adds options to a Set. A later option overrides an earlier one.
func (s *Set) Join(options ...Options) {
	for _, o := range options {
		switch o := o.(type) {
		case nil:
		case *functions:
			s.Given |= o.flag
			if o.flag == Marshalers {
				s.Marshalers = o.list
			} else {
				s.Unmarshalers = o.list
			}
		case *own:
			s.Put(o.flag, o.on)
		case *joined:
			s.Add(&o.set)
		default:
			s.addStandard(o)
		}
	}
}

// addStandard adds an option of the standard library.
func (s *Set) addStandard(o Options) {
	v := reflect.ValueOf(o)
	flag := v.Kind() == reflect.Uint64
	slot := &flags[0]
	if flag {
		slot = &flags[v.Uint()*0x9e3779b97f4a7c15>>(64-flagBits)]
		if known := slot.Load(); known != nil && known.bits == v.Uint() {
			s.Given |= known.set.Given
			s.On = s.On&^known.set.Given | known.set.On
			return
		}
	}
	if flag || o == defaults1 || o == defaults2 {
		if known, ok := seen.Load(o); ok {
			s.Add(known.(*Set))
			return
		}
	}
	var read Set
	for _, p := range standard {
		if on, ok := jsonv2.GetOption(o, p.setter); ok {
			read.Put(p.flag, on)
		}
	}
	if v, ok := jsonv2.GetOption(o, jsontext.WithIndent); ok {
		read.Given |= Indent
		read.Indent = v
	}
	if v, ok := jsonv2.GetOption(o, jsontext.WithIndentPrefix); ok {
		read.Given |= Prefix
		read.Prefix = v
	}
	if flag || o == defaults1 || o == defaults2 {
		seen.Store(o, &read)
	}
	if flag {
		slot.Store(&seenFlag{v.Uint(), read})
	}
	s.Add(&read)
}

var defaults1, defaults2 = json.DefaultOptionsV1(), jsonv2.DefaultOptionsV2()

// Options returns s as the public type.
func (s *Set) Options() Options {
	var list []Options
	for _, p := range standard {
		if s.Given&p.flag != 0 {
			list = append(list, p.setter(s.On&p.flag != 0))
		}
	}
	// An indent turns Multiline on, but a later option may have turned it off.
	if s.Given&Indent != 0 {
		list = append(list, jsontext.WithIndent(s.Indent))
	}
	if s.Given&Prefix != 0 {
		list = append(list, jsontext.WithIndentPrefix(s.Prefix))
	}
	if s.Given&Multiline != 0 {
		list = append(list, jsontext.Multiline(s.Has(Multiline)))
	}
	standard := jsonv2.JoinOptions(list...)
	if s.Given&(Marshalers|Unmarshalers|OwnOptions) == 0 {
		return standard
	}
	return &joined{standard, *s}
}

// Standard returns those options in s that the standard library supports.
func (s *Set) Standard() Options {
	o := s.Options()
	if j, ok := o.(*joined); ok {
		return j.Options
	}
	return o
}

// IndentOf and PrefixOf return the options for an indent and a prefix.
func IndentOf(v string) Options { return jsontext.WithIndent(v) }
func PrefixOf(v string) Options { return jsontext.WithIndentPrefix(v) }

// Functions returns the option for marshalers or unmarshalers.
func Functions(f Flag, list any) Options {
	return &functions{Options: jsonv2.JoinOptions(), flag: f, list: list}
}

// Get returns the value of the option that setter sets, and whether options contain this option.
func Get[T any](options Options, setter func(T) Options) (value T, ok bool) {
	if o, isOurs := setter(value).(*functions); isOurs {
		var s Set
		s.Join(options)
		found := s.Unmarshalers
		if o.flag == Marshalers {
			found = s.Marshalers
		}
		if s.Given&o.flag == 0 || found == nil {
			return value, s.Given&o.flag != 0
		}
		return found.(T), true
	}
	if o, isOurs := setter(value).(*own); isOurs {
		var s Set
		s.Join(options)
		if s.Given&o.flag == 0 {
			return value, false
		}
		if o.flag == ByStandard {
			return any(s.engine()).(T), true
		}
		return any(s.Has(o.flag)).(T), true
	}
	switch o := options.(type) {
	case nil, *functions, *own:
		return value, false
	case *joined:
		options = o.Options
	}
	return jsonv2.GetOption(options, setter)
}
