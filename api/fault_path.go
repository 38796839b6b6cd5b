package api

import (
	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/shape"
)

// locatedPath returns the path of an error of decoding data, such as ".items[3].price", and "" if the
// error has no position.
func locatedPath(data []byte, err error) string {
	at, _ := json.Locate(data, err)
	return path.Shorten(at.Path, maxPath)
}

// maxPath is the maximum length in bytes of a path in a problem.
const maxPath = 1 << 10

// jsonPath converts the path of a [wire.DecodeError], such as ".Items[3].Price", to the
// fields' names in JSON: ".items[3].price". The path ends where JSON has no name for the
// next step.
func jsonPath(s *shape.Shape, goPath string) string {
	named := ""     // the result so far
	embedding := "" // the embedded structs of s entered since the last named step
	for goPath != "" {
		for (s.Kind == shape.Pointer || s.Kind == shape.Option) && !s.Endless() {
			s = s.Elem
		}
		step, name, rest, isName := path.First(goPath)
		goPath = rest
		switch {
		case step == "[key]" && s.Kind == shape.Map:
			named, s = named+step, s.Key
		case s.Kind == shape.Map && isName:
			named, s = named+path.Name(name), s.Elem
		case s.Kind == shape.Map && len(step) > 1 && step[len(step)-1] == ']' && step != "[…]": // a number, which JSON writes as a string
			named, s = named+path.Name(step[1:len(step)-1]), s.Elem
		case !isName && s.Elem != nil:
			named, s = named+step, s.Elem
		case isName && s.Kind == shape.Struct:
			embedding += step
			for _, m := range s.Members() {
				if m.GoPath() == embedding {
					named, s, embedding = named+path.Name(m.Name), m.Field.Shape, ""
					break
				}
			}
		default:
			return named
		}
	}
	return named
}
