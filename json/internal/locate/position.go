// Package locate finds the position of a decoding error in the JSON text, for packages json and v2.
//
// In errors of encoding/json the meaning of the offset depends on the error and on the release. A
// [Position] has a line, a column and a path instead. [Error] reads the text from the start as a
// stream of tokens, and compares each token with the error. Decoding records nothing for this
// purpose. Start with locate.go; walk.go reads the tokens, error_path.go writes the path, line_and_column.go
// finds the line and the column, and position.go formats a position.
package locate

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Position is the position of an error in a JSON text.
type Position struct {
	Offset  int    // in bytes, from 0
	Line    int    // from 1; lines end in \n, \r\n or \r
	Column  int    // from 1, in characters (code points); a tab is one
	Pointer string // the JSON pointer (RFC 6901) to the value; "" for the whole text
	Path    string // the same path in Go's syntax, such as .items[3].price

	// Text is the part of the line around the position, at most 80 characters. "…" stands for
	// omitted characters, a space for a tab, and U+FFFD for a character that is not printable.
	Text string
	// Caret is the number of characters in Text before the position.
	Caret int
}

// String returns the line, the column and the path, then the text of the line, and a caret under
// the position:
//
//	line 3, column 12, .items[3].price
//		"price": "a lot",
//		         ^
//
// The result has at most about 300 characters and contains a part of the JSON text. If the JSON is
// secret, use only Line, Column and perhaps Path.
func (p Position) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "line %d, column %d", p.Line, p.Column)
	if p.Path != "" {
		b.WriteString(", " + lastOf(p.Path))
	}
	fmt.Fprintf(&b, "\n\t%s\n\t%s^", p.Text, strings.Repeat(" ", p.Caret))
	return b.String()
}

// lastOf returns the path. If the path is too long, it returns only its end.
func lastOf(path string) string {
	n := utf8.RuneCountInString(path)
	if n <= mostPath {
		return path
	}
	for range n - mostPath + 1 {
		_, size := utf8.DecodeRuneInString(path)
		path = path[size:]
	}
	return "…" + path
}
