package shape

import (
	"reflect"
	"strings"
)

// The functions in this file list the members of a struct type without making its shape. They are
// called when an interface is declared, and the struct may contain interfaces that are declared
// later.

// A caseMember is a field that is a member of the JSON of a struct, or that collects members of any
// name.
type caseMember struct {
	path   string // the field, with the embedded structs around it: "Base.ID"
	name   string // name of the member in JSON; "" for a field that collects members of any name
	always bool   // the JSON of every value has the member, in requests and in responses
}

// walkMembers calls yield for the members of the struct type t, and for the members of the structs
// that it embeds, until yield returns false. path is the path to t, and the argument always is set
// if every value has the members of t.
func walkMembers(t reflect.Type, path string, always bool, seen map[reflect.Type]bool, yield func(caseMember) bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	for i := range t.NumField() {
		f := t.Field(i)
		text, tagged := f.Tag.Lookup("json")
		m, skip, _ := parseMember(&Field{Name: f.Name, Embedded: f.Anonymous, Exported: f.IsExported()}, text, tagged)
		if skip {
			continue
		}
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if (m.embed || f.Anonymous && !m.tagged) && of.Kind() == reflect.Struct {
			if !walkMembers(of, path+f.Name+".", always && f.Type == of, seen, yield) {
				return false
			}
			continue
		}
		member := caseMember{path: path + f.Name}
		if !m.embed { // a member with embed that is not a struct accepts any name
			omits := strings.Contains(text, ",omitempty") || strings.Contains(text, ",omitzero")
			member.name = m.Name
			member.always = always && !omits && f.Tag.Get("writeOnly") == "" && f.Tag.Get("readOnly") == ""
		}
		if !yield(member) {
			return false
		}
	}
	return true
}

// MemberLike returns the path of a field of the struct type t whose JSON name equals tag, ignoring
// case, or of a field that collects members of any name.
func MemberLike(t reflect.Type, tag string) (path string, found bool) {
	walkMembers(t, "", true, map[reflect.Type]bool{}, func(m caseMember) bool {
		if found = m.name == "" || Fold(m.name) == Fold(tag); found {
			path = m.path
		}
		return !found
	})
	return path, found
}

// A MemberName describes a member of a struct's JSON.
type MemberName struct {
	Name   string
	Always bool // the JSON of every value has the member, in requests and in responses
}

// MemberNames returns the names of the members of the struct type t, and of the members that are
// promoted through embedded structs. open reports that the JSON of t can have members of any other
// name too.
func MemberNames(t reflect.Type) (names []MemberName, open bool) {
	met := map[string]int{}
	walkMembers(t, "", true, map[reflect.Type]bool{}, func(m caseMember) bool {
		if m.name == "" {
			open = true
		} else {
			met[Fold(m.name)]++
			names = append(names, MemberName{m.name, m.always})
		}
		return true
	})
	for i := range names {
		// If two members have the same name, one hides the other, or both are left out.
		names[i].Always = names[i].Always && met[Fold(names[i].Name)] == 1
	}
	return names, open
}
