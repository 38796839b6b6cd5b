package jsonpath

import (
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// A Pattern is a compiled regular expression of [Match] or [Search].
type Pattern struct {
	regexp *regexp.Regexp
	states int // of the automaton: the steps for one byte of text
}

const (
	maxPattern = 1024   // the maximum length of a regular expression in bytes
	maxStates  = 10_000 // the maximum number of its states
)

var (
	errPattern = errors.New("not a regular expression of RFC 9485")
	errStates  = errors.New("the regular expression is too large")
)

// Compile compiles a regular expression of RFC 9485 (I-Regexp). f is [Match], for which the expression must match the
// whole text, or [Search]. An expression has at most 1024 bytes and 10,000 states, and a repetition has at most 1000
// copies. Outside of classes ^ and $ are the start and the end of the text, as in the compliance suite of RFC 9535.
func Compile(f Function, text string) (*Pattern, error) {
	translated, ok := translate(text)
	if !ok {
		return nil, errPattern
	}
	if f == Match {
		translated = `\A(?:` + translated + `)\z`
	}
	parsed, err := syntax.Parse(translated, syntax.Perl)
	if err != nil {
		return nil, err
	}
	states := statesOf(parsed)
	if states > maxStates {
		return nil, errStates
	}
	compiled, err := regexp.Compile(translated)
	if err != nil {
		return nil, err
	}
	return &Pattern{compiled, states}, nil
}

// statesOf returns a number that the states of an expression do not exceed, or a number above maxStates.
func statesOf(x *syntax.Regexp) int {
	n := 2
	if x.Op == syntax.OpLiteral {
		n += len(x.Rune)
	}
	for _, part := range x.Sub {
		n += statesOf(part)
	}
	if x.Op == syntax.OpRepeat {
		n *= max(x.Min, x.Max, 1)
	}
	return min(n, maxStates+1)
}

// Matches reports whether p matches text.
func (p *Pattern) Matches(text string) bool { return p.regexp.MatchString(text) }

// States returns the size of p, as a number of states.
func (p *Pattern) States() int { return p.states }

// Cost returns the greatest number of steps of [Pattern.Matches] for a text of n bytes.
func (p *Pattern) Cost(n int) int { return int(min(int64(p.states)*int64(n+1), math.MaxInt32)) }

// translate returns a regular expression of Go. ok is false if text is not an expression of RFC 9485.
func translate(text string) (_ string, ok bool) {
	if len(text) > maxPattern || !utf8.ValidString(text) {
		return "", false
	}
	var out strings.Builder
	open := 0        // the number of open parentheses
	repeats := false // a quantifier may follow
	for i := 0; i < len(text); {
		c := text[i]
		n := 1 // the length of this part of text
		atom := true
		switch c {
		case '(':
			open++
			atom = false
			out.WriteString("(?:")
		case ')':
			if open--; open < 0 {
				return "", false
			}
			out.WriteByte(c)
		case '|':
			atom = false
			out.WriteByte(c)
		case '*', '+', '?':
			if !repeats {
				return "", false
			}
			atom = false
			out.WriteByte(c)
		case '{':
			if n = quantifier(text[i:]); n == 0 || !repeats {
				return "", false
			}
			atom = false
			out.WriteString(text[i : i+n])
		case '.':
			out.WriteString(`[^\n\r]`)
		case '\\':
			if n = escapeLen(text[i:]); n == 0 {
				return "", false
			}
			out.WriteString(text[i : i+n])
		case '[':
			if n = class(&out, text[i:]); n == 0 {
				return "", false
			}
		case ']', '}':
			return "", false
		default:
			out.WriteByte(c)
		}
		i += n
		repeats = atom
	}
	return out.String(), open == 0
}

// quantifier returns the length of a quantifier in braces at the start of text, or 0.
func quantifier(text string) int {
	end := strings.IndexByte(text, '}')
	if end < 0 {
		return 0
	}
	low, high, _ := strings.Cut(text[1:end], ",")
	if low == "" || !areDigits(low) || !areDigits(high) {
		return 0
	}
	return end + 1
}

func areDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }

// escapeLen returns the length of an escape at the start of text, or 0.
func escapeLen(text string) int {
	if len(text) < 2 {
		return 0
	}
	switch c := text[1]; {
	case strings.IndexByte(`()*+-.?[\]^nrt{|}`, c) >= 0:
		return 2
	case c == 'p' || c == 'P':
		end := strings.IndexByte(text, '}')
		if end < 0 || text[2] != '{' || !isCategory(text[3:end]) {
			return 0
		}
		return end + 1
	}
	return 0
}

// categories has the second letters of general categories of Unicode, by the first.
var categories = map[byte]string{'L': "lmotu", 'M': "cen", 'N': "dlo", 'P': "cdefios", 'S': "ckmo", 'Z': "lps", 'C': "cfno"}

func isCategory(name string) bool {
	if name == "" || len(name) > 2 {
		return false
	}
	second, known := categories[name[0]]
	return known && (len(name) == 1 || strings.IndexByte(second, name[1]) >= 0)
}

// class appends the class in brackets at the start of text to out, and returns its length in text, or 0 if it is not
// valid.
func class(out *strings.Builder, text string) int {
	i := 1
	out.WriteByte('[')
	if strings.HasPrefix(text[i:], "^") {
		i++
		out.WriteByte('^')
	}
	first := i
	for i < len(text) && text[i] != ']' {
		if text[i] == '-' { // only as the first or the last character
			if i > first && !strings.HasPrefix(text[i:], "-]") {
				return 0
			}
			out.WriteString(`\-`)
			i++
			continue
		}
		n, isSet := classCharacter(text[i:])
		if n == 0 {
			return 0
		}
		appendClassCharacter(out, text[i:i+n])
		i += n
		if isSet || !strings.HasPrefix(text[i:], "-") || strings.HasPrefix(text[i:], "-]") {
			continue
		}
		i++ // a range
		if n, isSet = classCharacter(text[i:]); n == 0 || isSet {
			return 0
		}
		out.WriteByte('-')
		appendClassCharacter(out, text[i:i+n])
		i += n
	}
	if i >= len(text) || i == first {
		return 0
	}
	out.WriteByte(']')
	return i + 1
}

// classCharacter returns the length of the character or escape at the start of text, or 0. isSet reports whether it is
// the escape of a category.
func classCharacter(text string) (n int, isSet bool) {
	if text == "" || strings.IndexByte("-[]", text[0]) >= 0 {
		return 0, false
	}
	if text[0] == '\\' {
		n = escapeLen(text)
		return n, n > 2
	}
	_, n = utf8.DecodeRuneInString(text)
	return n, false
}

// appendClassCharacter appends what classCharacter has read. Go gives a caret a meaning.
func appendClassCharacter(out *strings.Builder, text string) {
	if text == "^" {
		out.WriteByte('\\')
	}
	out.WriteString(text)
}
