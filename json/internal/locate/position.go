// Package locate says where in a text the error of decoding it is, for packages json and v2.
package locate

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Position is where in a text an error is.
type Position struct {
	Offset  int    // bytes in front of it
	Line    int    // from 1; lines end in \n, \r\n or \r
	Column  int    // from 1, in characters (code points), of which a tab is one
	Pointer string // the JSON pointer (RFC 6901) to the value; "" for the whole text
	Path    string // the same as Go would write it, such as .items[3].price

	// Text is what the line has around the place, 80 characters at most: "…" stands for
	// what is left out, a space for a tab, U+FFFD for what cannot be printed.
	Text string
	// Caret is the number of characters of Text in front of the place.
	Caret int
}

const (
	before   = 48 // characters in front of the place in Text
	most     = 80 // characters of Text
	mostPath = 120
)

// String returns line, column and path, the text of the line, and a caret below the place:
//
//	line 3, column 12, .items[3].price
//		"price": "a lot",
//		         ^
//
// It has some 300 characters at most. It shows a part of the text: where that is secret,
// use Line, Column and perhaps Path.
func (p Position) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "line %d, column %d", p.Line, p.Column)
	if p.Path != "" {
		b.WriteString(", " + lastOf(p.Path))
	}
	fmt.Fprintf(&b, "\n\t%s\n\t%s^", p.Text, strings.Repeat(" ", p.Caret))
	return b.String()
}

// lastOf returns the end of a path that is too long.
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

// place sets line, column and text by the offset.
func (p *Position) place(data []byte) {
	p.Line = 1
	start := 0
	for i, c := range data[:p.Offset] {
		if c == '\n' || c == '\r' && (i+1 == len(data) || data[i+1] != '\n') {
			p.Line++
			start = i + 1
		}
	}
	p.Column = utf8.RuneCount(data[start:p.Offset]) + 1
	var shown []rune
	from, count := p.Offset, 0
	for from > start && count < before {
		_, size := utf8.DecodeLastRune(data[start:from])
		from -= size
		count++
	}
	if from > start {
		shown = append(shown, '…') // for the character in front, which makes room for it
		_, size := utf8.DecodeRune(data[from:])
		from += size
	}
	p.Caret = count
	for rest := data[from:]; len(rest) > 0 && rest[0] != '\n' && rest[0] != '\r'; {
		c, size := utf8.DecodeRune(rest)
		if len(shown) == most {
			shown[most-1] = '…'
			break
		}
		shown = append(shown, printable(c))
		rest = rest[size:]
	}
	p.Text = string(shown)
}

func printable(c rune) rune {
	switch {
	case c == '\t':
		return ' '
	case !unicode.IsPrint(c):
		return utf8.RuneError
	}
	return c
}
