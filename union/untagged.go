package union

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/hone-go/hone/internal/memory/optional"
	"github.com/hone-go/hone/shape"
)

// distinguishCases sets the Kinds of each case of s. If several cases are JSON objects, it also sets Own. A
// reader recognizes each of these cases by its members in Own. distinguishCases returns an error if a
// reader could confuse two cases.
func distinguishCases(s *shape.Sum) error {
	byKind := map[rune][]*shape.SumCase{}
	for i := range s.Cases {
		c := &s.Cases[i]
		var err error
		if c.Kinds, err = kindsOf(c.Type); err != nil {
			return err
		}
		for _, kind := range c.Kinds {
			byKind[kind] = append(byKind[kind], c)
		}
	}
	for _, kind := range `t0"[{n` {
		cases := byKind[kind]
		if len(cases) < 2 {
			continue
		}
		if kind != '{' {
			return fmt.Errorf("%v and %v are both %s in JSON, so %v needs a tag; use union.Adjacent", cases[0].Type, cases[1].Type, kindNames[kind], s.Type)
		}
		if err := ownMembers(s, cases); err != nil {
			return err
		}
	}
	return nil
}

var kindNames = map[rune]string{'n': "null", 't': "a bool", '0': "a number", '"': "a string", '[': "an array", '{': "an object"}

// ownMembers sets Own, the members that no other case has, for each of the cases. All cases are JSON
// objects.
func ownMembers(s *shape.Sum, cases []*shape.SumCase) error {
	holders := map[string]int{}
	for _, c := range cases {
		if c.Type.Kind() != reflect.Struct {
			return errAnyMember(c.Type)
		}
		names, open := shape.MemberNames(c.Type)
		if open {
			return errAnyMember(c.Type)
		}
		met := map[string]bool{}
		for _, n := range names {
			if folded := shape.Fold(n.Name); !met[folded] {
				met[folded] = true
				holders[folded]++
			}
		}
	}
	for _, c := range cases {
		names, _ := shape.MemberNames(c.Type)
		sure := false
		for _, n := range names {
			if holders[shape.Fold(n.Name)] == 1 {
				c.Own = append(c.Own, n.Name)
				sure = sure || n.Always
			}
		}
		if !sure {
			return fmt.Errorf("%v needs a member that is always written and that no other case of %v has; add one, or use union.Internal", c.Type, s.Type)
		}
	}
	return nil
}

// kindsOf returns the first bytes of the JSON of values of type t: see [shape.SumCase].
func kindsOf(t reflect.Type) (string, error) {
	_, _, isOption := optional.Option(t)
	_, isUnion := optional.UnionOf(t)
	switch {
	case t == reflect.TypeFor[time.Time]():
		return `"`, nil
	case t == reflect.TypeFor[json.Number]():
		return "0", nil
	case isOption || t.Kind() == reflect.Pointer:
		return "", fmt.Errorf("the JSON of %v can be null, and null does not identify the case; use an mo.Option of the Either instead", t)
	case isUnion || t.Kind() == reflect.Interface || methodOf(t, jsonMethods) != "":
		return "", errAnyKind(t)
	case methodOf(t, textMethods) != "":
		return `"`, nil
	}
	switch k := t.Kind(); k {
	case reflect.Bool:
		return "t", nil
	case reflect.String:
		return `"`, nil
	case reflect.Struct:
		return "{", nil
	case reflect.Map:
		return "{n", nil
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return `"[`, nil // a byte array: version 1 of JSON encodes it as an array, and version 2 as a string
		}
		return "[", nil
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return `"n[`, nil
		}
		return "[n", nil
	default:
		if k >= reflect.Int && k <= reflect.Float64 {
			return "0", nil
		}
	}
	return "", errors.New(t.String() + " cannot be encoded as JSON")
}

func errAnyKind(t reflect.Type) error {
	return fmt.Errorf("the JSON of %v can be of any kind, so a reader cannot distinguish it from the other cases; use union.Adjacent", t)
}

func errAnyMember(t reflect.Type) error {
	return fmt.Errorf("the JSON of %v can have members of any name, so a reader cannot distinguish it from other objects; use union.Adjacent", t)
}
