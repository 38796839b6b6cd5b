package decode

import (
	"slices"
	"sort"
	"strconv"

	"github.com/hone-go/hone/internal/literal"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/internal/zero"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A MembersError lists the members that violate the tags of their fields. The other members have
// been decoded.
type MembersError struct {
	Members []MemberError // at most 100, sorted by offset
}

// A MemberError describes one member that violates the tags of its field.
type MemberError struct {
	// Path is the path, such as .items[3].price. If the path or a name in it is too long, its
	// middle is omitted.
	Path string
	// Offset is an offset in bytes: of the name if the member is unknown, of the object if the
	// member is missing or breaks a limit, and otherwise of the member's value.
	Offset int
	// Detail is the reason, such as "is required".
	Detail string

	// Name is the name of the member if it is missing or unknown, otherwise "".
	Name string

	// zeroAt is set for a zero value that breaks a limit: the path from the object to the value.
	zeroAt string
}

// Error describes the first member, and says how many others there are.
func (e *MembersError) Error() string {
	first := &e.Members[0]
	text := "json: " + first.Path + " " + first.Detail
	if first.Path == "" {
		text = "json: the value " + first.Detail
	}
	if more := len(e.Members) - 1; more > 0 {
		text += ", and " + strconv.Itoa(more) + " more"
	}
	return text
}

// Values of MemberError.Detail.
const (
	isAbsent  = "is required"
	isNull    = "must not be null"
	isUnknown = "is not known"
)

// Absent reports whether the member is missing.
func (e *MemberError) Absent() bool { return e.Detail == isAbsent }

// BreaksLimit reports whether the value is zero, which a limit of the member does not allow.
func (e *MemberError) BreaksLimit() bool { return e.zeroAt != "" }

// maxMembers is the maximum length of MembersError.Members.
const maxMembers = 100

// memberFault adds e to the list of d, unless the list is full.
func (d *Decoder) memberFault(e MemberError) {
	if len(d.Members) < maxMembers {
		d.Members = append(d.Members, e)
	}
}

// refusesNull reports whether the options do not allow the null at t. If so, it adds the fault to
// d.Members.
func (d *Decoder) refusesNull(n *Node, t int) bool {
	if d.On&option.CheckMembers == 0 || n.null {
		return false
	}
	d.memberFault(MemberError{Offset: d.Words[t].Pos(), Detail: isNull})
	return true
}

// expected lists the fields that need a check at the end of an object, if option.CheckMembers is
// on.
type expected struct {
	// indexes contains the index of each field that is required or has a default.
	indexes []int
	// low has a bit for each index in indexes that is below 64.
	low uint64
	// above63 is set if indexes contains an index above 63.
	above63 bool
	// values maps the index of a field to its default, as JSON.
	values map[int][]byte
	// zeros lists the fields that may be absent, and must not be zero if the object has them. See
	// package zero.
	zeros []zeroField
}

// A zeroField is a field whose zero value breaks the limits in faults.
type zeroField struct {
	index  int
	faults []zero.Fault
}

// expect finds the required fields and the fields with a default, and removes the nodes of fields
// that the input may not set. It ignores invalid tags: callers that check members have checked the
// tags before.
func (o *object) expect(list []shape.Member) {
	e := &expected{values: map[int][]byte{}}
	for i := range list {
		m, f := &list[i], &o.fields[i]
		value, _ := literal.Default(m.Field)
		switch {
		case m.Field.ReadOnly():
			f.node, f.simple, f.quoted, f.hops = nil, false, nil, nil
			continue
		// A default of a field in an embedded pointer is ignored, because setting it would allocate
		// the embedded struct.
		case value != nil && len(m.Through) == 0:
			e.values[i] = value
		case !m.Required():
			if faults := zero.Faults(m.Field); faults != nil {
				e.zeros = append(e.zeros, zeroField{i, faults})
			}
			continue
		}
		e.indexes = append(e.indexes, i)
		if i < 64 {
			e.low |= 1 << i
		} else {
			e.above63 = true
		}
	}
	if e.indexes != nil || e.zeros != nil {
		o.expects = e
	}
}

// isZero reports whether the field is zero in the struct at a+off.
func (f *field) isZero(a mem.Pointer, off uintptr) bool {
	for _, hop := range f.hops {
		if a, off = a.Elem(off+hop.Offset), 0; a.IsNil() {
			return false // the pointer cannot be set; see closedField
		}
	}
	return a.Value(off+f.offset, f.node.Shape.Type).IsZero()
}

// absent handles the fields that are missing from the object at t: it sets their defaults, and adds
// a fault for each required field without a default. It also adds the faults of fields that the
// object has and that are zero.
func (d *Decoder) absent(n *Node, seen *fieldSet, t int, a mem.Pointer, off uintptr) {
	o := n.object
	e := o.expects
	for _, z := range e.zeros {
		if f := &o.fields[z.index]; seen.has(z.index) && f.isZero(a, off) {
			for _, fault := range z.faults {
				d.memberFault(MemberError{Offset: d.Words[t].Pos(), Detail: fault.Detail, zeroAt: path.Name(f.name.text) + fault.Path})
			}
		}
	}
	if seen.low&e.low == e.low && !e.above63 {
		return
	}
	for _, i := range e.indexes {
		f := &o.fields[i]
		switch value, there := e.values[i]; {
		case seen.has(i):
		case there:
			d.Faults.SetDefault(value, f.node.Shape.Type, a, off+f.offset)
		default:
			d.memberFault(MemberError{Offset: d.Words[t].Pos(), Detail: isAbsent, Name: f.name.text})
		}
	}
}

// PathTo returns the path to the word at position pos, such as .items[3].price.
func (d *Decoder) PathTo(pos int) string {
	found := []MemberError{{Offset: pos}}
	place := memberWalk{d: d, rest: found}
	place.run(0)
	return found[0].Path
}

// MembersError returns the faults in the value at t as an error, sorted by offset. It computes the
// paths of the faults in one pass over the index, so that decoding without faults computes no
// paths.
func (d *Decoder) MembersError(t int) error {
	// Decoding adds the faults of an object at the object's end, so they are not in order.
	sort.SliceStable(d.Members, func(i, j int) bool { return d.Members[i].Offset < d.Members[j].Offset })
	w := memberWalk{d: d, rest: d.Members}
	w.run(t)
	return &MembersError{Members: withoutRepeated(d.Members)}
}

// withoutRepeated removes the faults of zero values whose path has another fault: a value is also
// zero if it is null, or if it is missing from an object that has no other members.
func withoutRepeated(list []MemberError) []MemberError {
	others := map[string]bool{}
	for i := range list {
		if list[i].zeroAt == "" {
			others[list[i].Path] = true
		}
	}
	return slices.DeleteFunc(list, func(m MemberError) bool { return m.zeroAt != "" && others[m.Path] })
}

// A memberWalk computes the paths of the listed members in one pass over the index.
type memberWalk struct {
	d      *Decoder
	levels []memberLevel
	rest   []MemberError
}

// A memberLevel is an open array or object.
type memberLevel struct {
	// after is the index of the word after the array or object.
	after  int
	object bool
	// name is the index of the word of the last name.
	name  int
	named bool
	// index is the index of the current element.
	index int
}

// run reads the words from t on until each listed member has its path.
func (w *memberWalk) run(t int) {
	words := w.d.Words
	for len(w.rest) > 0 && t < len(words) {
		// Remove the arrays and objects that end before t.
		for len(w.levels) > 0 && w.levels[len(w.levels)-1].after <= t {
			w.levels = w.levels[:len(w.levels)-1]
		}
		isName := false
		if len(w.levels) > 0 {
			l := &w.levels[len(w.levels)-1]
			// In an object, names and values alternate.
			if isName = l.object && !l.named; isName {
				l.name = t
			}
			l.named = isName
			l.index++
		}
		pos := words[t].Pos()
		// The list is sorted by offset, so the members at this word come first.
		for len(w.rest) > 0 && w.rest[0].Offset <= pos {
			m := &w.rest[0]
			w.rest = w.rest[1:]
			if m.Path = w.path() + m.zeroAt; m.Absent() {
				m.Path += path.Name(m.Name)
			}
		}
		if c := w.d.Data[pos]; !isName && (c == '{' || c == '[') {
			w.levels = append(w.levels, memberLevel{after: syntax.After(words, t), object: c == '{', index: -1})
			t += ContainerWords
			continue
		}
		t++
	}
}

// path returns the path to the current word.
func (w *memberWalk) path() string {
	var b []byte
	for i := range w.levels {
		if l := &w.levels[i]; l.object {
			b = append(b, path.Name(string(w.d.TextOf(l.name)))...)
		} else {
			b = append(b, path.Index(l.index)...)
		}
	}
	return path.Shorten(b, maxPath)
}

// maxPath is the maximum length in bytes of a path.
const maxPath = 1 << 10

// A fieldSet is a set of field indexes. It allocates for indexes above 63.
type fieldSet struct {
	low  uint64
	high []uint64
}

// add adds index i, and reports whether it was not in the set before.
func (s *fieldSet) add(i int) bool {
	// Structs of up to 64 fields need no allocation.
	word := &s.low
	if i >= 64 {
		for len(s.high) < i/64 {
			s.high = append(s.high, 0)
		}
		word = &s.high[i/64-1]
	}
	bit := uint64(1) << (i % 64)
	is := *word&bit == 0
	*word |= bit
	return is
}

// has reports whether i is in the set.
func (s *fieldSet) has(i int) bool {
	if i < 64 {
		return s.low&(1<<i) != 0
	}
	return i/64 <= len(s.high) && s.high[i/64-1]&(1<<(i%64)) != 0
}
