package bind

import (
	"net/url"

	"github.com/hone-go/hone/shape"
)

// A folded value was sent under a name that differs from a field's name only in case.
type folded struct {
	n     int // index of the first field whose name differs from the sent name only in case
	value string
	class byteClass
}

// maxFolded is the maximum number of bytes in a key for each byte of the name that the key matches: the Kelvin
// sign, which has three bytes, matches k.
const maxFolded = 3

// find returns the index of the field that matches a key of a raw query or form, or -1.
func (s *scan) find(key string, escaped bool) (n int, exact bool) {
	if !escaped {
		return s.fields.find(key)
	}
	if len(key) > len("%00")*maxFolded*s.longest {
		return -1, false // too long for any name, even if every byte is escaped
	}
	decoded, err := url.QueryUnescape(key)
	if err != nil {
		return -1, false
	}
	return s.fields.find(decoded)
}

// find returns the index of the field whose name is key. If there is none, find returns the index of the first
// field whose name differs from key only in case, or -1.
func (fs *fields) find(key string) (n int, exact bool) {
	if len(key) > maxFolded*fs.longest {
		return -1, false // too long for any name
	}
	return shape.Find(&fs.names, key)
}
