package shape

import (
	"fmt"
	"strings"
)

// Wire is what the tag wire of a field says: how package wire writes it.
type Wire struct {
	Skip  bool // the field is not written
	Fixed bool // its integers have their full width
}

// Wire reads the tag wire of f. The error says what is wrong with the tag.
func (f *Field) Wire() (w Wire, err error) {
	name, option, _ := strings.Cut(f.tag.Get("wire"), ",")
	switch {
	case name == "-" && option == "":
		return Wire{Skip: true}, nil
	case name != "":
		return w, fmt.Errorf("the tag names the field %q; fields have no names on the wire", name)
	case option == "fixed":
		return Wire{Fixed: true}, nil
	case option != "":
		return w, fmt.Errorf("the tag has an unknown option %q", option)
	}
	return w, nil
}
