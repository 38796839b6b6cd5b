package document

import (
	"errors"
	"iter"

	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/json/document/internal/jsonpath"
)

// A Path is a compiled JSONPath query (RFC 9535), such as $.store.book[?@.price < 10].title. It has all functions of
// the RFC. Several goroutines may use it at once.
//
// Names are compared exactly. If a name occurs twice in an object, a selector with the name selects the last member,
// and a wildcard selects both. Numbers are compared as float64, and integers that fit into an int64 exactly. Arrays and
// objects are compared as by [Value.Equal]. The zero Path selects nothing.
type Path struct {
	text     string
	query    *jsonpath.Query
	patterns map[*jsonpath.Call]*jsonpath.Pattern // of the calls with a literal as pattern; nil for an invalid one
	maxSteps int
}

// PathOptions are the options of [CompilePath].
type PathOptions struct {
	// MaxSteps is the maximum number of steps of one [Value.Select]. Each value that the query visits is a step, and
	// comparisons, look-ups and regular expressions take steps in proportion to their work. If it is 0, the limit is [DefaultMaxSteps].
	MaxSteps int
}

// DefaultMaxSteps is the limit of steps for queries without [PathOptions]. They take less than a second on most
// machines.
const DefaultMaxSteps = 10_000_000

// CompilePath compiles a query. The error says where the text is not a query.
func CompilePath(query string, options ...PathOptions) (*Path, error) {
	q, err := jsonpath.Parse(query)
	if err != nil {
		return nil, err
	}
	p := &Path{text: query, query: q, maxSteps: variadic.Only(options).MaxSteps}
	if p.maxSteps <= 0 {
		p.maxSteps = DefaultMaxSteps
	}
	if err := p.compilePatterns(q); err != nil {
		return nil, err
	}
	return p, nil
}

// MustCompilePath is like [CompilePath], but panics if the text is not a query.
func MustCompilePath(query string) *Path {
	p, err := CompilePath(query)
	if err != nil {
		panic("document: " + err.Error())
	}
	return p
}

// String returns the text of the query.
func (p *Path) String() string { return p.text }

// maxStates is the limit of the states of all regular expressions in a query.
const maxStates = 100_000

// compilePatterns compiles the regular expressions in q. Each takes memory in proportion to its states.
func (p *Path) compilePatterns(q *jsonpath.Query) error {
	states := 0
	q.Calls(func(c *jsonpath.Call) {
		if !c.Function.IsLogical() {
			return
		}
		if literal, ok := c.Arguments[1].(jsonpath.Literal); ok && literal.IsString {
			if p.patterns == nil {
				p.patterns = map[*jsonpath.Call]*jsonpath.Pattern{}
			}
			if states > maxStates {
				return
			}
			pattern, _ := jsonpath.Compile(c.Function, literal.Text) // without a valid pattern the call is false
			if p.patterns[c] = pattern; pattern != nil {
				states += pattern.States()
			}
		}
	})
	if states > maxStates {
		return errors.New("document: the regular expressions of the JSONPath query are too large")
	}
	return nil
}

// Select returns an iterator over the values that p selects, in the order of RFC 9535. $ is v, which may be a part of
// a larger text. If v is a failure, the iterator yields v. If the query takes more steps than [PathOptions.MaxSteps],
// or visits values that are nested in more than 40,000 levels of the text and of filters, the last Value that the
// iterator yields is a failure with [ErrPathSteps].
//
//	for title := range doc.Root().Select(titles) {
//		if err := title.Err(); err != nil {
//			return err
//		}
func (v Value) Select(p *Path) iter.Seq[Value] {
	return func(yield func(Value) bool) {
		switch {
		case !v.ok():
			yield(v)
			return
		case p == nil || p.query == nil:
			return
		}
		s := selection{path: p, doc: v.doc, root: int(v.index), steps: p.maxSteps}
		s.apply(p.query.Segments, s.root, func(t int) bool { return yield(v.at(t)) && v.ok() })
		if s.steps < 0 && v.ok() {
			yield(v.fails(failure{err: ErrPathSteps}))
		}
	}
}
