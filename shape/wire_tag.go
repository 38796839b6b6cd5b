package shape

import (
	"errors"
	"fmt"
	"strings"
)

// Wire is the content of a field's wire tag, which controls how package wire encodes the field.
type Wire struct {
	Skip   bool     // the field is not encoded
	Fixed  bool     // integers are encoded with their full width
	Varint bool     // 8-bit integers are encoded as varints
	Was    []string // former names of the field
}

// Zero reports whether the tag is empty.
func (w *Wire) Zero() bool { return !w.Skip && !w.Fixed && !w.Varint && w.Was == nil }

// Wire parses the wire tag of f. The error reports an invalid tag.
func (f *Field) Wire() (w Wire, err error) {
	name, options, more := strings.Cut(f.tag.Get("wire"), ",")
	switch {
	case name == "-" && options == "":
		return Wire{Skip: true}, nil
	case name != "":
		return w, fmt.Errorf("the tag names the field %q, but fields have no names in the encoding", name)
	case !more || options == "":
		return w, nil
	}
	for option := range strings.SplitSeq(options, ",") {
		was, renamed := strings.CutPrefix(option, "was=")
		switch {
		case option == "fixed":
			w.Fixed = true
		case option == "varint":
			w.Varint = true
		case renamed && was == "":
			return w, errors.New("the tag option was= has no name")
		case renamed && was == f.Name:
			return w, fmt.Errorf("the tag option was=%s is the field's current name", was)
		case renamed:
			w.Was = append(w.Was, was)
		default:
			return w, fmt.Errorf("the tag has an unknown option %q; the options are fixed, varint and was", option)
		}
	}
	if w.Fixed && w.Varint {
		return w, errors.New("the tag has both options fixed and varint, which exclude each other")
	}
	return w, nil
}
