package locate

import (
	"unicode"
	"unicode/utf8"
)

const (
	before   = 48  // the maximum number of characters of Text before the position
	most     = 80  // the maximum number of characters of Text
	mostPath = 120 // the maximum number of characters of the path in String
)

// place computes the line, the column and the text from the offset.
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
		// "…" replaces the first character.
		shown = append(shown, '…')
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
