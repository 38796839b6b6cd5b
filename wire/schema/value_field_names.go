package schema

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// names contains the names that the fields of a struct, or the cases of a union, have in JSON.
type names struct {
	of      []string
	index   map[string]int // index of a field or case by its name; former names too, but not names of removed fields
	byID    map[uint32]int // index of a union's case by its id
	unknown string         // the member with the unknown fields of an evolving struct

	solid    []int // indexes of the fields, except skips and removed fields whose encoding is empty
	required []int // for each field, and for the end, the number of required fields before it
}

// namesOf returns the names of t, which are computed once for each walk. A name that is not
// unique, or not usable in JSON, is replaced by a number. A former name also selects its field,
// if no other field has that name.
func (w *walk) namesOf(t *Type) *names {
	if n := w.names[t]; n != nil {
		return n
	}
	n := &names{index: map[string]int{}, byID: map[uint32]int{}, unknown: Unknown}
	times := map[string]int{}
	for i := range t.Fields {
		if t.Fields[i].Removed == "" {
			times[t.Fields[i].Name]++
		}
	}
	for i := range t.Cases {
		times[t.Cases[i].Name]++
	}
	unusable := func(name string) bool { return name == "" || name[0] == '#' || !utf8.ValidString(name) }
	name := func(name string, number uint64) string {
		if unusable(name) || times[name] > 1 {
			return "#" + strconv.FormatUint(number, 10)
		}
		return name
	}
	if !unusable(t.Unknown) && times[t.Unknown] == 0 {
		n.unknown = t.Unknown
	}
	required := 0
	for i := range t.Fields {
		f := &t.Fields[i]
		n.of = append(n.of, name(f.Name, uint64(i)))
		n.required = append(n.required, required)
		optional := w.optional(f)
		if !optional {
			required++
		}
		if !optional || !w.void(f.Type) {
			n.solid = append(n.solid, i)
			if f.Removed == "" {
				n.index[n.of[i]] = i
			}
		}
	}
	n.required = append(n.required, required)
	for i := range t.Fields {
		for _, was := range t.Fields[i].Was {
			_, taken := n.index[was]
			if at, present := n.index[n.of[i]]; present && at == i && !taken && !unusable(was) && was != n.unknown {
				n.index[was] = i
			}
		}
	}
	for i := range t.Cases {
		n.of = append(n.of, name(t.Cases[i].Name, uint64(t.Cases[i].ID)))
		n.byID[t.Cases[i].ID] = i
		n.index[n.of[i]] = i
	}
	if w.names == nil {
		w.names = map[*Type]*names{}
	}
	w.names[t] = n
	return n
}

// A given is a member that the value or the JSON has: the index of its field, and its offset in the
// JSON.
type given struct {
	field, at int
	value     any
}

// arrange sorts members by the order of the fields of t. repeated is the index of a field with two
// members, and offset is the offset of the second in the JSON. missing is the index of a field
// whose member is missing. Each index is -1 if there is no such field. An evolving struct may end
// at any field, unless complete is set.
func (w *walk) arrange(t *Type, members []given, complete bool) (repeated, offset, missing int) {
	byField := func(a, b given) int { return a.field - b.field }
	if !slices.IsSortedFunc(members, byField) {
		slices.SortStableFunc(members, byField)
	}
	n := w.namesOf(t)
	required := 0
	for i, m := range members {
		if i > 0 && members[i-1].field == m.field {
			return m.field, m.at, -1
		}
		if !w.optional(&t.Fields[m.field]) {
			required++
		}
	}
	end := len(t.Fields)
	if !complete {
		if end = 0; len(members) > 0 {
			end = members[len(members)-1].field + 1
		}
	}
	if required == n.required[end] {
		return -1, 0, -1
	}
	for i := range end {
		if len(members) > 0 && members[0].field == i {
			members = members[1:]
		} else if !w.optional(&t.Fields[i]) {
			return -1, 0, i
		}
	}
	return -1, 0, -1
}
