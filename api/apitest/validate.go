package apitest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/mail"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/hone-go/hone/api/openapi"
)

// A checker validates JSON against schemas, for the keywords that package openapi writes.
type checker struct {
	components map[string]*openapi.Schema
	// request is set for the body of a request. The values of read-only members are not checked there,
	// and members that the schema does not list are allowed. In an answer, unlisted members are
	// faults.
	request bool
}

func (c *checker) resolve(s *openapi.Schema) *openapi.Schema {
	for s != nil && s.Ref != "" {
		s = c.components[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}
	return s
}

// check returns the fault of v at path, or "". The numbers in v are json.Numbers.
func (c *checker) check(s *openapi.Schema, v any, path string) string {
	if s == nil {
		return ""
	}
	if s.Ref != "" {
		if to := c.resolve(s); to != nil {
			if wrong := c.check(to, v, path); wrong != "" {
				return wrong
			}
		} else {
			return path + ": the component does not exist: " + s.Ref
		}
	}
	if s.False {
		return path + ": no value is allowed here"
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(e any) bool { return same(e, v) }) {
		return fmt.Sprintf("%s: %v is not one of %v", path, v, s.Enum)
	}
	if wrong := c.checkAny(s, v, path); wrong != "" {
		return wrong
	}
	if names := typesOf(s); names != nil && !slices.ContainsFunc(names, func(name string) bool { return isType(name, v) }) {
		return fmt.Sprintf("%s: got %s, want %v", path, kindOf(v), s.Type)
	}
	switch v := v.(type) {
	case string:
		return c.text(s, v, path)
	case json.Number:
		return number(s, v, path)
	case []any:
		return c.array(s, v, path)
	case map[string]any:
		return c.object(s, v, path)
	}
	return ""
}

// checkAny returns the fault of v if it matches none of the schemas in anyOf or oneOf. It does not check that only one
// of oneOf matches.
func (c *checker) checkAny(s *openapi.Schema, v any, path string) string {
	for _, list := range [][]*openapi.Schema{s.AnyOf, s.OneOf} {
		if list == nil {
			continue
		}
		wrong := ""
		fits := 0
		for _, one := range list {
			if w := c.check(one, v, path); w == "" {
				fits++
			} else {
				wrong = w
			}
		}
		if fits == 0 {
			return wrong
		}
	}
	return ""
}

func same(a, b any) bool {
	if x, ok := valueOf(a); ok {
		y, ok := valueOf(b)
		return ok && x.Cmp(y) == 0
	}
	return reflect.DeepEqual(a, b)
}

// valueOf returns the value of a json.Number or a float64. It returns false for other types, for a
// number of more than 400 bytes, and for NaN and infinities.
func valueOf(v any) (*big.Rat, bool) {
	switch v := v.(type) {
	case json.Number:
		if len(v) > 400 {
			return nil, false
		}
		return new(big.Rat).SetString(string(v))
	case float64:
		r := new(big.Rat).SetFloat64(v)
		return r, r != nil
	}
	return nil, false
}

func typesOf(s *openapi.Schema) []string {
	switch t := s.Type.(type) {
	case string:
		return []string{t}
	case []string:
		return t
	case []any:
		var names []string
		for _, name := range t {
			names = append(names, fmt.Sprint(name))
		}
		return names
	}
	return nil
}

func isType(name string, v any) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case json.Number:
		if name == "integer" {
			n, ok := valueOf(v)
			return ok && n.IsInt()
		}
		return name == "number"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case []any:
		return "an array"
	}
	return "an object"
}

// tooLarge reports whether v contains a number that is too large for a float64.
func tooLarge(v any) bool {
	switch v := v.(type) {
	case json.Number:
		_, err := v.Float64()
		return err != nil
	case []any:
		return slices.ContainsFunc(v, tooLarge)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), tooLarge)
	}
	return false
}

var patterns sync.Map // compiled patterns, by text

// patternOf returns the compiled pattern, or nil if text is not a regular expression of Go.
func patternOf(text string) *regexp.Regexp {
	if p, ok := patterns.Load(text); ok {
		return p.(*regexp.Regexp)
	}
	p, err := regexp.Compile(text)
	if err != nil {
		p = nil
	}
	patterns.Store(text, p)
	return p
}

func (c *checker) text(s *openapi.Schema, v, path string) string {
	n := utf8.RuneCountInString(v)
	switch {
	case n < s.MinLength, s.MaxLength != nil && n > *s.MaxLength:
		return fmt.Sprintf("%s: a string of %d characters", path, n)
	case s.Pattern != "" && patternOf(s.Pattern) != nil && !patternOf(s.Pattern).MatchString(v):
		return fmt.Sprintf("%s: %q does not match %s", path, v, s.Pattern)
	case s.ContentEncoding == "base64":
		if _, err := base64.StdEncoding.DecodeString(v); err != nil {
			return fmt.Sprintf("%s: %q is not base64", path, v)
		}
	case s.Format != "" && !hasFormat(s.Format, v):
		return fmt.Sprintf("%s: %q is not a valid %s", path, v, s.Format)
	}
	return ""
}

// hasFormat reports whether text has the named format. A format with an unknown name accepts any text.
func hasFormat(name, text string) bool {
	var err error
	switch name {
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "date-time":
		_, err = time.Parse(time.RFC3339, text)
	case "date-time-local":
		_, err = time.Parse("2006-01-02T15:04:05", text)
	case "time":
		_, err = time.Parse("15:04:05Z07:00", text)
	case "time-local":
		_, err = time.Parse(time.TimeOnly, text)
	case "go-duration":
		_, err = time.ParseDuration(text)
	case "email":
		var a *mail.Address
		a, err = mail.ParseAddress(text)
		return err == nil && a.Address == text
	case "ipv4", "ipv6":
		var a netip.Addr
		a, err = netip.ParseAddr(text)
		return err == nil && a.Is4() == (name == "ipv4")
	case "uri":
		var u *url.URL
		u, err = url.Parse(text)
		return err == nil && u.IsAbs()
	case "uuid":
		return patternOf("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$").MatchString(text)
	case "hostname":
		return patternOf(`^([0-9a-zA-Z]([0-9a-zA-Z-]*[0-9a-zA-Z])?)(\.[0-9a-zA-Z]([0-9a-zA-Z-]*[0-9a-zA-Z])?)*$`).MatchString(text)
	}
	return err == nil
}

func number(s *openapi.Schema, v json.Number, path string) string {
	n, ok := valueOf(v)
	if !ok {
		return fmt.Sprintf("%s: the number %.50s is too large for any format", path, v)
	}
	low, high := bounds(s)
	switch {
	case low != nil && n.Cmp(low) < 0, high != nil && n.Cmp(high) > 0:
		return fmt.Sprintf("%s: %s is out of range", path, v)
	case s.MultipleOf != "":
		if m, ok := valueOf(s.MultipleOf); ok && m.Sign() > 0 && !new(big.Rat).Quo(n, m).IsInt() {
			return fmt.Sprintf("%s: %s is not a multiple of %s", path, v, s.MultipleOf)
		}
	}
	return ""
}

// bounds returns the bounds of a number from its limits and its format. A nil bound is no bound.
func bounds(s *openapi.Schema) (low, high *big.Rat) {
	switch s.Format {
	case "int32":
		low, high = big.NewRat(-1<<31, 1), big.NewRat(1<<31-1, 1)
	case "int64":
		low, high = big.NewRat(-1<<63, 1), big.NewRat(1<<63-1, 1)
	}
	if n, ok := valueOf(s.Minimum); ok && (low == nil || n.Cmp(low) > 0) {
		low = n
	}
	if n, ok := valueOf(s.Maximum); ok && (high == nil || n.Cmp(high) < 0) {
		high = n
	}
	return low, high
}

func (c *checker) array(s *openapi.Schema, v []any, path string) string {
	if len(v) < s.MinItems || s.MaxItems != nil && len(v) > *s.MaxItems {
		return fmt.Sprintf("%s: an array of %d elements", path, len(v))
	}
	for i, e := range v {
		if wrong := c.check(s.Items, e, fmt.Sprintf("%s[%d]", path, i)); wrong != "" {
			return wrong
		}
		if s.UniqueItems && slices.ContainsFunc(v[:i], func(other any) bool { return same(other, e) }) {
			return fmt.Sprintf("%s: two elements are equal", path)
		}
	}
	return ""
}

func (c *checker) object(s *openapi.Schema, v map[string]any, path string) string {
	if len(v) < s.MinProperties || s.MaxProperties != nil && len(v) > *s.MaxProperties {
		return fmt.Sprintf("%s: an object of %d members", path, len(v))
	}
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			return fmt.Sprintf("%s: the member %q is missing", path, name)
		}
	}
	for name, value := range v {
		at := path + "." + name
		p, known := s.Properties[name]
		switch {
		case known && c.request && c.member(p).ReadOnly: // the server ignores a read-only member in a request
		case known:
			if wrong := c.check(p, value, at); wrong != "" {
				return wrong
			}
		case s.AdditionalProperties != nil:
			if s.PropertyNames != nil {
				if wrong := c.check(s.PropertyNames, name, path+" (the name of a member)"); wrong != "" {
					return wrong
				}
			}
			if wrong := c.check(s.AdditionalProperties, value, at); wrong != "" {
				return wrong
			}
		case !c.request && s.Properties != nil:
			return at + ": the document does not list it"
		}
	}
	return ""
}

// member returns s, or an empty schema if s is nil. It does not follow a reference.
func (c *checker) member(s *openapi.Schema) *openapi.Schema {
	if s == nil {
		return &openapi.Schema{}
	}
	return s
}
