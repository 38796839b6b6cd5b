package shape

import (
	"reflect"
	"slices"
	"strings"
)

// A Source is the part of a request that a value comes from.
type Source string

// The sources, in the order in which they set a field. The last source with a value wins.
const (
	FromPath   Source = "path"
	FromHeader Source = "header"
	FromCookie Source = "cookie"
	FromQuery  Source = "query"
	FromForm   Source = "form"
)

// sources are the sources in the order in which they set a field.
var sources = [...]Source{FromPath, FromHeader, FromCookie, FromQuery, FromForm}

// A sourceNames has the name that a field's tags give to each of the sources, or "".
type sourceNames [len(sources)]string

// A Param is a field that is set from one source of a request. A field with several sources has
// several Params.
type Param struct {
	Place
	Source Source
	Name   string // canonical for a header
}

// A Request describes how the fields of a struct are set from a request.
type Request struct {
	Params []Param // in the order of declaration, then in the order of sources
	Bodies []Place // fields with a `body` tag; there should be at most one
	// Untagged lists the exported fields without a source. A struct is not in the list if it is
	// embedded, or if it has Params or Bodies inside: its fields are then in the lists instead. A
	// struct that a field points to is only searched if it is embedded.
	Untagged []Place
}

// Request describes how the fields of a struct type are set. The result is computed once and
// shared. A struct that contains itself is not searched again.
func (s *Shape) Request() *Request {
	s.request.once.Do(func() {
		s.request.of = new(Request)
		s.request.of.add(area{shape: s}, []*Shape{s}, sourceNames{}, "")
	})
	return s.request.of
}

// A ParamUnmarshaler parses a parameter differently from other text. A ParamsUnmarshaler parses all values
// of a parameter at once.
type (
	ParamUnmarshaler  interface{ UnmarshalParam(param string) error }
	ParamsUnmarshaler interface{ UnmarshalParams(params []string) error }
)

var paramUnmarshaler = reflect.TypeFor[ParamUnmarshaler]()

// ParamsOf returns the Params of one source, in the order of declaration. Unlike the result of Request,
// they are computed by each call.
func (s *Shape) ParamsOf(source Source) []Param {
	var r Request
	r.add(area{shape: s}, []*Shape{s}, sourceNames{}, source)
	return r.Params
}

// add adds the fields of a. enclosing are the types that enclose a. named has the names that the
// tags of enclosing fields give to sources. add skips the tags of inner fields for these sources. If
// only is set, add ignores the tags of all other sources.
func (r *Request) add(a area, enclosing []*Shape, named sourceNames, only Source) {
	for i := range a.shape.Fields {
		f := &a.shape.Fields[i]
		own := f.sourceNames(only)
		target := f.inner()
		if only != "" && target == nil && own == (sourceNames{}) {
			continue // saves the memory of its Place
		}
		p := a.place(i)
		if own != (sourceNames{}) {
			r.Params = slices.Grow(r.Params, len(a.shape.Fields)-i)
		}
		for s, name := range own {
			if name != "" && name != "-" && named[s] == "" {
				r.Params = append(r.Params, Param{Place: p, Source: sources[s], Name: name})
			}
		}
		if _, body := f.BodyTypes(); body {
			r.Bodies = append(r.Bodies, p)
			continue
		}
		untagged, listed, found := own == (sourceNames{}), len(r.Untagged), len(r.Params)+len(r.Bodies)
		if target != nil && !slices.Contains(enclosing, target) {
			for s, name := range named {
				if own[s] == "" {
					own[s] = name
				}
			}
			r.add(p.within(target), append(slices.Clip(enclosing), target), own, only)
		}
		if untagged && f.Exported && (target == nil || !f.Embedded) && found == len(r.Params)+len(r.Bodies) {
			r.Untagged = append(r.Untagged[:listed], p)
		}
	}
}

// inner returns the struct in f to search for more parameters, or nil. If f is not embedded, it
// must be exported and not a pointer.
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

// sourceNames parses the tags of f that name sources. If only is not "", it parses only the tags
// for this source. The name "-" excludes the field from the source. The tag of a path parameter is
// param or path. If a field has both tags, the first one with a name applies.
func (f *Field) sourceNames(only Source) (names sourceNames) {
	if f.tag == "" {
		return names
	}
	for s, source := range sources {
		if only != "" && source != only {
			continue
		}
		if source == FromPath {
			names[s] = f.tagName("param")
		}
		if names[s] == "" {
			names[s] = f.tagName(string(source))
		}
		if source == FromHeader {
			names[s] = canonicalHeader(names[s])
		}
	}
	return names
}

// Spelling returns the name of the parameter as the tag spells it, such as ETag for a header field whose Name is
// Etag.
func (p *Param) Spelling() string {
	if p.Source == FromHeader {
		return p.Field.tagName(string(FromHeader))
	}
	return p.Name
}

// tagName returns the text of a tag before the first comma.
func (f *Field) tagName(tag string) string {
	name, _, _ := strings.Cut(f.tag.Get(tag), ",")
	return name
}

// canonicalHeader returns the canonical form of a header name: lower case, except for the first
// letter of each word. A name that HTTP does not allow is returned unchanged. The function
// exists because this package does not import net/http.
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

// BodyTypes returns the media types in the `body` tag, in lower case, and reports whether f has the
// tag.
func (f *Field) BodyTypes() (types []string, ok bool) {
	tag, ok := f.tag.Lookup("body")
	for one := range strings.SplitSeq(tag, ",") {
		if one = strings.ToLower(strings.TrimSpace(one)); one != "" {
			types = append(types, one)
		}
	}
	return types, ok
}

// Format returns the `format` tag: the layout or the format of a time parameter, or the format of a
// string.
func (f *Field) Format() string { return f.tag.Get("format") }

// Doc returns the `doc` tag, the description of the field in API documents.
func (f *Field) Doc() string { return f.tag.Get("doc") }
