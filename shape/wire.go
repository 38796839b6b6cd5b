package shape

import (
	"errors"
	"fmt"
	"strings"
)

// Wire is what the tag wire of a field says: how package wire writes it.
type Wire struct {
	Skip   bool     // the field is not written
	Fixed  bool     // its integers have their full width
	Varint bool     // its 8-bit integers are varints
	Was    []string // names that the field had before
}

// Zero reports whether the tag says nothing.
func (w *Wire) Zero() bool { return !w.Skip && !w.Fixed && !w.Varint && w.Was == nil }

// Wire reads the tag wire of f. The error says what is wrong with the tag.
func (f *Field) Wire() (w Wire, err error) {
	name, options, more := strings.Cut(f.tag.Get("wire"), ",")
	switch {
	case name == "-" && options == "":
		return Wire{Skip: true}, nil
	case name != "":
		return w, fmt.Errorf("the tag names the field %q; fields have no names on the wire", name)
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
			return w, errors.New("the tag option was= has no name behind it")
		case renamed && was == f.Name:
			return w, fmt.Errorf("the tag says that the field was %s, which is its name", was)
		case renamed:
			w.Was = append(w.Was, was)
		default:
			return w, fmt.Errorf("the tag has an unknown option %q", option)
		}
	}
	if w.Fixed && w.Varint {
		return w, errors.New("the tag has the options fixed and varint, of which one can hold")
	}
	return w, nil
}
