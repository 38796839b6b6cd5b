package api

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/shape"
)

// pointerPath converts a JSON Pointer to a path, such as ".items[3].price". The path ends where
// s does not have the member.
func pointerPath(s *shape.Shape, pointer jsontext.Pointer) string {
	path := ""
	for step := range pointer.Tokens() {
		for s != nil && (s.Kind == shape.Pointer || s.Kind == shape.Option) {
			s = s.Elem
		}
		switch {
		case s == nil:
			return path
		case s.Kind == shape.Slice || s.Kind == shape.Array:
			path, s = path+"["+step+"]", s.Elem
		case s.Kind == shape.Map:
			path, s = path+"["+strconv.Quote(step)+"]", s.Elem
		case s.Kind == shape.Struct && s.Union == nil:
			members := s.Members()
			i := slices.IndexFunc(members, func(m shape.Member) bool { return m.Name == step })
			if i < 0 {
				return path
			}
			path, s = path+"."+step, members[i].Field.Shape
		default:
			return path
		}
	}
	return path
}

// jsonPath converts the path of a [wire.DecodeError], such as ".Items[3].Price", to the
// fields' names in JSON: ".items[3].price". The path ends where JSON has no name for the
// next step.
func jsonPath(s *shape.Shape, path string) string {
	named := ""     // the result so far
	embedding := "" // the embedded structs of s entered since the last named step
	for path != "" {
		for s.Kind == shape.Pointer || s.Kind == shape.Option {
			s = s.Elem
		}
		end := stepLen(path)
		step := path[:end]
		path = path[end:]
		switch {
		case step == "[key]" && s.Kind == shape.Map:
			named, s = named+step, s.Key
		case step[0] == '[' && s.Elem != nil:
			named, s = named+step, s.Elem
		case step[0] == '.' && s.Kind == shape.Struct:
			embedding += step
			for _, m := range s.Members() {
				if m.GoPath() == embedding {
					named, s, embedding = named+"."+m.Name, m.Field.Shape, ""
					break
				}
			}
		default:
			return named
		}
	}
	return named
}

// wholePaths reports whether the path of a [json.UnmarshalTypeError] is complete, including map
// keys and indexes. This is the case since Go 1.27.
var wholePaths = sync.OnceValue(func() bool {
	var mismatch *json.UnmarshalTypeError
	return errors.As(json.Unmarshal([]byte(`["x"]`), new([]int)), &mismatch) && mismatch.Field != ""
})

// memberPath converts the path of a [json.UnmarshalTypeError], such as "items.Base.price" or
// "items.3.price", to ".items.price" or ".items[3].price". The result omits embedded
// structs, whose Go names the error includes. The path ends where s does not have the member.
func memberPath(s *shape.Shape, path string) string {
	if path == "" {
		return ""
	}
	step, rest, _ := strings.Cut(path, ".")
	switch {
	case !wholePaths() || s.Held() != nil:
	case s.Union != nil: // the cases of a union are steps of the path
		path = rest
	case s.Kind == shape.Slice || s.Kind == shape.Array:
		return "[" + step + "]" + memberPath(s.Elem, rest)
	case s.Kind == shape.Map:
		return "[" + strconv.Quote(step) + "]" + memberPath(s.Elem, rest)
	case s.Kind == shape.Struct:
		for _, m := range s.Members() {
			if rest, ok := strings.CutPrefix(path, m.Name); ok && (rest == "" || rest[0] == '.') {
				return "." + m.Name + memberPath(m.Field.Shape, strings.TrimPrefix(rest, "."))
			}
		}
		return ""
	}
	if s.Union != nil {
		for _, held := range s.Union.Cases {
			if held.Elem != nil {
				if named := memberPath(held.Elem, path); named != "" {
					return named
				}
			}
		}
		return ""
	}
	if s.Kind != shape.Struct {
		if s.Elem == nil {
			return ""
		}
		return memberPath(s.Elem, path)
	}
	for _, m := range s.Members() {
		embedding := m.GoPath()[1:]
		embedding = embedding[:strings.LastIndexByte(embedding, '.')+1]
		if rest, ok := strings.CutPrefix(path, embedding+m.Name); ok && (rest == "" || rest[0] == '.') {
			return "." + m.Name + memberPath(m.Field.Shape, strings.TrimPrefix(rest, "."))
		}
	}
	return ""
}

// stepLen returns the length of the first step of a path: ".Name", "[3]", or
// "[" and a quoted key and "]".
func stepLen(path string) int {
	if quoted, err := strconv.QuotedPrefix(path[1:]); err == nil {
		return min(len(quoted)+2, len(path))
	}
	if i := strings.IndexAny(path[1:], ".["); i >= 0 {
		return 1 + i
	}
	return len(path)
}
