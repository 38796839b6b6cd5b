package decode

import (
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/hone-go/hone/internal/literal"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/shape"
)

// A MembersError lists the members that violate the tags of their fields. The rest of the value has
// been decoded.
type MembersError struct {
	Members []MemberError // in the order in which they were met, 100 at most
}

// A MemberError describes one member that violates the tags of its field.
type MemberError struct {
	// The path, such as .items[3].price. The middle of a long name or a long path is cut out.
	Path string
	// The offset in the text of the value, of an unknown name, or of the object that lacks the
	// member.
	Offset int
	// The reason, such as "is required".
	Detail string

	// The name of a member that is missing or unknown: the last step of Path.
	Name string
}

// Error describes the first member, and counts the others.
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

// PathStep returns the step to the member called name in a path, in Go's syntax.
func PathStep(name string) string {
	if isIdentifier(name) {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}

// isIdentifier reports whether s is an identifier of Go.
func isIdentifier(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

// The details of a MemberError.
const (
	isAbsent  = "is required"
	isNull    = "must not be null"
	isUnknown = "is not known"
)

// Absent reports whether the member is missing.
func (e *MemberError) Absent() bool { return e.Detail == isAbsent }

// maxMembers is the largest number of members that are listed.
const maxMembers = 100

// memberFault adds e to the list of d, unless the list is full.
func (d *Decoder) memberFault(e MemberError) {
	if len(d.Members) < maxMembers {
		d.Members = append(d.Members, e)
	}
}

// refusesNull reports whether the null at t is not allowed, and adds it to the list of faults.
func (d *Decoder) refusesNull(n *Node, t int) bool {
	if d.On&option.CheckMembers == 0 || n.null {
		return false
	}
	d.memberFault(MemberError{Offset: d.Words[t].Pos(), Detail: isNull})
	return true
}

// An expected lists the fields that option.CheckMembers looks for at the end of an object.
type expected struct {
	// The set of required fields among the first 64.
	low uint64
	// The numbers of all required fields and of all fields with a default.
	all []int
	// There are fields that are not in low.
	more bool
	// The defaults, as JSON, by the numbers of fields.
	values map[int][]byte
}

// expect finds the members that an object must have, and removes the fields that the input may not
// set. Invalid tags are ignored here: callers that check members check the tags before.
func (o *object) expect(list []shape.Member) {
	e := &expected{values: map[int][]byte{}}
	for i := range list {
		m, f := &list[i], &o.fields[i]
		value, _ := literal.Default(m.Field)
		switch {
		case m.Field.ReadOnly():
			f.node, f.simple, f.quoted, f.hops = nil, false, false, nil
			continue
		// A default in an embedded pointer is not applied: it would have to allocate the struct.
		case value != nil && len(m.Through) == 0:
			e.values[i] = value
		case !m.Required():
			continue
		}
		e.all = append(e.all, i)
		if i < 64 {
			e.low |= 1 << i
		} else {
			e.more = true
		}
	}
	if e.all != nil {
		o.expects = e
	}
}

// absent handles the fields that the object at t lacks: it sets their defaults, and lists the
// required ones that have none.
func (d *Decoder) absent(n *Node, seen *fieldSet, t int, a mem.Pointer, off uintptr) {
	o := n.object
	e := o.expects
	if seen.low&e.low == e.low && !e.more {
		return
	}
	for _, i := range e.all {
		f := &o.fields[i]
		switch value, there := e.values[i]; {
		case seen.has(i):
		case there:
			d.setDefault(value, f.node.Shape.Type, a, off+f.offset)
		default:
			d.memberFault(MemberError{Offset: d.Words[t].Pos(), Detail: isAbsent, Name: f.name.text})
		}
	}
}

// setDefault decodes value, a default that is known to fit, into the memory of t at a+off.
func (d *Decoder) setDefault(value []byte, t reflect.Type, a mem.Pointer, off uintptr) {
	// The default comes from the tag and not from the input, and d is in the middle of a value, so
	// another Decoder decodes it.
	inner := Take()
	defer inner.Release()
	if inner.Index.Build(value) {
		_ = inner.start(value, reflect.ValueOf(a.Addr(off, t)), nil, option.V1|d.On&option.Release)
	}
}

// indexDense indexes text whose index is many times its length, and returns the text. The index
// takes about eleven bytes for each byte of text.
func (d *Decoder) indexDense(data []byte) []byte {
	d.Index.All = true
	d.Index.Build(data)
	d.Index.All = false
	return data
}

// MembersError returns the list of faults in the value at t, in the order of the text. The paths
// are computed here, in one walk over the index, so that valid text costs nothing.
func (d *Decoder) MembersError(t int) error {
	// Members were added in the order in which objects end.
	sort.SliceStable(d.Members, func(i, j int) bool { return d.Members[i].Offset < d.Members[j].Offset })
	w := memberWalk{d: d, rest: d.Members}
	w.run(t)
	return &MembersError{Members: d.Members}
}

// A memberWalk finds the paths of the listed members.
type memberWalk struct {
	d      *Decoder
	levels []memberLevel
	rest   []MemberError
}

// A memberLevel is an array or an object that contains the current place of the walk.
type memberLevel struct {
	// The index of the word after the array or object.
	after  int
	object bool
	// The word of the last name.
	name  int
	named bool
	// The number of the current element.
	index int
}

// run walks the words from t on until all listed members have their path.
func (w *memberWalk) run(t int) {
	words := w.d.Words
	for len(w.rest) > 0 && t < len(words) {
		// The walk has left these arrays and objects.
		for len(w.levels) > 0 && w.levels[len(w.levels)-1].after <= t {
			w.levels = w.levels[:len(w.levels)-1]
		}
		isName := false
		if len(w.levels) > 0 {
			l := &w.levels[len(w.levels)-1]
			// In an object every other word at this level is a name.
			if isName = l.object && !l.named; isName {
				l.name = t
			}
			l.named = isName
			l.index++
		}
		pos := words[t].Pos()
		// The list is sorted by offset, so it is enough to compare its first entries with each
		// word.
		for len(w.rest) > 0 && w.rest[0].Offset <= pos {
			m := &w.rest[0]
			w.rest = w.rest[1:]
			if m.Path = w.path(); m.Absent() {
				m.Path += PathStep(m.Name)
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

// path returns the path to the place of the walk.
func (w *memberWalk) path() string {
	var b []byte
	for i := range w.levels {
		if l := &w.levels[i]; l.object {
			b = append(b, PathStep(shortened(w.d.TextOf(l.name), maxName))...)
		} else {
			b = append(strconv.AppendInt(append(b, '['), int64(l.index), 10), ']')
		}
	}
	return shortened(b, maxPath)
}

// The maximum length of a path, and of a name in a path, in bytes.
const (
	maxPath = 1 << 10
	maxName = 64
)

// shortened returns text, without its middle if it is longer than most bytes. The sender chooses
// the length of names, and each error repeats them.
func shortened(text []byte, most int) string {
	if len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most/2]), "") + "…" + strings.ToValidUTF8(string(text[len(text)-most/2:]), "")
}

// A fieldSet is a set of fields, by number. It allocates for numbers above 63.
type fieldSet struct {
	low  uint64
	high []uint64
}

// add adds i, and reports whether i is new.
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
