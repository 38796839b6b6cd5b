package apitest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/api/openapi"
)

// A maker generates random values of schemas.
type maker struct {
	*rand.Rand
	checker
	depth int
}

// maxDepth is the depth up to which optional members are generated. Deeper values have only their
// required members, so that the values of recursive schemas are finite.
const maxDepth = 4

// value generates a value. It matches the schema if the generator supports the schema's keywords.
func (m *maker) value(s *openapi.Schema) any {
	m.depth++
	defer func() { m.depth-- }()
	if s == nil {
		return m.anything()
	}
	if s.Ref != "" {
		return m.value(m.resolve(s))
	}
	if len(s.Enum) > 0 {
		return plain(s.Enum[m.IntN(len(s.Enum))])
	}
	if len(s.Examples) > 0 && m.IntN(2) == 0 {
		return decoded(s.Examples[m.IntN(len(s.Examples))])
	}
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		if list != nil {
			i := m.IntN(len(list))
			if m.depth > maxDepth {
				i = len(list) - 1 // the last value, which is null if the list has null
			}
			return m.value(list[i])
		}
	}
	names := typesOf(s)
	if names == nil {
		return m.anything()
	}
	name := names[0]
	if len(names) > 1 && (m.IntN(4) == 0 || m.depth > maxDepth) {
		name = names[len(names)-1]
	}
	switch name {
	case "null":
		return nil
	case "boolean":
		return m.IntN(2) == 0
	case "integer", "number":
		return m.number(s, name == "integer")
	case "string":
		return m.text(s)
	case "array":
		return m.array(s)
	}
	return m.object(s)
}

// plain converts a value from a document to the Go types that decoding JSON yields.
func plain(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return decoded(text)
}

// decoded decodes JSON, with numbers as json.Number. It returns nil if text is not JSON.
func decoded(text []byte) (v any) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

func (m *maker) anything() any {
	switch m.IntN(6) {
	case 0:
		return nil
	case 1:
		return m.IntN(2) == 0
	case 2:
		return json.Number(strconv.Itoa(m.IntN(100)))
	case 3:
		return []any{"x", nil}
	case 4:
		return map[string]any{"k": "v"}
	}
	return "anything"
}

func (m *maker) number(s *openapi.Schema, whole bool) any {
	low, high := bounds(s)
	// Beyond this bound a float64 cannot represent the numbers exactly.
	const most = 1 << 50
	from, to := -1000.0, 1000.0
	if low != nil {
		from, _ = low.Float64()
		from = max(from, -most)
		to = from + 1e6
	}
	if high != nil {
		end, _ := high.Float64()
		to = min(to, end)
		if low == nil {
			from, to = end-1e6, end
		}
	}
	switch m.IntN(8) {
	case 0:
		if low != nil {
			return json.Number(decimal(low))
		}
	case 1:
		if high != nil {
			return json.Number(decimal(high))
		}
	}
	n := from + m.Float64()*(to-from)
	if step, ok := valueOf(s.MultipleOf); ok {
		x, _ := step.Float64()
		n = math.Ceil(from/x) + math.Floor(m.Float64()*(math.Floor(to/x)-math.Ceil(from/x)))
		return json.Number(decimal(new(big.Rat).Mul(step, new(big.Rat).SetFloat64(n))))
	}
	if whole {
		n = math.Max(math.Ceil(from), math.Floor(n))
		return json.Number(strconv.FormatFloat(n, 'f', 0, 64))
	}
	return json.Number(strconv.FormatFloat(n, 'g', 6, 32))
}

// decimal formats a number as JSON.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789 é世\"\\/<&"

func (m *maker) text(s *openapi.Schema) any {
	if s.ContentEncoding == "base64" {
		return base64.StdEncoding.EncodeToString([]byte(m.letters(m.IntN(10))))
	}
	if s.Pattern != "" {
		if p, err := syntax.Parse(s.Pattern, syntax.Perl); err == nil {
			var b strings.Builder
			m.matching(&b, p.Simplify())
			return b.String()
		}
	}
	if text, ok := m.formatted(s.Format); ok {
		return text
	}
	n := s.MinLength + m.IntN(8)
	if s.MaxLength != nil {
		n = min(n, *s.MaxLength)
	}
	return m.letters(n)
}

func (m *maker) letters(n int) string {
	all := []rune(letters)
	out := make([]rune, n)
	for i := range out {
		out[i] = all[m.IntN(len(all))]
	}
	return string(out)
}

// formatted generates a text with a named format. It returns false if the format is unknown.
func (m *maker) formatted(name string) (string, bool) {
	n := m.IntN(200)
	switch name {
	case "date":
		return time.Unix(int64(n)*1e6, 0).UTC().Format(time.DateOnly), true
	case "date-time":
		return time.Unix(int64(n)*1e6, int64(n)*1e3).UTC().Format(time.RFC3339Nano), true
	case "date-time-local":
		return time.Unix(int64(n)*1e6, 0).UTC().Format("2006-01-02T15:04:05"), true
	case "time":
		return time.Unix(int64(n)*1e3, 0).UTC().Format("15:04:05Z07:00"), true
	case "time-local":
		return time.Unix(int64(n)*1e3, 0).UTC().Format(time.TimeOnly), true
	case "go-duration":
		return (time.Duration(n) * time.Millisecond).String(), true
	case "email":
		return fmt.Sprintf("user%d@example.org", n), true
	case "hostname":
		return fmt.Sprintf("host-%d.example.org", n), true
	case "ipv4":
		return fmt.Sprintf("192.0.2.%d", n), true
	case "ipv6":
		return fmt.Sprintf("2001:db8::%x", n), true
	case "uri":
		return fmt.Sprintf("https://example.org/%d?a=b", n), true
	case "uuid":
		return fmt.Sprintf("%08x-0000-4000-8000-%012x", n, n), true
	}
	return "", false
}

// matching writes a text that matches a regular expression.
func (m *maker) matching(b *strings.Builder, p *syntax.Regexp) {
	switch p.Op {
	case syntax.OpLiteral:
		b.WriteString(string(p.Rune))
	case syntax.OpCharClass:
		i := 2 * m.IntN(max(len(p.Rune)/2, 1))
		if i+1 < len(p.Rune) {
			low, high := p.Rune[i], min(p.Rune[i+1], p.Rune[i]+50)
			b.WriteRune(low + rune(m.IntN(int(high-low)+1)))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteString(m.letters(1))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range p.Sub {
			m.matching(b, sub)
		}
	case syntax.OpAlternate:
		m.matching(b, p.Sub[m.IntN(len(p.Sub))])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		low, high := 0, 4
		switch p.Op {
		case syntax.OpPlus:
			low = 1
		case syntax.OpQuest:
			high = 1
		case syntax.OpRepeat:
			low, high = p.Min, p.Max
			if high < 0 || high > low+4 {
				high = low + 4
			}
		}
		for range low + m.IntN(high-low+1) {
			m.matching(b, p.Sub[0])
		}
	}
}

func (m *maker) array(s *openapi.Schema) any {
	n := s.MinItems
	if m.depth <= maxDepth {
		n += m.IntN(4)
	}
	if s.MaxItems != nil {
		n = min(n, *s.MaxItems)
	}
	out := make([]any, 0, n)
	for range 4 * n {
		if len(out) == n {
			break
		}
		e := m.value(s.Items)
		if s.UniqueItems && slices.ContainsFunc(out, func(other any) bool { return same(other, e) }) {
			continue
		}
		out = append(out, e)
	}
	return out
}

func (m *maker) object(s *openapi.Schema) any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		if !slices.Contains(s.Required, name) && (m.depth > maxDepth || m.IntN(2) == 0) {
			continue
		}
		if p.ReadOnly && m.IntN(2) == 0 {
			continue
		}
		out[name] = m.value(p)
	}
	if s.AdditionalProperties == nil || s.AdditionalProperties.False {
		return out
	}
	n := s.MinProperties
	if m.depth <= maxDepth {
		n += m.IntN(3)
	}
	if s.MaxProperties != nil {
		n = min(n, *s.MaxProperties)
	}
	for i := 0; len(out) < n && i < 100; i++ {
		name := "key" + strconv.Itoa(i)
		if s.PropertyNames != nil {
			name = fmt.Sprint(m.value(s.PropertyNames))
		}
		out[name] = m.value(s.AdditionalProperties)
	}
	return out
}

// spoil returns v with a change in one place that usually violates the schema.
func (m *maker) spoil(v any) any {
	switch v := v.(type) {
	case []any:
		if len(v) > 0 && m.IntN(4) > 0 {
			out := slices.Clone(v)
			i := m.IntN(len(out))
			out[i] = m.spoil(out[i])
			return out
		}
	case map[string]any:
		out := maps.Clone(v)
		names := slices.Sorted(maps.Keys(out))
		switch m.IntN(6) {
		case 0:
			out["unexpected"] = m.anything()
			return out
		case 1:
			if len(names) > 0 {
				delete(out, names[m.IntN(len(names))])
				return out
			}
		case 2, 3, 4:
			if len(names) > 0 {
				name := names[m.IntN(len(names))]
				out[name] = m.spoil(out[name])
				return out
			}
		}
	}
	hostile := []any{
		nil, true, "", "x", strings.Repeat("long ", 1000), "\u0000\ufffd\u202e", json.Number("0"), json.Number("-1"), json.Number("1e400"), json.Number("0.5"), false,
		json.Number("99999999999999999999999999"), []any{}, []any{nil}, map[string]any{}, map[string]any{"": nil},
	}
	return hostile[m.IntN(len(hostile))]
}
