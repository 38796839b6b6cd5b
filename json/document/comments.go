package document

import "bytes"

// blankComments replaces the comments of a text by spaces, and the commas after the last element of an array
// and the last member of an object. Line ends in comments stay. It leaves other mistakes as they are, and
// stops at a comment without an end.
func blankComments(text []byte) {
	var last byte // the last byte that is neither white space nor in a comment
	comma := -1   // the position of a comma after a value, if last is one
	for i := 0; i < len(text); {
		c := text[i]
		if isSpace(c) {
			i++
			continue
		}
		if n := commentLength(text[i:]); n > 0 {
			blank(text[i : i+n])
			i += n
			continue
		}
		if c == '/' {
			return // a comment without an end: the text is not valid
		}
		i++
		switch c {
		case '"':
			i = stringEnd(text, i)
		case ',':
			if comma = -1; last != 0 && bytes.IndexByte([]byte("[{,:"), last) < 0 {
				comma = i - 1
			}
		case ']', '}':
			if last == ',' && comma >= 0 {
				text[comma] = ' '
			}
		}
		last = c
	}
}

// commentLength returns the length of the comment with which a text starts, or 0.
func commentLength(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		if n := bytes.IndexAny(text, "\n\r"); n >= 0 {
			return n
		}
		return len(text)
	case bytes.HasPrefix(text, []byte("/*")):
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
	}
	return 0
}

// blank replaces all bytes except line ends by spaces.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// stringEnd returns the position after the string whose content starts at i, or the length of the text.
func stringEnd(text []byte, i int) int {
	for i < len(text) {
		switch text[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
		i++
	}
	return len(text)
}

// text returns a part of the text with its comments.
func (d *Document) text(start, end int) []byte {
	if d.commented != nil {
		return d.commented[start:end:end]
	}
	return d.data[start:end:end]
}
