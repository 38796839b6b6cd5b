package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// A shape counts the kinds of the JSON values that occur at one place of a document.
type shape struct {
	nulls, bools, strings, integers, floats, arrays, objects int

	element *shape    // merges the elements of all arrays; nil if all arrays are empty
	members []*member // in the order of their first appearance
	at      map[string]int
}

// A member is a name that occurs in objects at one place.
type member struct {
	name  string
	count int // the number of objects that have it
	shape *shape
}

// read returns the shape of all JSON values in text, which is one document or JSON lines.
func read(text []byte) (*shape, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	root := new(shape)
	for {
		token, err := d.Token()
		if err == io.EOF {
			return root, nil
		}
		if err == nil {
			err = root.add(d, token)
		}
		if err != nil {
			return nil, err
		}
	}
}

// add counts the value that begins with the token.
func (s *shape) add(d *json.Decoder, token json.Token) error {
	switch t := token.(type) {
	case nil:
		s.nulls++
	case bool:
		s.bools++
	case string:
		s.strings++
	case json.Number:
		if _, err := strconv.ParseInt(t.String(), 10, 64); err == nil {
			s.integers++
		} else {
			s.floats++
		}
	case json.Delim:
		if t == '[' {
			return s.addArray(d)
		}
		return s.addObject(d)
	}
	return nil
}

func (s *shape) addArray(d *json.Decoder) error {
	s.arrays++
	for {
		token, err := d.Token()
		if err != nil || token == json.Delim(']') {
			return err
		}
		if s.element == nil {
			s.element = new(shape)
		}
		if err := s.element.add(d, token); err != nil {
			return err
		}
	}
}

func (s *shape) addObject(d *json.Decoder) error {
	s.objects++
	seen := map[string]bool{}
	for {
		token, err := d.Token()
		if err != nil || token == json.Delim('}') {
			return err
		}
		name, ok := token.(string)
		if !ok {
			return fmt.Errorf("unexpected name %v", token)
		}
		m := s.member(name)
		if !seen[name] {
			m.count++
			seen[name] = true
		}
		if token, err = d.Token(); err != nil {
			return err
		}
		if err := m.shape.add(d, token); err != nil {
			return err
		}
	}
}

// member returns the member with the name, and adds it if it is new.
func (s *shape) member(name string) *member {
	if i, ok := s.at[name]; ok {
		return s.members[i]
	}
	if s.at == nil {
		s.at = map[string]int{}
	}
	m := &member{name: name, shape: new(shape)}
	s.at[name] = len(s.members)
	s.members = append(s.members, m)
	return m
}

// merge adds the values of other to s.
func (s *shape) merge(other *shape) {
	if other == nil {
		return
	}
	s.nulls += other.nulls
	s.bools += other.bools
	s.strings += other.strings
	s.integers += other.integers
	s.floats += other.floats
	s.arrays += other.arrays
	s.objects += other.objects
	if other.element != nil {
		if s.element == nil {
			s.element = new(shape)
		}
		s.element.merge(other.element)
	}
	for _, m := range other.members {
		own := s.member(m.name)
		own.count += m.count
		own.shape.merge(m.shape)
	}
}

// A kind is the kind of a Go type.
type kind int

const (
	anything kind = iota
	boolean
	text
	integer
	float
	list
	table // a map
	record
)

// A goType is the Go type for a shape.
type goType struct {
	kind    kind
	pointer bool
	element *goType // of a list or a table
	fields  []field // of a record
}

// A field is a field of a record.
type field struct {
	name     string // in Go
	member   string // in JSON
	optional bool   // some objects do not have it
	of       *goType
}

// tag returns the struct tag.
func (f field) tag() string {
	if f.optional {
		return fmt.Sprintf(`json:"%s,omitempty"`, f.member)
	}
	return fmt.Sprintf(`json:"%s"`, f.member)
}

// mostFields is the maximum number of fields of a struct.
const mostFields = 64

// nameLike matches the keys of objects that become structs. Keys such as "205705993" or "2024-05-01" are data.
var nameLike = regexp.MustCompile(`^[A-Za-z_@$][A-Za-z0-9_.:@$-]{0,63}$`)

// goType returns the type of the values with this shape. The type is any if the values have different kinds. It is a
// pointer if a value may be null and the type has no nil of its own.
func (s *shape) goType() *goType {
	k, different := anything, 0
	for _, c := range []struct {
		count int
		kind  kind
	}{{s.bools, boolean}, {s.strings, text}, {s.integers + s.floats, integer}, {s.arrays, list}, {s.objects, record}} {
		if c.count > 0 {
			k = c.kind
			different++
		}
	}
	if different != 1 {
		return &goType{}
	}
	t := &goType{kind: k, pointer: s.nulls > 0}
	switch k {
	case integer:
		if s.floats > 0 {
			t.kind = float
		}
	case list:
		t.pointer, t.element = false, &goType{}
		if s.element != nil {
			t.element = s.element.goType()
		}
	case record:
		if !s.isRecord() {
			values := new(shape)
			for _, m := range s.members {
				values.merge(m.shape)
			}
			return &goType{kind: table, element: values.goType()}
		}
		used := map[string]bool{}
		for _, m := range s.members {
			f := field{name: unused(used, goName(m.name)), member: m.name, optional: m.count < s.objects, of: m.shape.goType()}
			if f.optional && f.of.kind == record {
				f.of.pointer = true // omitempty has no effect on a struct
			}
			t.fields = append(t.fields, f)
		}
	}
	return t
}

func (s *shape) isRecord() bool {
	if len(s.members) == 0 || len(s.members) > mostFields {
		return false
	}
	for _, m := range s.members {
		if !nameLike.MatchString(m.name) {
			return false
		}
	}
	return true
}

// goName returns an exported Go name for a text, such as CreatedAt for created_at.
func goName(text string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	name := b.String()
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "X" + name
	}
	return name
}

// unused returns the name, with a number at its end if it is in use, and adds the result to used.
func unused(used map[string]bool, name string) string {
	for n, base := 2, name; used[name]; n++ {
		name = base + strconv.Itoa(n)
	}
	used[name] = true
	return name
}
