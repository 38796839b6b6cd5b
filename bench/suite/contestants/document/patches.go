package document

import (
	stdjson "encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/buger/jsonparser"
	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/ast"
	"github.com/minio/simdjson-go"
	"github.com/spyzhov/ajson"
	"github.com/tidwall/sjson"
	"github.com/valyala/fastjson"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/json/document"
)

// patchedText is the value that the contest sets.
const patchedText = "patched"

// A patchEngine returns a function that sets the value at a path to patchedText, and appends the new text to dst.
type patchEngine struct {
	name    string
	notes   []string
	prepare func(p path) func(dst, text []byte) ([]byte, error)
}

var patchEngines = []patchEngine{
	{"hone", nil, patchHone},
	{"encoding/json", []string{"decodes into any"}, patchStandard},
	{"tidwall/sjson", []string{"does not check the text"}, patchSjson},
	{"valyala/fastjson", []string{"copies the text"}, patchFastjson},
	{"buger/jsonparser", []string{"does not check the text"}, patchJsonparser},
	{"minio/simdjson-go", []string{"rewrites numbers"}, patchSimdjson},
	{"sonic ast", []string{"does not check the rest of the text"}, patchSonic},
	{"spyzhov/ajson", nil, patchAjson},
}

// patchPath returns the path to one of the five values of a document: the third, or the next one after it that is a
// string or a number, because simdjson-go sets only such values.
func patchPath(text []byte) (path, error) {
	paths, err := fivePaths(text)
	if err != nil {
		return nil, err
	}
	values, err := readStandard(paths)(nil, text)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(values), "\n")
	for i := range paths {
		k := (i + 2) % len(paths)
		if !slices.Contains([]string{"true", "false", "null"}, lines[k]) {
			return paths[k], nil
		}
	}
	return nil, errors.New("the five values are all true, false or null")
}

// patchContest returns the contest in which a value of each document is set.
func patchContest(name string) contest.Contest {
	c := contest.Contest{Name: name, Documents: names}
	for _, e := range patchEngines {
		c.Contestants = append(c.Contestants, contest.Contestant{Name: e.name, Notes: e.notes, Prepare: func(i int) (func(int), error) {
			text, err := open(names[i])
			if err != nil {
				return nil, err
			}
			p, err := patchPath(text)
			if err != nil {
				return nil, err
			}
			patch := e.prepare(p)
			buf, err := patch(nil, text)
			if err != nil {
				return nil, err
			}
			want, err := patchStandard(p)(nil, text)
			if err != nil {
				return nil, err
			}
			var got, standard any
			if err := errors.Join(stdjson.Unmarshal(buf, &got), stdjson.Unmarshal(want, &standard)); err != nil {
				return nil, err
			}
			if !reflect.DeepEqual(got, standard) {
				return nil, errors.New("writes another document")
			}
			return contest.Loop(func() { buf, _ = patch(buf[:0], text) }), nil
		}})
	}
	return c
}

func patchHone(p path) func(dst, text []byte) ([]byte, error) {
	pointer := ""
	for _, step := range keysOf([]path{p}, strings.NewReplacer("~", "~0", "/", "~1").Replace, strconv.Itoa)[0] {
		pointer += "/" + step
	}
	var doc document.Document
	return func(dst, text []byte) ([]byte, error) {
		if err := doc.Parse(text); err != nil {
			return dst, err
		}
		e := doc.Edit()
		if err := e.Set(pointer, patchedText); err != nil {
			return dst, err
		}
		return e.Append(dst)
	}
}

func patchStandard(p path) func(dst, text []byte) ([]byte, error) {
	return func(dst, text []byte) ([]byte, error) {
		var root any
		if err := stdjson.Unmarshal(text, &root); err != nil {
			return dst, err
		}
		v := root
		for _, step := range p[:len(p)-1] {
			if name, ok := step.(string); ok {
				v = v.(map[string]any)[name]
			} else {
				v = v.([]any)[step.(int)]
			}
		}
		if name, ok := p[len(p)-1].(string); ok {
			v.(map[string]any)[name] = patchedText
		} else {
			v.([]any)[p[len(p)-1].(int)] = patchedText
		}
		return stdjson.Marshal(root)
	}
}

func patchSjson(p path) func(dst, text []byte) ([]byte, error) {
	at := strings.Join(keysOf([]path{p}, gjsonName.Replace, strconv.Itoa)[0], ".")
	return func(_, text []byte) ([]byte, error) {
		return sjson.SetBytesOptions(text, at, patchedText, &sjson.Options{Optimistic: true})
	}
}

func patchFastjson(p path) func(dst, text []byte) ([]byte, error) {
	keys := keysOf([]path{p}, func(name string) string { return name }, strconv.Itoa)[0]
	var parser fastjson.Parser
	var arena fastjson.Arena
	return func(dst, text []byte) ([]byte, error) {
		root, err := parser.ParseBytes(text)
		if err != nil {
			return dst, err
		}
		arena.Reset()
		root.Get(keys[:len(keys)-1]...).Set(keys[len(keys)-1], arena.NewString(patchedText))
		return root.MarshalTo(dst), nil
	}
}

func patchJsonparser(p path) func(dst, text []byte) ([]byte, error) {
	keys := keysOf([]path{p}, func(name string) string { return name }, func(i int) string { return "[" + strconv.Itoa(i) + "]" })[0]
	return func(_, text []byte) ([]byte, error) {
		return jsonparser.Set(text, []byte(strconv.Quote(patchedText)), keys...)
	}
}

func patchSimdjson(p path) func(dst, text []byte) ([]byte, error) {
	var parsed *simdjson.ParsedJson
	return func(dst, text []byte) ([]byte, error) {
		var err error
		if parsed, err = simdjson.Parse(text, parsed); err != nil {
			return dst, err
		}
		v, err := findSimdjson(parsed, p)
		if err != nil {
			return dst, err
		}
		if err := v.SetString(patchedText); err != nil {
			return dst, err
		}
		root := parsed.Iter()
		return root.MarshalJSONBuffer(dst)
	}
}

func patchSonic(p path) func(dst, text []byte) ([]byte, error) {
	return func(_, text []byte) ([]byte, error) {
		root, err := sonic.Get(text)
		if err != nil {
			return nil, err
		}
		parent := root.GetByPath(p[:len(p)-1]...)
		value := ast.NewString(patchedText)
		if name, ok := p[len(p)-1].(string); ok {
			_, err = parent.Set(name, value)
		} else {
			_, err = parent.SetByIndex(p[len(p)-1].(int), value)
		}
		if err != nil {
			return nil, err
		}
		return root.MarshalJSON()
	}
}

func patchAjson(p path) func(dst, text []byte) ([]byte, error) {
	return func(dst, text []byte) ([]byte, error) {
		root, err := ajson.Unmarshal(text)
		if err != nil {
			return dst, err
		}
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
		if err := v.SetString(patchedText); err != nil {
			return dst, err
		}
		return ajson.Marshal(root)
	}
}
