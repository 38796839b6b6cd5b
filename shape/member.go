package shape

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/hone-go/hone/internal/release"
)

// A Member is a field of a struct as a member of a JSON object, by the rules of encoding/json.
type Member struct {
	Place
	Name      string // name in JSON
	OmitEmpty bool
	OmitZero  bool
	Quoted    bool // the tag option "string", if encoding/json applies it to the type

	// Only [Shape.Object] sets the fields below.
	String bool   // the tag option "string", on any type
	Case   Casing // the option case
	Format string // the value of the tag option "format", which the engines do not support

	tagged     bool // Name came from the tag
	embed      bool // its members belong to the enclosing object
	hasOptions bool // the tag has an option other than embed
	order      int  // position in breadth-first order
}

// Members returns the JSON members of a struct type in the order of declaration, by the rules of
// the encoding/json that the program links, or of the release in the environment variable
// HONE_JSON. They are computed once and shared.
func (s *Shape) Members() []Member {
	s.members.once.Do(func() {
		if release.First() {
			s.members.list = s.promote()
		} else {
			s.members.list = s.Object().Members
		}
	})
	return s.members.list
}

// Promoted returns the members by the rules of encoding/json before Go 1.27. [Shape.Object] lists
// them by the rules of Go 1.27 and later.
func (s *Shape) Promoted() []Member {
	if release.First() {
		return s.Members()
	}
	return s.promote()
}

// memberOf parses the json tag of a field. The options apply even if the tag has no name. skip
// reports that the tag is "-", so that the field is not a member. The caller sets the Place.
func memberOf(f *Field) (m Member, skip bool) {
	tag := f.tag.Get("json")
	if tag == "-" {
		return m, true
	}
	name, options, _ := strings.Cut(tag, ",")
	m.Name = f.Name
	if validName(name) {
		m.Name, m.tagged = name, true
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			m.OmitEmpty = true
		case "omitzero":
			m.OmitZero = true
		case "string":
			m.Quoted = quotable(f.Shape.Type)
		}
	}
	return m, false
}

// quotable reports whether the tag option "string" applies to a field of type t.
func quotable(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		t = t.Elem()
	}
	switch k := t.Kind(); {
	case k >= reflect.Bool && k <= reflect.Float64, k == reflect.String:
		return true
	}
	return false
}

func validName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}
