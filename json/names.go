package json

import "github.com/hone-go/hone/internal/mem"

// A nameText is the name of a field, ready to be compared with text by the word.
type nameText struct {
	text  string
	first uint64 // the first eight bytes, the first in the lowest place
	mask  uint64 // of those that there are
	last  uint64 // the last eight bytes, if there are as many
}

func nameTextOf(text string) nameText {
	n := nameText{text: text}
	for i := range min(len(text), 8) {
		n.first |= uint64(text[i]) << (8 * i)
		n.mask |= 0xff << (8 * i)
	}
	if len(text) >= 8 {
		n.last = mem.Word(text, len(text)-8)
	}
	return n
}
