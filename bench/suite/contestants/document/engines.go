package document

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/buger/jsonparser"
	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/ast"
	"github.com/minio/simdjson-go"
	"github.com/spyzhov/ajson"
	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"

	"github.com/hone-go/hone/json/document"
)

var errMissing = errors.New("a value is missing")

// keysOf returns the steps of each path as strings.
func keysOf(paths []path, name func(string) string, number func(int) string) (keys [][]string) {
	for _, p := range paths {
		var steps []string
		for _, step := range p {
			if s, ok := step.(string); ok {
				steps = append(steps, name(s))
			} else {
				steps = append(steps, number(step.(int)))
			}
		}
		keys = append(keys, steps)
	}
	return keys
}

func readHone(paths []path) func(dst, text []byte) ([]byte, error) {
	var doc document.Document
	return func(dst, text []byte) ([]byte, error) {
		if err := doc.Parse(text); err != nil {
			return dst, err
		}
		for _, p := range paths {
			v := doc.Root()
			for _, step := range p {
				if name, ok := step.(string); ok {
					v = v.Get(name)
				} else {
					v = v.Index(step.(int))
				}
			}
			if !v.Exists() {
				return dst, v.Err()
			}
			if v.Kind() == document.String {
				dst, _ = v.AppendString(dst)
			} else {
				dst = append(dst, v.Raw()...)
			}
			dst = append(dst, '\n')
		}
		return dst, nil
	}
}

func walkHone() func(text []byte) (sum, error) {
	var doc document.Document
	return func(text []byte) (s sum, err error) {
		if err := doc.Parse(text); err != nil {
			return s, err
		}
		var buf []byte
		var add func(v document.Value)
		add = func(v document.Value) {
			s.values++
			switch v.Kind() {
			case document.String:
				buf, _ = v.AppendString(buf[:0])
				s.length += len(buf)
			case document.Number:
				f, _ := v.Float64()
				s.numbers += f
			case document.Array:
				for _, child := range v.Elements() {
					add(child)
				}
			case document.Object:
				for _, child := range v.Members() {
					add(child)
				}
			}
		}
		add(doc.Root())
		return s, nil
	}
}

var gjsonName = strings.NewReplacer(`\`, `\\`, ".", `\.`, "*", `\*`, "?", `\?`, "|", `\|`, "#", `\#`, "@", `\@`, "!", `\!`, "{", `\{`, "[", `\[`)

func readGjson(paths []path) func(dst, text []byte) ([]byte, error) {
	var texts []string
	for _, k := range keysOf(paths, gjsonName.Replace, strconv.Itoa) {
		texts = append(texts, strings.Join(k, "."))
	}
	return func(dst, text []byte) ([]byte, error) {
		for _, p := range texts {
			v := gjson.GetBytes(text, p)
			switch {
			case !v.Exists():
				return dst, errMissing
			case v.Type == gjson.String:
				dst = append(dst, v.Str...)
			default:
				dst = append(dst, v.Raw...)
			}
			dst = append(dst, '\n')
		}
		return dst, nil
	}
}

func walkGjson() func(text []byte) (sum, error) {
	return func(text []byte) (s sum, err error) {
		var add func(v gjson.Result)
		add = func(v gjson.Result) {
			s.values++
			switch v.Type {
			case gjson.String:
				s.length += len(v.Str)
			case gjson.Number:
				s.numbers += v.Num
			case gjson.JSON:
				v.ForEach(func(_, child gjson.Result) bool {
					add(child)
					return true
				})
			}
		}
		add(gjson.ParseBytes(text))
		return s, nil
	}
}

func readFastjson(paths []path) func(dst, text []byte) ([]byte, error) {
	keys := keysOf(paths, func(name string) string { return name }, strconv.Itoa)
	var parser fastjson.Parser
	return func(dst, text []byte) ([]byte, error) {
		root, err := parser.ParseBytes(text)
		if err != nil {
			return dst, err
		}
		for _, k := range keys {
			v := root.Get(k...)
			if v == nil {
				return dst, errMissing
			}
			if v.Type() == fastjson.TypeString {
				b, _ := v.StringBytes()
				dst = append(dst, b...)
			} else {
				dst = v.MarshalTo(dst)
			}
			dst = append(dst, '\n')
		}
		return dst, nil
	}
}

func walkFastjson() func(text []byte) (sum, error) {
	var parser fastjson.Parser
	return func(text []byte) (s sum, err error) {
		root, err := parser.ParseBytes(text)
		if err != nil {
			return s, err
		}
		var add func(v *fastjson.Value)
		add = func(v *fastjson.Value) {
			s.values++
			switch v.Type() {
			case fastjson.TypeString:
				b, _ := v.StringBytes()
				s.length += len(b)
			case fastjson.TypeNumber:
				f, _ := v.Float64()
				s.numbers += f
			case fastjson.TypeArray:
				list, _ := v.Array()
				for _, child := range list {
					add(child)
				}
			case fastjson.TypeObject:
				o, _ := v.Object()
				o.Visit(func(_ []byte, child *fastjson.Value) { add(child) })
			}
		}
		add(root)
		return s, nil
	}
}

func readJsonparser(paths []path) func(dst, text []byte) ([]byte, error) {
	keys := keysOf(paths, func(name string) string { return name }, func(i int) string { return "[" + strconv.Itoa(i) + "]" })
	return func(dst, text []byte) ([]byte, error) {
		for _, k := range keys {
			v, kind, _, err := jsonparser.Get(text, k...)
			if err != nil {
				return dst, err
			}
			if kind == jsonparser.String {
				if v, err = jsonparser.Unescape(v, nil); err != nil {
					return dst, err
				}
			}
			dst = append(append(dst, v...), '\n')
		}
		return dst, nil
	}
}

func readSimdjson(paths []path) func(dst, text []byte) ([]byte, error) {
	var parsed *simdjson.ParsedJson
	return func(dst, text []byte) ([]byte, error) {
		var err error
		if parsed, err = simdjson.Parse(text, parsed); err != nil {
			return dst, err
		}
		for _, p := range paths {
			v, err := findSimdjson(parsed, p)
			if err != nil {
				return dst, err
			}
			switch v.Type() {
			case simdjson.TypeString:
				b, err := v.StringBytes()
				if err != nil {
					return dst, err
				}
				dst = append(dst, b...)
			case simdjson.TypeInt, simdjson.TypeUint, simdjson.TypeFloat:
				f, err := v.Float()
				if err != nil {
					return dst, err
				}
				dst = strconv.AppendFloat(dst, f, 'g', -1, 64)
			case simdjson.TypeBool:
				b, err := v.Bool()
				if err != nil {
					return dst, err
				}
				dst = strconv.AppendBool(dst, b)
			default:
				dst = append(dst, "null"...)
			}
			dst = append(dst, '\n')
		}
		return dst, nil
	}
}

// findSimdjson returns an iterator at the value to which p leads.
func findSimdjson(parsed *simdjson.ParsedJson, p path) (simdjson.Iter, error) {
	i := parsed.Iter()
	i.Advance()
	_, root, err := i.Root(nil)
	if err != nil {
		return i, err
	}
	v := *root
	for _, step := range p {
		if name, ok := step.(string); ok {
			o, err := v.Object(nil)
			if err != nil {
				return v, err
			}
			member := o.FindKey(name, nil)
			if member == nil {
				return v, errMissing
			}
			v = member.Iter
			continue
		}
		a, err := v.Array(nil)
		if err != nil {
			return v, err
		}
		v = a.Iter()
		for range step.(int) + 1 {
			v.Advance()
		}
	}
	return v, nil
}

func walkSimdjson() func(text []byte) (sum, error) {
	var parsed *simdjson.ParsedJson
	return func(text []byte) (s sum, err error) {
		if parsed, err = simdjson.Parse(text, parsed); err != nil {
			return s, err
		}
		var add func(v *simdjson.Iter)
		add = func(v *simdjson.Iter) {
			s.values++
			switch v.Type() {
			case simdjson.TypeString:
				b, _ := v.StringBytes()
				s.length += len(b)
			case simdjson.TypeInt, simdjson.TypeUint, simdjson.TypeFloat:
				f, _ := v.Float()
				s.numbers += f
			case simdjson.TypeArray:
				a, _ := v.Array(nil)
				a.ForEach(func(child simdjson.Iter) { add(&child) })
			case simdjson.TypeObject:
				o, _ := v.Object(nil)
				_ = o.ForEach(func(_ []byte, child simdjson.Iter) { add(&child) }, nil)
			}
		}
		i := parsed.Iter()
		i.Advance()
		_, root, err := i.Root(nil)
		if err != nil {
			return s, err
		}
		add(root)
		return s, nil
	}
}

func readSonic(paths []path) func(dst, text []byte) ([]byte, error) {
	return func(dst, text []byte) ([]byte, error) {
		for _, p := range paths {
			v, err := sonic.Get(text, p...)
			if err != nil {
				return dst, err
			}
			if v.TypeSafe() == ast.V_STRING {
				s, err := v.StrictString()
				if err != nil {
					return dst, err
				}
				dst = append(dst, s...)
			} else {
				raw, err := v.Raw()
				if err != nil {
					return dst, err
				}
				dst = append(dst, raw...)
			}
			dst = append(dst, '\n')
		}
		return dst, nil
	}
}

func walkSonic() func(text []byte) (sum, error) {
	return func(text []byte) (s sum, err error) {
		var v adder
		err = ast.Preorder(string(text), &v, nil)
		return v.sum, err
	}
}

// An adder is a visitor of sonic.
type adder struct{ sum }

func (a *adder) OnNull() error           { a.values++; return nil }
func (a *adder) OnBool(bool) error       { a.values++; return nil }
func (a *adder) OnString(v string) error { a.values++; a.length += len(v); return nil }
func (a *adder) OnInt64(v int64, _ json.Number) error {
	a.values++
	a.numbers += float64(v)
	return nil
}
func (a *adder) OnFloat64(v float64, _ json.Number) error { a.values++; a.numbers += v; return nil }
func (a *adder) OnObjectBegin(int) error                  { a.values++; return nil }
func (a *adder) OnObjectKey(string) error                 { return nil }
func (a *adder) OnObjectEnd() error                       { return nil }
func (a *adder) OnArrayBegin(int) error                   { a.values++; return nil }
func (a *adder) OnArrayEnd() error                        { return nil }

func readAjson(paths []path) func(dst, text []byte) ([]byte, error) {
	return func(dst, text []byte) ([]byte, error) {
		root, err := ajson.Unmarshal(text)
		if err != nil {
			return dst, err
		}
		for _, p := range paths {
			v := root
			for _, step := range p {
				if name, ok := step.(string); ok {
					v, err = v.GetKey(name)
				} else {
					v, err = v.GetIndex(step.(int))
				}
				if err != nil {
					return dst, err
				}
			}
			if v.IsString() {
				s, err := v.GetString()
				if err != nil {
					return dst, err
				}
				dst = append(dst, s...)
			} else {
				dst = append(dst, v.Source()...)
			}
			dst = append(dst, '\n')
		}
		return dst, nil
	}
}

func walkAjson() func(text []byte) (sum, error) {
	return func(text []byte) (s sum, err error) {
		root, err := ajson.Unmarshal(text)
		if err != nil {
			return s, err
		}
		var add func(v *ajson.Node)
		add = func(v *ajson.Node) {
			s.values++
			switch v.Type() {
			case ajson.String:
				text, _ := v.GetString()
				s.length += len(text)
			case ajson.Numeric:
				f, _ := v.GetNumeric()
				s.numbers += f
			case ajson.Array, ajson.Object:
				for _, child := range v.Inheritors() {
					add(child)
				}
			}
		}
		add(root)
		return s, nil
	}
}
