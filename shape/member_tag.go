package shape

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Casing determines how a member's name is compared with names in JSON text.
type Casing uint8

const (
	CaseDefault Casing = iota // set by the options of the call
	CaseIgnore                // ignoring case
	CaseStrict                // exactly
	caseBoth                  // an error
)

// optionNames are the options that a json tag may contain.
var optionNames = []string{"case", "embed", "omitzero", "omitempty", "string", "format"}

// parseMember parses the json tag of a field by the grammar of encoding/json/v2. tagged says that
// the field has the tag. skip reports that the field is not a member. parseMember returns the first
// error in the tag, but parses the rest of the tag too.
func parseMember(f *Field, tag string, tagged bool) (m Member, skip bool, err error) {
	fail := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf("Go struct field "+f.Name+" "+format, args...)
		}
	}
	if tag == "-" {
		return m, true, nil
	}
	if !f.Exported && !f.Embedded {
		if tagged {
			err = fmt.Errorf("unexported Go struct field %s cannot have non-ignored `json:%q` tag", f.Name, tag)
		}
		return m, true, err
	}
	m.Name = f.Name
	if tag != "" && tag[0] != ',' {
		end := strings.IndexAny(tag, ",\\'\"`")
		if end < 0 {
			end = len(tag)
		}
		name, bad := tag[:end], error(nil)
		if end < len(tag) && tag[end] != ',' {
			name, end, bad = tagOption(tag, false)
			if bad != nil {
				fail("has malformed `json` tag: %v", bad)
			}
		}
		if !utf8.ValidString(name) {
			fail("has JSON object name %q with invalid UTF-8", name)
			name = string([]rune(name))
		}
		if bad == nil {
			m.Name, m.tagged = name, true
		}
		tag = tag[end:]
	}
	m.parseOptions(tag, fail)
	return m, false, err
}

// parseOptions parses the options after the name.
func (m *Member) parseOptions(tag string, fail func(format string, args ...any)) {
	seen := map[string]bool{}
	last := false
	for tag != "" {
		if tag[0] != ',' {
			fail("has malformed `json` tag: invalid character %q before next option (expecting ',')", tag[0])
		} else if tag = tag[1:]; tag == "" {
			fail("has malformed `json` tag: invalid trailing ',' character")
			break
		}
		option, n, err := tagOption(tag, false)
		if err != nil {
			fail("has malformed `json` tag: %v", err)
		}
		raw := tag[:n]
		tag = tag[n:]
		switch {
		case last:
			fail("has `format` tag option that was not specified last")
		case strings.HasPrefix(raw, "'") && strings.TrimFunc(option, isTagLetter) == "":
			fail("has unnecessarily quoted appearance of `%s` tag option; specify `%s` instead", raw, option)
		}
		switch option {
		case "case":
			tag = m.parseCase(tag, fail)
		case "embed":
			m.embed = true
		case "omitzero":
			m.OmitZero, m.hasOptions = true, true
		case "omitempty":
			m.OmitEmpty, m.hasOptions = true, true
		case "string":
			m.String, m.hasOptions = true, true
		case "format":
			value, rest, ok := tagValue(tag, "`format` tag option", fail)
			tag = rest
			if ok && value == "" {
				fail("cannot have empty value for `format` tag option")
			} else if ok {
				m.Format, m.hasOptions, last = value, true, true
			}
		default:
			plain := strings.ReplaceAll(strings.ToLower(option), "_", "")
			for _, known := range optionNames {
				if plain == known {
					fail("has invalid appearance of `%s` tag option; specify `%s` instead", option, known)
				}
			}
		}
		switch {
		case m.Case == caseBoth:
			fail("cannot have both `case:ignore` and `case:strict` tag options")
		case seen[option]:
			fail("has duplicate appearance of `%s` tag option", raw)
		}
		seen[option] = true
	}
	if m.Case == caseBoth {
		m.Case = CaseIgnore // if the tag has both options, v2 applies case:ignore
	}
}

// parseCase parses the value of the tag option "case" and returns the rest of the tag.
func (m *Member) parseCase(tag string, fail func(format string, args ...any)) string {
	if !strings.HasPrefix(tag, ":") {
		fail("is missing value for `case` tag option; specify `case:ignore` or `case:strict` instead")
		return tag
	}
	value, n, err := tagOption(tag[1:], false)
	if err != nil {
		fail("has malformed value for `case` tag option: %v", err)
		return tag[1:]
	}
	raw := tag[1 : 1+n]
	switch value {
	case "ignore":
		m.Case |= CaseIgnore
	case "strict":
		m.Case |= CaseStrict
	default:
		fail("has unknown `case:%s` tag value", raw)
		return tag[1+n:]
	}
	m.hasOptions = true
	return tag[1+n:]
}

// tagValue parses the value of an option: a colon, followed by an identifier or a quoted string. It
// returns the value and the rest of the tag. If the value is invalid, it calls fail, and ok is
// false.
func tagValue(tag, what string, fail func(format string, args ...any)) (value, rest string, ok bool) {
	if !strings.HasPrefix(tag, ":") {
		fail("is missing value for %s", what)
		return "", tag, false
	}
	value, n, err := tagOption(tag[1:], true)
	if err != nil {
		fail("has malformed value for %s: %v", what, err)
		return "", tag[1:], false
	}
	if value == "" {
		return "", tag[1:], true
	}
	return value, tag[1+n:], true
}

// tagOption parses an identifier, or a single-quoted string if quoted is set. n is its length in
// bytes. If there is an error, option is the text before the next comma.
func tagOption(in string, quoted bool) (option string, n int, err error) {
	end := strings.IndexByte(in, ',')
	if end < 0 {
		end = len(in)
	}
	r, _ := utf8.DecodeRuneInString(in)
	switch {
	case in == "":
		return "", 0, io.ErrUnexpectedEOF
	case r == '_' || unicode.IsLetter(r):
		n := len(in) - len(strings.TrimLeftFunc(in, isTagLetter))
		return in[:n], n, nil
	case r == '\'' && quoted:
		return quotedOption(in, end)
	case quoted:
		return in[:end], end, fmt.Errorf("invalid character %q at start of option (expecting Unicode letter or single quote)", r)
	}
	return in[:end], end, fmt.Errorf("invalid character %q at start of option (expecting Unicode letter)", r)
}

// quotedOption parses a single-quoted string with Go escapes.
func quotedOption(in string, end int) (option string, n int, err error) {
	b := []byte{'"'}
	for n = 1; n < len(in); n++ {
		switch c := in[n]; {
		case c == '\\' && n+1 < len(in) && in[n+1] == '\'':
			n++
			b = append(b, '\'')
		case c == '\\' && n+1 < len(in):
			n++
			b = append(b, c, in[n])
		case c == '"':
			b = append(b, '\\', '"')
		case c == '\'':
			text, err := strconv.Unquote(string(append(b, '"')))
			if err != nil {
				return in[:end], end, fmt.Errorf("invalid single-quoted string: %s", in[:n+1])
			}
			return text, n + 1, nil
		default:
			b = append(b, c)
		}
	}
	//lint:ignore ST1005 the text is the standard library's
	return in[:end], end, fmt.Errorf("single-quoted string not terminated: %s...", in[:min(len(in), 10)])
}

func isTagLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// Unknown returns the `unknown` tag of a blank field of a struct type, such as
//
//	_ struct{} `unknown:"refused"`
//
// The tag selects how unknown members are handled: "refused" or "ignored". Without the tag the
// result is "", and the handler that uses the type decides.
func (s *Shape) Unknown() string {
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Name == "_" {
			if says := f.tag.Get("unknown"); says != "" {
				return says
			}
		}
	}
	return ""
}

// ReadOnly reports whether the field is tagged readOnly:"true". A server sends such a field but
// does not accept it.
func (f *Field) ReadOnly() bool { return f.tag.Get("readOnly") == "true" }

// WriteOnly reports whether the field is tagged writeOnly:"true". A server accepts such a field but
// does not send it.
func (f *Field) WriteOnly() bool { return f.tag.Get("writeOnly") == "true" }

// Default returns the `default` tag, which is the value of an absent member or parameter, and
// reports whether f has the tag. A string, a time or a duration is written as plain text. The
// elements of a slice are separated by commas. Other values are JSON.
func (f *Field) Default() (text string, ok bool) { return f.tag.Lookup("default") }

// Example returns the `example` tag, which has the format of the `default` tag, and reports whether
// f has the tag.
func (f *Field) Example() (text string, ok bool) { return f.tag.Lookup("example") }

// checkFlags checks the tags whose values are true or false.
func (f *Field) checkFlags() error {
	for _, tag := range []string{"required", "readOnly", "writeOnly", "uniqueItems"} {
		if text, ok := f.tag.Lookup(tag); ok && text != "true" && text != "false" {
			return f.TagError(tag, errors.New("the value must be true or false"))
		}
	}
	if f.ReadOnly() && f.WriteOnly() {
		return f.TagError("readOnly", errors.New("the field is also tagged writeOnly"))
	}
	return nil
}
