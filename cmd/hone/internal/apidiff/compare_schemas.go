package apidiff

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A finding is a reason why some values of schema a are not values of schema b.
type finding struct {
	path    string // ".readings[].host"; "" for the value itself
	kind    findingKind
	keyword string
	a, b    any // values of the keyword in the two schemas
}

type findingKind uint8

const (
	findType     findingKind = iota // values of the type a
	findValue                       // the value a, which is not in the other enum; any value if a is nil
	findLimit                       // values within the limit a, but not within the limit b
	findRequired                    // values without the member
	findUnknown                     // values with the member, which the other schema does not mention
	findRefused                     // values with the member, which the other schema refuses
	findOdd                         // values that violate the keyword; Compare does not know what the keyword means
	findMore                        // there are more findings, which are omitted
)

// A pairing compares the values of two schemas. A recursive schema is assumed to match while it is
// being compared.
type pairing struct {
	*comparison
	from, to *document
	known    map[[2]uintptr][]finding
	depth    int
}

// request records the changes of the schema of a value that clients send. The messages begin with
// name, such as "the body".
func (c *comparison) request(name string, was, is any) {
	for _, f := range c.findings(c.older, was, c.newer, is) {
		on := subject(name, f.path)
		switch f.kind {
		case findType:
			c.breaks("%s may no longer be %v", on, f.a)
		case findValue:
			if f.a == nil {
				c.breaks("%s must now be one of %s", on, values(f.b))
			} else {
				c.breaks("%s may no longer be %s", on, written(f.a))
			}
		case findLimit:
			c.breaks("%s: %s", on, limitText(f, f.b, f.a))
		case findRequired:
			c.breaks("%s is now required", on)
		case findUnknown:
			c.breaks("%s was removed", on)
		case findRefused:
			c.breaks("%s is now refused", on)
		case findOdd:
			c.note("%s has the keyword %s, which is not compared", on, f.keyword)
		case findMore:
			c.breaks("%s has more changes, which are not listed", on)
		}
	}
	for _, f := range c.findings(c.newer, is, c.older, was) {
		on := subject(name, f.path)
		switch f.kind {
		case findType:
			c.note("%s may also be %v", on, f.a)
		case findValue:
			if f.a == nil {
				c.note("%s may now be any value", on)
			} else {
				c.note("%s may also be %s", on, written(f.a))
			}
		case findLimit:
			c.note("%s: %s", on, limitText(f, f.a, f.b))
		case findRequired:
			c.note("%s is no longer required", on)
		case findUnknown, findRefused:
			c.note("%s is new", on)
		case findMore:
			c.note("%s has more changes, which are not listed", on)
		}
	}
}

// response records the changes of the schema of a value that clients receive. The messages begin with
// name, such as "the body".
func (c *comparison) response(name string, was, is any) {
	back := c.findings(c.older, was, c.newer, is)
	gone := map[string]bool{}
	for _, f := range back {
		if f.kind == findUnknown || f.kind == findRefused {
			gone[f.path] = true
		}
	}
	for _, f := range c.findings(c.newer, is, c.older, was) {
		on := subject(name, f.path)
		switch f.kind {
		case findType:
			c.breaks("%s may now be %v", on, f.a)
		case findValue:
			if f.a == nil {
				c.breaks("%s may now have other values than %s", on, values(f.b))
			} else {
				c.breaks("%s may now be %s", on, written(f.a))
			}
		case findLimit:
			if f.keyword == "format" || f.keyword == "contentEncoding" {
				c.breaks("%s: %s", on, limitText(f, f.a, f.b))
			} else {
				c.note("%s: %s", on, limitText(f, f.a, f.b))
			}
		case findRequired:
			if gone[f.path] {
				c.breaks("%s was removed", on)
				delete(gone, f.path)
			} else {
				c.breaks("%s may now be missing", on)
			}
		case findUnknown, findRefused:
			c.note("%s is new", on)
		case findOdd:
			c.note("%s has the keyword %s, which is not compared", on, f.keyword)
		case findMore:
			c.breaks("%s has more changes, which are not listed", on)
		}
	}
	for _, f := range back {
		on := subject(name, f.path)
		switch f.kind {
		case findType:
			c.note("%s is no longer %v", on, f.a)
		case findValue:
			if f.a != nil {
				c.note("%s is no longer %s", on, written(f.a))
			}
		case findRequired:
			c.note("%s is now always present", on)
		case findUnknown, findRefused:
			if gone[f.path] {
				c.note("%s, which was optional, was removed", on)
			}
		case findMore:
			c.note("%s has more changes, which are not listed", on)
		}
	}
}

func subject(name, path string) string {
	if path == "" {
		return name
	}
	return name + ": " + path
}

func written(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if len(text) > 60 {
		text = append(text[:60:60], "…"...)
	}
	return string(text)
}

func values(v any) string {
	var all []string
	for _, one := range list(v) {
		all = append(all, written(one))
	}
	if len(all) > 8 {
		all = append(all[:8], "…")
	}
	return strings.Join(all, ", ")
}

// findings returns the reasons why some values of schema a are not values of schema b.
func (c *comparison) findings(from *document, a any, to *document, b any) []finding {
	p := pairing{comparison: c, from: from, to: to, known: map[[2]uintptr][]finding{}}
	var all []finding
	met := map[string]bool{}
	for _, f := range p.subset(schemas(a), schemas(b)) {
		if key := fmt.Sprint(f.path, f.kind, f.keyword, written(f.a)); !met[key] {
			met[key] = true
			all = append(all, f)
		}
	}
	return all
}

func schemas(v any) *schemaList {
	if v == nil {
		return nil
	}
	return &schemaList{all: []any{v}}
}

// pointer returns a number that identifies a schema, or 0 unless the list has exactly one schema, which is an object. A
// reference has the number of its target.
func (d *document) pointer(s *schemaList) uintptr {
	if s == nil || len(s.all) != 1 {
		return 0
	}
	m, ok := s.all[0].(map[string]any)
	for n := 0; ok && n < 50 && len(m) == 1 && m["$ref"] != nil; n++ {
		target := d.target(text(m["$ref"]))
		if target == nil {
			break
		}
		m = target
	}
	if ok {
		return reflect.ValueOf(m).Pointer()
	}
	return 0
}

func (p *pairing) subset(a, b *schemaList) []finding {
	if p.steps++; p.tangled() || p.depth > maxDepth || b == nil {
		return nil
	}
	key := [2]uintptr{p.from.pointer(a), p.to.pointer(b)}
	memo := key[0] != 0 && key[1] != 0
	if memo {
		if known, ok := p.known[key]; ok {
			return known
		}
		p.known[key] = nil // assume that a recursive schema matches
	}
	p.depth++
	defer func() { p.depth-- }()
	var found []finding
	var theirs []*variant
	others := p.to.variants(b)
	for _, w := range others {
		theirs = append(theirs, w.split()...)
	}
	mine := p.from.variants(a)
	for _, v := range mine {
		for _, one := range v.split() {
			found = limited(append(found, p.best(one, theirs, len(mine) > 1 || len(others) > 1)...))
		}
	}
	if memo {
		p.known[key] = found
	}
	return found
}

// best compares a variant with the most similar variant in others.
func (p *pairing) best(v *variant, others []*variant, several bool) []finding {
	var best []finding
	some, named := false, false
	for _, w := range others {
		if !fits(v, w) {
			continue
		}
		if p.steps++; p.tangled() {
			return nil
		}
		found := limited(p.variant(v, w))
		if len(found) == 0 {
			return nil
		}
		same := v.label != "" && v.label == w.label
		if !some || same && !named || same == named && len(found) < len(best) {
			best, named = found, same
		}
		some = true
	}
	if !some || several && v.label != "" && !named && !slices.ContainsFunc(others, func(w *variant) bool { return w.label == "" && fits(v, w) }) {
		return []finding{{kind: findType, a: v.name()}}
	}
	return best
}

// name describes the kind of value of a variant.
func (v *variant) name() string {
	switch {
	case v.label != "":
		return "a " + v.label
	case len(v.types) == 0:
		return "anything"
	case v.types[0] == "":
		return "a value of an unknown type"
	case v.types[0] == "null":
		return "null"
	case strings.IndexByte("aeiou", v.types[0][0]) >= 0:
		return "an " + v.types[0]
	}
	return "a " + v.types[0]
}

func fits(v, w *variant) bool {
	return w.types == nil || len(v.types) == 1 && (v.types[0] == w.types[0] || v.types[0] == "integer" && w.types[0] == "number")
}

func (v *variant) is(name string) bool { return v.types == nil || v.types[0] == name }

// variant returns the reasons why some values of v are not values of w. The caller has checked that
// the type of w includes the type of v.
func (p *pairing) variant(v, w *variant) (found []finding) {
	switch {
	case w.enum == nil:
	case v.enum == nil && !v.is("null"):
		found = append(found, finding{kind: findValue, b: w.enum})
	default:
		for _, e := range v.enum {
			if !slices.ContainsFunc(w.enum, func(f any) bool { return reflect.DeepEqual(e, f) }) {
				found = append(found, finding{kind: findValue, a: e, b: w.enum})
			}
		}
	}
	if v.enum == nil {
		for _, name := range slices.Sorted(maps.Keys(w.limits)) {
			if a, b := v.limits[name], w.limits[name]; !within(name, a, b) {
				found = append(found, finding{kind: findLimit, keyword: name, a: first(a), b: first(b)})
			}
		}
	}
	for _, name := range w.odd {
		if !slices.Equal(v.odd, w.odd) || p.from != p.to {
			found = append(found, finding{kind: findOdd, keyword: name})
		}
	}
	if v.is("array") && w.items != nil && (v.items != nil || v.types != nil) {
		found = append(found, p.beneath("[]", p.subset(v.items, w.items))...)
	}
	if v.is("object") {
		found = append(found, p.object(v, w)...)
	}
	return found
}

func first(values []any) any {
	if len(values) == 0 {
		return nil
	}
	return values[0]
}

// beneath adds step to the start of the paths of findings: the findings about a member become findings
// about the object. Once all paths together exceed maxPaths, a finding of the kind findMore replaces
// the remaining findings.
func (p *pairing) beneath(step string, found []finding) []finding {
	out := make([]finding, 0, len(found))
	for _, f := range found {
		f.path = step + f.path
		if p.paths += 16 + len(f.path); p.paths > maxPaths {
			return append(out, finding{kind: findMore})
		}
		out = append(out, f)
	}
	return out
}

// limited returns found. If the list is longer than maxFindings, limited returns its first elements
// and a finding of the kind findMore.
func limited(found []finding) []finding {
	if len(found) <= maxFindings {
		return found
	}
	return append(found[:maxFindings-1:maxFindings-1], finding{kind: findMore})
}

// object returns the findings for the members of two objects.
func (p *pairing) object(v, w *variant) (found []finding) {
	for _, name := range w.required {
		if !slices.Contains(v.required, name) {
			found = append(found, finding{path: "." + name, kind: findRequired})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.properties)) {
		mine := v.properties[name]
		if mine.never {
			continue
		}
		theirs, ok := w.properties[name]
		if !ok {
			theirs = w.others
		}
		switch {
		case ok || theirs != nil && !theirs.never:
			if found = append(found, p.beneath("."+name, p.subset(mine, theirs))...); len(found) > maxFindings {
				return found
			}
		case theirs != nil:
			found = append(found, finding{path: "." + name, kind: findRefused})
		default:
			found = append(found, finding{path: "." + name, kind: findUnknown})
		}
	}
	switch {
	case w.others == nil || v.others != nil && v.others.never:
	case w.others.never:
		found = append(found, finding{kind: findLimit, keyword: "additionalProperties", b: false})
	case v.others != nil || len(v.properties) == 0 && v.types != nil:
		found = append(found, p.beneath("[*]", p.subset(v.others, w.others))...)
	}
	return found
}
