package schema

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/path"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/wire/internal/fault"
)

// The causes of errors about JSON.
var (
	errSyntax   = errors.New("not JSON")
	errText     = errors.New("not a valid JSON string")
	errMember   = errors.New("a member that the schema does not have")
	errTwice    = errors.New("a duplicate member")
	errMissing  = errors.New("a member is missing")
	errTrailing = errors.New("data after the value")
	errNumber   = errors.New("not an integer")
	errBase64   = errors.New("not base64")
	errBigText  = errors.New("neither an integer of at most 20 decimal digits nor 0x and hexadecimal digits")
	errFloat    = errors.New("not a number, NaN, Infinity or -Infinity")
	errNaN      = errors.New("not the bits of a NaN")
	errTimeText = errors.New("not an RFC 3339 time, optionally with the name of a zone in brackets")
)

// A jsonParser reads the JSON of values by a schema, which determines the JSON that is valid at
// each position. At a fault its methods panic with a *DecodeError.
type jsonParser struct {
	walk
	in  []byte
	pos int
}

// firstValue reads the value at p.pos. Other text may follow it.
func (p *jsonParser) firstValue() (v any, err error) {
	d := decoder{}
	err = d.run(func() { v = p.value(p.schema.Type) })
	return v, err
}

// whole reads a value, which must be the whole text.
func (p *jsonParser) whole() (any, error) {
	v, err := p.firstValue()
	if err != nil {
		return nil, err
	}
	if p.pos = p.start(); p.pos < len(p.in) {
		return nil, &DecodeError{Offset: p.pos, Err: errTrailing}
	}
	return v, nil
}

func (p *jsonParser) fail(pos int, cause error) {
	panic(&DecodeError{Offset: pos, Path: p.pathText(), Err: cause})
}

// value reads the JSON of a value of t with the functions of its kind.
func (p *jsonParser) value(t *Type) any {
	t, row, cause := p.enter(t)
	if cause != nil {
		p.fail(p.pos, cause)
	}
	v := row.parse(p, t)
	p.leave(t, row)
	return v
}

// start returns the offset of the next token.
func (p *jsonParser) start() int { return syntax.SkipSpace(p.in, p.pos) }

// rawOptional reads the JSON of a raw value, which need not be in canonical form.
func (p *jsonParser) rawOptional(t *Type) any {
	p.raws++
	v := p.optional(t)
	p.raws--
	return v
}

func (p *jsonParser) elements(t *Type) any {
	out := []any{}
	p.list(func(i int) {
		p.push("", i)
		out = append(out, p.value(t.Elem))
		p.pop()
	})
	return out
}

func (p *jsonParser) array(t *Type) any {
	at := p.start()
	out := p.elements(t)
	if n := len(out.([]any)); n != t.Count {
		p.fail(at, fmt.Errorf("%w: %d, not %d", fault.ErrCount, n, t.Count))
	}
	return out
}

// token reads a number, which may be in quotes.
func (p *jsonParser) token() string {
	if p.next() == '"' {
		return p.string()
	}
	start := p.pos
	p.pos = syntax.SkipNumber(p.in, p.pos)
	if s := string(p.in[start:p.pos]); syntax.ValidNumber(s) {
		return s
	}
	p.pos = start
	p.wanted("a number")
	return ""
}

// isInteger reports whether s is an integer in the syntax of JSON.
func isInteger(s string) bool {
	return syntax.ValidNumber(s) && !strings.ContainsAny(s, ".eE") && s != "-0"
}

// integer converts s, whose first byte is at the given offset, to a value of t. Fractions and
// exponents are refused, since a reader could round them.
func (p *jsonParser) integer(t *Type, s string, offset int) any {
	if !isInteger(s) {
		p.fail(offset, errNumber)
	}
	if t.Kind == "uint" {
		v, err := strconv.ParseUint(s, 10, t.Bits)
		if err != nil {
			p.fail(offset, fault.ErrOverflow)
		}
		return v
	}
	v, err := strconv.ParseInt(s, 10, t.Bits)
	if err != nil {
		p.fail(offset, fault.ErrOverflow)
	}
	return v
}

// parseBigInt parses a bigint: a decimal integer of at most 64 bits, or 0x and hexadecimal digits
// for any integer, both with an optional minus sign. ok is false for other text.
func parseBigInt(s string) (v BigInt, ok bool) {
	digits, negative := strings.CutPrefix(s, "-")
	v.Negative = negative
	if text, isHex := strings.CutPrefix(digits, "0x"); isHex && text != "" {
		if len(text)%2 == 1 {
			text = "0" + text
		}
		b, err := hex.DecodeString(text)
		v.Magnitude = bytes.TrimLeft(b, "\x00")
		return v, err == nil && (len(v.Magnitude) > 0 || !negative)
	}
	u, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || !isInteger(s) {
		return v, false
	}
	v.Magnitude = []byte{}
	for n := (bits.Len64(u) + 7) / 8; n > 0; n-- {
		v.Magnitude = append(v.Magnitude, byte(u>>(8*(n-1))))
	}
	return v, true
}

func (p *jsonParser) float(t *Type) any {
	f := p.floatBits(t)
	if t.Bits == 32 {
		return math.Float32frombits(uint32(f))
	}
	return math.Float64frombits(f)
}

// floatBits reads a float and returns its bits.
func (p *jsonParser) floatBits(t *Type) uint64 {
	at, wide := p.start(), t.Bits == 64
	quoted := p.next() == '"'
	s := p.token()
	var f float64
	switch {
	case !quoted:
		var err error
		if f, err = strconv.ParseFloat(s, 64); err != nil || !wide && math.IsInf(float64(float32(f)), 0) {
			p.fail(at, fault.ErrOverflow)
		}
	case s == "NaN" && wide:
		return nan64
	case s == "NaN":
		return nan32
	case s == "Infinity":
		f = math.Inf(1)
	case s == "-Infinity":
		f = math.Inf(-1)
	default:
		text, ok := strings.CutPrefix(s, "NaN:")
		v, err := strconv.ParseUint(text, 16, 64)
		if !ok || err != nil || len(text) != t.Bits/4 {
			p.fail(at, errFloat)
		}
		if isNaN := math.Float64frombits(v); wide && isNaN == isNaN {
			p.fail(at, errNaN)
		}
		if isNaN := math.Float32frombits(uint32(v)); !wide && isNaN == isNaN {
			p.fail(at, errNaN)
		}
		return v
	}
	if wide {
		return math.Float64bits(f)
	}
	return uint64(math.Float32bits(float32(f)))
}

func (p *jsonParser) complex(t *Type) any {
	at := p.start()
	var parts []uint64
	p.list(func(i int) {
		if i > 1 {
			p.fail(p.pos, fault.ErrCount)
		}
		parts = append(parts, p.floatBits(t))
	})
	switch {
	case len(parts) != 2:
		p.fail(at, fault.ErrCount)
	case t.Bits == 32:
		return complex(math.Float32frombits(uint32(parts[0])), math.Float32frombits(uint32(parts[1])))
	}
	return complex(math.Float64frombits(parts[0]), math.Float64frombits(parts[1]))
}

// text reads a string, or an object with the base64 of a string that is not UTF-8.
func (p *jsonParser) text() string {
	if p.next() != '{' {
		return p.string()
	}
	at, out, there := p.pos, "", false
	p.object(func(name string, at int) {
		if name != "base64" || there {
			p.fail(at, errMember)
		}
		out, there = string(p.base64()), true
	})
	if !there {
		p.fail(at, errMissing)
	}
	return out
}

func (p *jsonParser) base64() []byte {
	at := p.start()
	s := p.string()
	b, err := base64.StdEncoding.Strict().DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") {
		p.fail(at, errBase64)
	}
	return b
}

func (p *jsonParser) time(t *Type) any {
	at, from := Time{}, p.start()
	if p.next() == '"' {
		var ok bool
		if at, ok = parseTime(p.string()); !ok {
			p.fail(from, errTimeText)
		}
		return at
	}
	number := func(kind string, bits int) any {
		at := p.start()
		return p.integer(&Type{Kind: kind, Bits: bits}, p.token(), at)
	}
	seen := map[string]bool{}
	p.object(func(name string, from int) {
		if seen[name] {
			p.fail(from, errTwice)
		}
		seen[name] = true
		switch name {
		case "seconds":
			at.Seconds = number("int", 64).(int64)
		case "nanoseconds":
			at.Nanoseconds = uint32(number("uint", 32).(uint64))
		case "offset":
			at.Offset = int32(number("int", 32).(int64))
		case "name":
			at.Name = p.text()
		default:
			p.fail(from, errMember)
		}
	})
	switch {
	case !seen["seconds"] || !seen["nanoseconds"] || t.Kind == "time" && seen["name"] && !seen["offset"]:
		p.fail(from, errMissing)
	case seen["name"]:
		at.Zone = ZoneNamed
	case seen["offset"]:
		at.Zone = ZoneLocal
	}
	return at
}

// optional reads null or a value. A value of a type that may be null is wrapped in an object.
func (p *jsonParser) optional(t *Type) any {
	if p.literal("null") {
		return nil
	}
	if !p.nullable(t.Elem) {
		return Some{p.value(t.Elem)}
	}
	at, out := p.pos, any(nil)
	p.object(func(name string, at int) {
		if name != "some" || out != nil {
			p.fail(at, errMember)
		}
		out = Some{p.value(t.Elem)}
	})
	if out == nil {
		p.fail(at, errMissing)
	}
	return out
}

// entries reads a map from an object or a list of pairs, and checks that no key is duplicate.
func (p *jsonParser) entries(t *Type) any {
	out, keys := Map{}, newKeys(&p.walk)
	add := func(key any, at int) {
		if cause := keys.add(t.Key, key); cause != nil {
			p.fail(at, cause)
		}
		out = append(out, Entry{Key: key})
		p.push(keyStep(key), 0)
		p.next()
		out[len(out)-1].Value = p.value(t.Elem)
		p.pop()
	}
	if p.next() == '{' && p.schema.Resolve(t.Key) != nil && p.named(t.Key) {
		of := p.schema.Resolve(t.Key)
		p.object(func(name string, at int) { add(kindOf(of.Kind).name(p, of, name, at), at) })
		return out
	}
	p.list(func(int) {
		at := p.pos
		p.expect('[')
		p.push("[key]", 0)
		key := p.value(t.Key)
		p.pop()
		p.expect(',')
		add(key, at)
		p.expect(']')
	})
	return out
}

// fields reads a struct, whose members may be in any order, and checks that none is missing.
func (p *jsonParser) fields(t *Type) any {
	names, from := p.namesOf(t), p.start()
	var members []given
	var unknown []byte
	p.object(func(name string, at int) {
		i, ok := names.index[name]
		switch {
		case ok:
			p.push(path.Name(name), 0)
			members = append(members, given{i, at, p.value(t.Fields[i].Type)})
			p.pop()
		case name != names.unknown || !t.Evolving || p.canonical():
			p.fail(at, fmt.Errorf("%w: %.64q", errMember, name))
		case unknown != nil:
			p.fail(at, fmt.Errorf("%w: %q", errTwice, name))
		default:
			unknown = p.base64()
		}
	})
	twice, at, missing := p.arrange(t, members, !t.Evolving || p.canonical() || len(unknown) > 0)
	if twice >= 0 {
		p.fail(at, fmt.Errorf("%w: %.64q", errTwice, names.of[twice]))
	}
	if missing >= 0 {
		p.fail(from, fmt.Errorf("%w: %.64q", errMissing, names.of[missing]))
	}
	out := make(Struct, 0, len(members))
	for _, m := range members {
		out = append(out, Member{names.of[m.field], m.value})
	}
	if unknown != nil {
		out = append(out, Member{names.unknown, unknown})
	}
	return out
}

// union reads the name of a case, alone or with a value.
func (p *jsonParser) union(t *Type) any {
	if t.Tag == "uvarint" && p.literal("null") {
		return nil
	}
	names := p.namesOf(t)
	find := func(name string, at int, follows bool) Case {
		i, ok := names.index[name]
		if !ok || (t.Cases[i].Type != nil) != follows {
			p.fail(at, fmt.Errorf("%w: there is no case %.64q", errMember, name))
		}
		return t.Cases[i]
	}
	at := p.pos
	if p.next() == '"' {
		at = p.pos
		return Union{ID: find(p.string(), at, false).ID}
	}
	out := any(nil)
	p.object(func(name string, at int) {
		if out != nil {
			p.fail(at, errTwice)
		}
		c := find(name, at, true)
		p.push(".("+name+")", 0)
		out = Union{ID: c.ID, Value: p.value(c.Type)}
		p.pop()
	})
	if out == nil {
		p.fail(at, errMissing)
	}
	return out
}
