package stream

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
)

var (
	errMissingValue = errors.New("missing value after object name")
	// ErrMaxDepth is the cause of a [SyntacticError] for text that is nested deeper than MaxDepth.
	ErrMaxDepth     = errors.New("exceeded max depth")
	errMismatch     = errors.New("mismatching structural token for object or array")
	errInvalidToken = errors.New("invalid jsontext.Token")

	// ErrInvalidUTF8 is the cause of a [SyntacticError] for invalid UTF-8.
	ErrInvalidUTF8 = errors.New("invalid UTF-8")
)

// A numberError reports a token that cannot be converted to the requested number type.
type numberError struct {
	method, text string
	err          error
}

func (e *numberError) Error() string {
	return "jsontext.Token(" + e.text + ")." + e.method + " error: " + e.err.Error()
}
func (e *numberError) Unwrap() error { return e.err }

// A textError reports unexpected text. label says which kind of text it is, content is the text
// itself, and place describes the place in the grammar, such as "after array value".
type textError struct{ label, content, place string }

func (e *textError) Error() string {
	content := e.content
	switch {
	case utf8.RuneCountInString(content) == 1:
		content = QuoteRune([]byte(content))
	case strings.ContainsFunc(content, func(r rune) bool {
		return r == '`' || r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r)
	}):
		content = strconv.Quote(content)
	default:
		content = "`" + content + "`"
	}
	return "invalid " + e.label + " " + content + " " + e.place
}

// badCharacter returns the error for an unexpected first character of text.
func badCharacter(text []byte, where string) error {
	_, n := utf8.DecodeRune(text)
	return &textError{"character", string(text[:n]), where}
}

// badEscape returns the error for an invalid escape.
func badEscape(text []byte) error {
	label := "escape sequence"
	if len(text) > len(`\u0000`) {
		label = "surrogate pair"
	}
	return &textError{label, string(text), "in string"}
}

// stringError returns the error for a problem at position n of the string at the start of text, or
// nil if there is no problem.
func stringError(text []byte, n int, p syntax.Problem) error {
	text = text[n:]
	switch p.Kind {
	case syntax.NoProblem:
		return nil
	case syntax.BadEscape:
		return badEscape(text[:p.Size])
	case syntax.BadUTF8:
		return ErrInvalidUTF8
	}
	if n == 0 {
		return badCharacter(text, `at start of string (expecting '"')`)
	}
	return badCharacter(text, "in string (expecting non-control character)")
}

// QuoteRune returns the first character of b in quotes.
func QuoteRune(b []byte) string {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n == 1 {
		return `'\x` + strconv.FormatUint(uint64(b[0]), 16) + `'`
	}
	return strconv.QuoteRune(r)
}

// syntactic returns err as a SyntacticError at an offset. With the option for legacy errors,
// syntactic adds the length of the invalid text to the offset: the length of the text in a
// textError, 0 if the input has ended, and 1 for any other error.
func syntactic(set *option.Set, err error, offset int64, pointer []byte) error {
	if set.Has(option.ReportErrorsWithLegacySemantics) && err != io.ErrUnexpectedEOF {
		if t, ok := err.(*textError); ok {
			offset += int64(len(t.content))
		} else {
			offset++
		}
	}
	return &SyntacticError{ByteOffset: offset, JSONPointer: Pointer(pointer), Err: err}
}

// Syntactic returns err as a SyntacticError at an offset. With the option for legacy errors, it
// moves the offset to the end of the invalid text.
func Syntactic(set *option.Set, err error, offset int64, pointer Pointer) error {
	return syntactic(set, err, offset, []byte(pointer))
}

// ShortPointer returns the JSON pointer s. If s is longer than 100 bytes, an ellipsis replaces the
// middle, so the result is only for error messages.
func ShortPointer(s string) string {
	const most = 100
	if len(s) <= most {
		return s
	}
	i, j := most/2, len(s)-most/2
	if k := strings.LastIndexByte(s[:i], '/'); k > 0 {
		i = k // cut between names if possible
	}
	if k := strings.IndexByte(s[j:], '/'); k >= 0 {
		j += k + 1
	}
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	for j < len(s) && !utf8.RuneStart(s[j]) {
		j++
	}
	middle := "…"
	switch strings.Count(s[i:j], "/") {
	case 0:
	case 1:
		middle = "…/…"
	default:
		middle = "…/…/…"
	}
	if strings.HasPrefix(s[i:j], "/") && middle != "…" {
		middle = strings.TrimPrefix(middle, "…")
	}
	if strings.HasSuffix(s[i:j], "/") && middle != "…" {
		middle = strings.TrimSuffix(middle, "…")
	}
	return s[:i] + middle + s[j:]
}
