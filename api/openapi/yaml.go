package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// YAML returns the document in YAML 1.2 (https://yaml.org/spec/1.2.2), with its members in
// the order of [Document.JSON].
func (d *Document) YAML() ([]byte, error) {
	text, err := d.JSON()
	if err != nil {
		return nil, err
	}
	y := yamlWriter{d: json.NewDecoder(bytes.NewReader(text))}
	y.d.UseNumber()
	if err := y.value(0, true); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return y.out, nil
}

// A yamlWriter writes JSON as YAML in block style.
type yamlWriter struct {
	d   *json.Decoder
	out []byte
}

// value writes the next value. Its lines are indented by indent spaces. first is set if the value is at the start
// of the document, or follows a dash and its space. Otherwise it follows a name and a colon.
func (y *yamlWriter) value(indent int, first bool) error {
	t, err := y.d.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		return y.block(t == '{', indent, first)
	case string:
		if !first {
			y.out = append(y.out, ' ')
		}
		y.text(t, indent)
	default:
		if !first {
			y.out = append(y.out, ' ')
		}
		if t == nil {
			t = "null"
		}
		y.out = fmt.Append(y.out, t)
	}
	y.out = append(y.out, '\n')
	return nil
}

// block writes the members of an object, or the elements of an array.
func (y *yamlWriter) block(object bool, indent int, first bool) error {
	if !y.d.More() {
		if !first {
			y.out = append(y.out, ' ')
		}
		y.out = append(y.out, map[bool]string{true: "{}\n", false: "[]\n"}[object]...)
		_, err := y.d.Token()
		return err
	}
	if !first {
		y.out = append(y.out, '\n')
	}
	for n := 0; y.d.More(); n++ {
		if n > 0 || !first {
			y.out = append(y.out, strings.Repeat(" ", indent)...)
		}
		if !object {
			y.out = append(y.out, "- "...)
			if err := y.value(indent+2, true); err != nil {
				return err
			}
			continue
		}
		name, err := y.d.Token()
		if err != nil {
			return err
		}
		y.scalar(name.(string))
		y.out = append(y.out, ':')
		if err := y.value(indent+2, false); err != nil {
			return err
		}
	}
	_, err := y.d.Token()
	return err
}

// text writes a string value, as a block scalar if it has several lines and YAML allows it.
func (y *yamlWriter) text(s string, indent int) {
	lines := strings.Split(s, "\n")
	last := len(lines) - 1
	if last == 0 || lines[0] == "" || last == 1 && lines[1] == "" || slices.ContainsFunc(lines, func(line string) bool {
		return !printable(line) || strings.Trim(line, " \t") != line && (line[0] == '\t' || strings.TrimRight(line, " \t") != line)
	}) || lines[0][0] == ' ' || lines[last] == "" && lines[last-1] == "" {
		y.scalar(s)
		return
	}
	y.out = append(y.out, '|')
	if lines[last] == "" {
		lines = lines[:last]
	} else {
		y.out = append(y.out, '-')
	}
	for _, line := range lines {
		y.out = append(y.out, '\n')
		if line != "" {
			y.out = append(append(y.out, strings.Repeat(" ", indent)...), line...)
		}
	}
}

// scalar writes a string in one line. It is quoted unless it is unambiguous without quotes.
func (y *yamlWriter) scalar(s string) {
	if plain(s) {
		y.out = append(y.out, s...)
		return
	}
	y.out = append(y.out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			y.out = append(y.out, '\\', byte(r))
		case r == '\n':
			y.out = append(y.out, `\n`...)
		case r == '\t':
			y.out = append(y.out, `\t`...)
		case isPrintable(r):
			y.out = utf8.AppendRune(y.out, r)
		case r > 0xffff:
			y.out = fmt.Appendf(y.out, `\U%08X`, r)
		default:
			y.out = fmt.Appendf(y.out, `\u%04X`, r)
		}
	}
	y.out = append(y.out, '"')
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !isPrintable(r) })
}

// isPrintable reports whether YAML allows r unescaped within a line. Line ends that only YAML 1.1
// recognizes are not allowed.
func isPrintable(r rune) bool {
	return r >= ' ' && r < 0x7f || r >= 0xa0 && r <= 0xd7ff && r != 0x2028 && r != 0x2029 ||
		r >= 0xe000 && r < 0xfffd && r != 0xfeff || r >= 0x10000 && r <= 0x10ffff && r&0xfffe != 0xfffe
}

// plain reports whether every version of YAML reads s, written without quotes, as the string
// s.
func plain(s string) bool {
	if s == "" || s != strings.TrimSpace(s) || strings.HasSuffix(s, ":") {
		return false
	}
	c := s[0]
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	if !letter && c != '/' && c != '$' && c != '_' || s == "_" {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', strings.IndexByte("_-./{}()$+,;=@*'!?%<>", c) >= 0:
		case c == ' ' && s[i+1] != '#' && s[i-1] != ':':
		case c == ':' && s[i+1] != ' ':
		default:
			return false
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	_, err := strconv.ParseFloat(s, 64) // YAML readers treat such strings as numbers, for example inf
	return err != nil
}
