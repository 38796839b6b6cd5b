package shape

import (
	"reflect"
	"slices"
	"strings"
)

// A Source is the part of a request that a value comes from.
type Source string

// The sources, in the order in which a field with several of them is set: the
// last that has a value wins.
const (
	FromPath   Source = "path"
	FromHeader Source = "header"
	FromCookie Source = "cookie"
	FromQuery  Source = "query"
	FromForm   Source = "form"
)

// sourceTags are the tags that name a source. Of two tags for one source the
// first that names something counts.
var sourceTags = []struct {
	source Source
	tags   []string
}{
	{FromPath, []string{"param", "path"}}, {FromHeader, []string{"header"}}, {FromCookie, []string{"cookie"}},
	{FromQuery, []string{"query"}}, {FromForm, []string{"form"}},
}

// A Param is a field that is set from one source of a request. A field that
// names several sources is a Param of each.
type Param struct {
	Place
	Source Source
	Name   string // canonical for a header
}

// A Request says how the fields of a struct are set from a request.
type Request struct {
	Params []Param // in the order of declaration, and for one field in that of the sources
	Bodies []Place // fields tagged body: there should be at most one
	// Untagged lists the exported fields that no tag gives a source. A struct
	// among them that is no pointer is looked into for more Params, as are
	// embedded structs, which are not in the list.
	Untagged []Place
}

// Request returns where the fields of a struct type come from. It is worked out
// once and shared. The struct is not looked into where it embeds itself.
func (s *Shape) Request() *Request {
	s.request.once.Do(func() {
		s.request.of = new(Request)
		s.request.of.add(area{shape: s}, []*Shape{s}, nil)
	})
	return s.request.of
}

// paramUnmarshaler is for types that read a parameter in a way of their own.
var paramUnmarshaler = reflect.TypeFor[interface{ UnmarshalParam(param string) error }]()

// add lists the fields of a, which lies inside the structs of the given types,
// for all sources but those that a field on the way has named already.
func (r *Request) add(a area, inside []*Shape, named []Source) {
	for i := range a.shape.Fields {
		p := a.place(i)
		f := p.Field
		own := f.sources()
		for _, s := range own {
			if s.Name != "-" && !slices.Contains(named, s.Source) {
				s.Place = p
				r.Params = append(r.Params, s)
			}
		}
		if _, body := f.BodyTypes(); body {
			r.Bodies = append(r.Bodies, p)
			continue
		}
		target := f.inner()
		if len(own) == 0 && f.Exported && (target == nil || !f.Embedded) {
			r.Untagged = append(r.Untagged, p)
		}
		if target != nil && !slices.Contains(inside, target) {
			without := slices.Clip(named)
			for _, s := range own {
				without = append(without, s.Source)
			}
			r.add(p.within(target), append(slices.Clip(inside), target), without)
		}
	}
}

// inner returns the struct in f that is looked into for more parameters, or nil.
// One that is not embedded has to be exported and no pointer.
func (f *Field) inner() *Shape {
	s := f.embedded()
	if s == nil && f.Exported {
		s = f.Shape
	}
	if s == nil || s.Kind != Struct || s == f.Shape && reflect.PointerTo(s.Type).Implements(paramUnmarshaler) {
		return nil
	}
	return s
}

// sources reads the tags of f that name sources. A name of "-" keeps the field
// out of that source.
func (f *Field) sources() (list []Param) {
	for _, from := range sourceTags {
		for _, tag := range from.tags {
			value, _ := f.tag.Lookup(tag)
			name, _, _ := strings.Cut(value, ",")
			if name == "" {
				continue
			}
			if from.source == FromHeader {
				name = canonicalHeader(name)
			}
			list = append(list, Param{Source: from.source, Name: name})
			break
		}
	}
	return list
}

// canonicalHeader writes the name of a header as net/http does, which this
// package does not link: letters in lower case, but for the first of each word.
// A name that HTTP does not allow stays as it is.
func canonicalHeader(name string) string {
	out := []byte(name)
	first := true
	for i, c := range out {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		switch {
		case letter && first:
			out[i] = c &^ 0x20
		case letter:
			out[i] = c | 0x20
		case (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0:
			return name
		}
		first = c == '-'
	}
	return string(out)
}

// BodyTypes returns the media types that the tag body lists, in lower case, and
// reports whether f has that tag.
func (f *Field) BodyTypes() (types []string, ok bool) {
	tag, ok := f.tag.Lookup("body")
	for one := range strings.SplitSeq(tag, ",") {
		if one = strings.ToLower(strings.TrimSpace(one)); one != "" {
			types = append(types, one)
		}
	}
	return types, ok
}

// Format returns the tag format: the layout of a time that is a parameter, or
// the form of a string.
func (f *Field) Format() string { return f.tag.Get("format") }

// Doc returns the tag doc, which describes the field in API documents.
func (f *Field) Doc() string { return f.tag.Get("doc") }
