package jsonpath

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
)

const (
	// maxNesting is the maximum number of parentheses, filters and calls in each other.
	maxNesting = 100

	maxInteger = 1<<53 - 1 // the largest index (RFC 9535, section 2.1)

	maxQuery = 1 << 16 // the maximum length of a query in bytes
)

// A SyntaxError says why a text is not a query.
type SyntaxError struct {
	Query  string
	Offset int // in bytes
	Reason string
}

// Error returns the query, the position of the error and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("JSONPath %.100q: at byte %d: %s", e.Query, e.Offset, e.Reason)
}

// Parse returns the query of a text. The error is a [*SyntaxError].
func Parse(text string) (q *Query, err error) {
	p := parser{text: text}
	defer func() {
		if fault := recover(); fault != nil {
			err = fault.(*SyntaxError) // another panic is a fault of this package
		}
	}()
	switch {
	case len(text) > maxQuery:
		p.fail("the query has more than %d bytes", maxQuery)
	case !utf8.ValidString(text):
		p.fail("the query is not UTF-8")
	}
	if !p.accept("$") {
		p.fail("a query begins with $")
	}
	q = p.query(false)
	if p.pos < len(text) {
		p.fail("unexpected %s after the query", p.shown())
	}
	return q, nil
}

// A parser reads a query from left to right. Its methods panic with a [*SyntaxError].
type parser struct {
	text    string
	pos     int
	nesting int
}

func (p *parser) fail(format string, args ...any) {
	p.failAt(p.pos, format, args...)
}

func (p *parser) failAt(pos int, format string, args ...any) {
	panic(&SyntaxError{p.text, pos, fmt.Sprintf(format, args...)})
}

// shown returns the next character for an error.
func (p *parser) shown() string {
	if p.pos == len(p.text) {
		return "end"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return strconv.QuoteRune(r)
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) accept(text string) bool {
	if !strings.HasPrefix(p.text[p.pos:], text) {
		return false
	}
	p.pos += len(text)
	return true
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail("unexpected %s instead of %q", p.shown(), text)
	}
}

func (p *parser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\n\r", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// nested calls read one level deeper.
func (p *parser) nested(read func()) {
	if p.nesting++; p.nesting > maxNesting {
		p.fail("more than %d parentheses, filters and calls in each other", maxNesting)
	}
	read()
	p.nesting--
}

// query reads the segments of a query.
func (p *parser) query(relative bool) *Query {
	q := &Query{Relative: relative, Singular: true}
	for {
		before := p.pos
		p.space()
		s, ok := p.segment()
		if !ok {
			p.pos = before // white space after the query is not part of it
			return q
		}
		q.Segments = append(q.Segments, s)
		q.Singular = q.Singular && !s.Descendants && len(s.Selectors) == 1 && (s.Selectors[0].Kind == Name || s.Selectors[0].Kind == Index)
	}
}

func (p *parser) segment() (s Segment, ok bool) {
	switch {
	case p.accept(".."):
		s.Descendants = true
		if p.peek() == '[' {
			s.Selectors = p.brackets()
			return s, true
		}
	case p.accept("."):
	case p.peek() == '[':
		s.Selectors = p.brackets()
		return s, true
	default:
		return s, false
	}
	if p.accept("*") {
		s.Selectors = []Selector{{Kind: Wildcard}}
	} else {
		s.Selectors = []Selector{{Name: p.name()}}
	}
	return s, true
}

// name reads a name without quotes.
func (p *parser) name() string {
	start := p.pos
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c >= utf8.RuneSelf, p.pos > start && isDigit(c):
			p.pos++
			continue
		}
		break
	}
	if p.pos == start {
		p.fail("unexpected %s instead of a name or *", p.shown())
	}
	return p.text[start:p.pos]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// brackets reads selectors in brackets.
func (p *parser) brackets() (list []Selector) {
	p.expect("[")
	for {
		p.space()
		list = append(list, p.selector())
		p.space()
		if p.accept("]") {
			return list
		}
		p.expect(",")
	}
}

func (p *parser) selector() (s Selector) {
	switch c := p.peek(); {
	case c == '"' || c == '\'':
		return Selector{Name: p.quoted()}
	case p.accept("*"):
		return Selector{Kind: Wildcard}
	case p.accept("?"):
		s.Kind = Filter
		p.space()
		p.nested(func() { s.Filter = p.or() })
		return s
	case c != ':' && c != '-' && !isDigit(c):
		p.fail("unexpected %s instead of a selector", p.shown())
	case c != ':':
		if s.Index = p.integer(); !p.isColon() {
			s.Kind = Index
			return s
		}
		s.Start, s.HasStart, s.Index = s.Index, true, 0
	}
	s.Kind, s.Step = Slice, 1
	p.space()
	p.expect(":")
	p.space()
	if c := p.peek(); c == '-' || isDigit(c) {
		s.End, s.HasEnd = p.integer(), true
	}
	if p.isColon() {
		p.space()
		p.expect(":")
		before := p.pos
		if p.space(); p.peek() == '-' || isDigit(p.peek()) {
			s.Step = p.integer()
		} else {
			p.pos = before
		}
	}
	return s
}

// isColon reports whether a colon follows, perhaps after white space.
func (p *parser) isColon() bool {
	before := p.pos
	p.space()
	c := p.peek()
	p.pos = before
	return c == ':'
}

// integer reads an index or a part of a slice.
func (p *parser) integer() int64 {
	start := p.pos
	p.accept("-")
	p.digits()
	text := p.text[start:p.pos]
	v, err := strconv.ParseInt(text, 10, 64)
	switch {
	case text[0] == '0' && len(text) > 1 || strings.HasPrefix(text, "-0"):
		p.failAt(start, "the integer begins with an unneeded zero")
	case err != nil || v > maxInteger || v < -maxInteger:
		p.failAt(start, "the integer is not between -(2^53-1) and 2^53-1")
	}
	return v
}

// digits reads at least one digit.
func (p *parser) digits() {
	start := p.pos
	for isDigit(p.peek()) {
		p.pos++
	}
	if p.pos == start {
		p.fail("unexpected %s instead of a digit", p.shown())
	}
}

// quoted reads a string.
func (p *parser) quoted() string {
	start := p.pos
	quote := p.peek()
	p.pos++
	var out strings.Builder
	for {
		c := p.peek()
		switch {
		case p.pos == len(p.text):
			p.failAt(start, "the string does not end")
		case c == quote:
			p.pos++
			return out.String()
		case c < ' ':
			p.fail("a string must not have the control character %s", p.shown())
		case c == '\\':
			out.WriteRune(p.escape(quote))
		default:
			out.WriteByte(c)
			p.pos++
		}
	}
}

// escapes are the escapes of one letter, and escaped their meanings.
const (
	escapes = `bfnrt/\`
	escaped = "\b\f\n\r\t/\\"
)

// escape reads an escape in a string.
func (p *parser) escape(quote byte) rune {
	start := p.pos
	p.pos++
	c := p.peek()
	p.pos++
	if c == quote {
		return rune(quote)
	}
	if i := strings.IndexByte(escapes, c); i >= 0 {
		return rune(escaped[i])
	}
	if c == 'u' {
		switch r := p.hex(); {
		case r < 0xd800 || r > 0xdfff:
			return r
		case r < 0xdc00 && p.accept(`\u`):
			if low := p.hex(); low >= 0xdc00 && low <= 0xdfff {
				return 0x10000 + (r-0xd800)<<10 + low - 0xdc00
			}
		}
		p.failAt(start, "half of a surrogate pair")
	}
	p.failAt(start, "unknown escape in a string")
	return 0
}

// hex reads the four digits of an escape.
func (p *parser) hex() rune {
	end := min(p.pos+4, len(p.text))
	v, err := strconv.ParseUint(p.text[p.pos:end], 16, 16)
	if err != nil || end-p.pos < 4 {
		p.fail(`\u must be followed by four hexadecimal digits`)
	}
	p.pos = end
	return rune(v)
}

// or reads expressions with || between them.
func (p *parser) or() Logical {
	return p.list("||", func() Logical { return p.list("&&", p.basic, and) }, or)
}

func or(list []Logical) Logical  { return Or(list) }
func and(list []Logical) Logical { return And(list) }

// list reads expressions with an operator between them.
func (p *parser) list(operator string, read func() Logical, join func([]Logical) Logical) Logical {
	list := []Logical{read()}
	for {
		before := p.pos
		if p.space(); !p.accept(operator) {
			p.pos = before
			break
		}
		p.space()
		list = append(list, read())
	}
	if len(list) == 1 {
		return list[0]
	}
	return join(list)
}

// basic reads an expression without && and ||.
func (p *parser) basic() (x Logical) {
	if p.accept("!") {
		p.space()
		if p.accept("(") {
			return Not{p.parentheses()}
		}
		start := p.pos
		return Not{p.test(start, p.operand())}
	}
	if p.accept("(") {
		return p.parentheses()
	}
	start := p.pos
	left := p.operand()
	before := p.pos
	p.space()
	at := slices.IndexFunc(operators, func(o Operator) bool { return p.accept(string(o)) })
	if at < 0 && p.peek() == '=' {
		p.fail("unexpected '=': values are compared with ==")
	}
	if at < 0 {
		p.pos = before
		return p.test(start, left)
	}
	p.space()
	p.checkValue(start, left)
	right := p.pos
	c := Comparison{Left: left, Right: p.operand(), Op: operators[at]}
	p.checkValue(right, c.Right)
	return c
}

// parentheses reads an expression in parentheses, after the first one.
func (p *parser) parentheses() (x Logical) {
	p.space()
	p.nested(func() { x = p.or() })
	p.space()
	p.expect(")")
	return x
}

// test returns the expression that x is if it is not compared.
func (p *parser) test(start int, x Operand) Logical {
	switch x := x.(type) {
	case *Query:
		return Exists{x}
	case *Call:
		if x.Function.IsLogical() {
			return x
		}
		p.failAt(start, "the result of %s must be compared", x.Function)
	}
	p.failAt(start, "a literal must be compared")
	return nil
}

// checkValue fails if x cannot be compared, or be an argument for a value.
func (p *parser) checkValue(start int, x Operand) {
	switch x := x.(type) {
	case *Query:
		if !x.Singular {
			p.failAt(start, "the query may select several nodes, and a value is needed")
		}
	case *Call:
		if x.Function.IsLogical() {
			p.failAt(start, "the result of %s is not a value", x.Function)
		}
	}
}

// operand reads a literal, a query or a call.
func (p *parser) operand() (x Operand) {
	switch c := p.peek(); {
	case c == '"' || c == '\'':
		return Literal{IsString: true, Text: p.quoted()}
	case c == '-' || isDigit(c):
		return p.number()
	case p.accept("$"):
		return p.query(false)
	case p.accept("@"):
		return p.query(true)
	}
	start := p.pos
	for c := p.peek(); c >= 'a' && c <= 'z' || p.pos > start && (c == '_' || isDigit(c)); c = p.peek() {
		p.pos++
	}
	word := p.text[start:p.pos]
	if p.accept("(") {
		p.nested(func() { x = p.call(start, Function(word)) })
		return x
	}
	switch word {
	case "true", "false", "null":
		return Literal{Text: word}
	case "":
		p.fail("unexpected %s in an expression", p.shown())
	}
	p.failAt(start, "unexpected word %.30q in an expression", word)
	return nil
}

// call reads the arguments of a call, after the first parenthesis.
func (p *parser) call(start int, f Function) *Call {
	parameters, known := signatures[f]
	if !known {
		p.failAt(start, "unknown function %.30q", string(f))
	}
	c := &Call{Function: f}
	for i, parameter := range parameters {
		if p.space(); i > 0 {
			p.expect(",")
			p.space()
		}
		at := p.pos
		x := p.operand()
		if _, isQuery := x.(*Query); parameter == nodes && !isQuery {
			p.failAt(at, "the argument of %s must be a query", f)
		} else if parameter == values {
			p.checkValue(at, x)
		}
		c.Arguments = append(c.Arguments, x)
	}
	p.space()
	p.expect(")")
	return c
}

// number reads a number.
func (p *parser) number() (x Literal) {
	start := p.pos
	p.accept("-")
	if !p.accept("0") {
		p.digits()
	}
	if p.accept(".") {
		p.digits()
	}
	if p.accept("e") || p.accept("E") {
		if !p.accept("-") {
			p.accept("+")
		}
		p.digits()
	}
	x.Text = p.text[start:p.pos]
	x.Float, x.Integer, x.Whole = Number([]byte(x.Text))
	return x
}

// Number returns the value of a JSON number: as a float64, which is an infinity if the number is out of range, and as
// an int64 if whole is set.
func Number(text []byte) (float float64, integer int64, whole bool) {
	integer, whole = syntax.ParseInt(text, 0, len(text))
	float, ok := syntax.ParseFloat(text, 0, len(text))
	if !ok {
		float = math.Inf(1)
		if text[0] == '-' {
			float = math.Inf(-1)
		}
	}
	return float, integer, whole
}
