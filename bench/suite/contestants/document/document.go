// Package document has the contests of libraries that read JSON without Go types.
package document

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/corpus"
)

// Contests returns the contests over the public documents.
func Contests() []contest.Contest {
	return []contest.Contest{
		documentContest("documents/read five members", func(engine) bool { return true }, fiveMembers),
		documentContest("documents/read all values", func(e engine) bool { return e.walk != nil }, allValues),
		queryContest("documents/queries"),
		patchContest("documents/patch a member"),
	}
}

// An engine is a library that reads documents.
type engine struct {
	name  string
	notes []string

	// read returns a function that parses a text and appends the scalars at the paths to dst, each with a newline.
	read func(paths []path) func(dst, text []byte) ([]byte, error)
	// walk returns a function that parses a text and adds all its values to a sum. It is nil if the library has no
	// simple way to do so.
	walk func() func(text []byte) (sum, error)
}

var engines = []engine{
	{"hone", nil, readHone, walkHone},
	{"encoding/json", []string{"decodes into any"}, readStandard, walkStandard},
	{"tidwall/gjson", []string{"does not check the text"}, readGjson, walkGjson},
	{"valyala/fastjson", []string{"copies the text"}, readFastjson, walkFastjson},
	{"buger/jsonparser", []string{"does not check the text"}, readJsonparser, nil},
	{"minio/simdjson-go", nil, readSimdjson, walkSimdjson},
	{"sonic ast", []string{"does not check the rest of the text"}, readSonic, walkSonic},
	{"spyzhov/ajson", nil, readAjson, walkAjson},
}

// A path leads to a value. A step is a string, the name of a member, or an int, the number of an element.
type path []any

// names are the documents of corpus.Public that are one text.
var names = slices.DeleteFunc(slices.Clone(corpus.Public.Names), func(name string) bool { return name == corpus.Lines })

func open(name string) ([]byte, error) {
	d, err := corpus.Public.Open(slices.Index(corpus.Public.Names, name))
	return d.Text, err
}

// A task returns the loop of an engine over a text.
type task func(e engine, text []byte) (func(n int), error)

func documentContest(name string, takesPart func(engine) bool, t task) contest.Contest {
	c := contest.Contest{Name: name, Documents: names}
	for _, e := range engines {
		if !takesPart(e) {
			continue
		}
		c.Contestants = append(c.Contestants, contest.Contestant{Name: e.name, Notes: e.notes, Prepare: func(i int) (func(int), error) {
			text, err := open(names[i])
			if err != nil {
				return nil, err
			}
			return t(e, text)
		}})
	}
	return c
}

// fiveMembers reads five scalars, which are spread over the document.
func fiveMembers(e engine, text []byte) (func(int), error) {
	paths, err := fivePaths(text)
	if err != nil {
		return nil, err
	}
	want, err := readStandard(paths)(nil, text)
	if err != nil {
		return nil, err
	}
	read := e.read(paths)
	buf, err := read(nil, text)
	if err != nil {
		return nil, err
	}
	if !sameLines(buf, want) {
		return nil, fmt.Errorf("reads %.200q, not %.200q", buf, want)
	}
	return contest.Loop(func() { buf, _ = read(buf[:0], text) }), nil
}

// sameLines compares the lines of two texts. Lines with numbers may have different digits of the same number.
func sameLines(got, want []byte) bool {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	return slices.EqualFunc(a, b, func(a, b string) bool {
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		return a == b || errX == nil && errY == nil && x == y
	})
}

// fivePaths returns the paths to five scalars of a text, at a tenth, three tenths and so on of all scalars. If a name
// occurs twice in an object, libraries read different members, and the documents have no such names.
func fivePaths(text []byte) (paths []path, err error) {
	var all []path
	d := stdjson.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := scalars(d, nil, &all); err != nil {
		return nil, err
	}
	for i := range 5 {
		paths = append(paths, all[len(all)*(2*i+1)/10])
	}
	return paths, nil
}

// scalars appends the paths to the scalars of the next value of d, whose path is at, in the order of the text.
func scalars(d *stdjson.Decoder, at path, all *[]path) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch token {
	case stdjson.Delim('{'):
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return err
			}
			if err := scalars(d, append(slices.Clip(at), name.(string)), all); err != nil {
				return err
			}
		}
	case stdjson.Delim('['):
		for i := 0; d.More(); i++ {
			if err := scalars(d, append(slices.Clip(at), i), all); err != nil {
				return err
			}
		}
	default:
		*all = append(*all, at)
		return nil
	}
	_, err = d.Token()
	return err
}

// A sum has the number of values, the length of all strings without the names of members, and the sum of all numbers.
type sum struct {
	values, length int
	numbers        float64
}

// allValues reads all values.
func allValues(e engine, text []byte) (func(int), error) {
	want, err := walkStandard()(text)
	if err != nil {
		return nil, err
	}
	walk := e.walk()
	got, err := walk(text)
	if err != nil {
		return nil, err
	}
	if got.values != want.values || got.length != want.length || math.Abs(got.numbers-want.numbers) > 1e-9*math.Abs(want.numbers) {
		return nil, fmt.Errorf("reads %v, not %v", got, want)
	}
	return contest.Loop(func() { _, _ = walk(text) }), nil
}

// readStandard reads from the result of encoding/json.
func readStandard(paths []path) func(dst, text []byte) ([]byte, error) {
	return func(dst, text []byte) ([]byte, error) {
		var root any
		d := stdjson.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&root); err != nil {
			return dst, err
		}
		for _, p := range paths {
			v := root
			for _, step := range p {
				if name, ok := step.(string); ok {
					v = v.(map[string]any)[name]
				} else {
					v = v.([]any)[step.(int)]
				}
			}
			switch v := v.(type) {
			case string:
				dst = append(dst, v...)
			case stdjson.Number:
				dst = append(dst, v...)
			case bool:
				dst = strconv.AppendBool(dst, v)
			default:
				dst = append(dst, "null"...)
			}
			dst = append(dst, '\n')
		}
		return dst, nil
	}
}

func walkStandard() func(text []byte) (sum, error) {
	return func(text []byte) (s sum, err error) {
		var root any
		err = stdjson.Unmarshal(text, &root)
		s.addAny(root)
		return s, err
	}
}

func (s *sum) addAny(v any) {
	s.values++
	switch v := v.(type) {
	case string:
		s.length += len(v)
	case float64:
		s.numbers += v
	case []any:
		for _, child := range v {
			s.addAny(child)
		}
	case map[string]any:
		for _, child := range v {
			s.addAny(child)
		}
	}
}
