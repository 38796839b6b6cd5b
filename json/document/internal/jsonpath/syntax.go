// Package jsonpath reads JSONPath queries (RFC 9535).
package jsonpath

// A Query selects nodes of a JSON document.
type Query struct {
	Relative bool // it begins with @, and not with $
	Segments []Segment
	Singular bool // it selects at most one node: each segment is a name or an index
}

// A Segment selects children of the nodes that the previous segment has selected.
type Segment struct {
	Descendants bool // the selectors also apply to all descendants of the nodes
	Selectors   []Selector
}

// A Selector selects children of a node.
type Selector struct {
	Kind             SelectorKind
	Name             string  // of a member, for Name
	Index            int64   // for Index; from the end if it is negative
	Start, End, Step int64   // for Slice
	HasStart, HasEnd bool    // for Slice; Start and End are 0 if they are missing
	Filter           Logical // for Filter
}

// A SelectorKind is the kind of a [Selector].
type SelectorKind uint8

// The kinds of selectors.
const (
	Name SelectorKind = iota
	Wildcard
	Index
	Slice
	Filter
)

// A Logical is an expression that is true or false: [Or], [And], [Not], [Comparison], [Exists] or
// [*Call] of [Match] and [Search].
type Logical interface{ logical() }

type (
	// Or is true if one of its expressions is true.
	Or []Logical
	// And is true if all its expressions are true.
	And []Logical
	// Not is true if its expression is false.
	Not struct{ Of Logical }
	// Exists is true if its query selects a node.
	Exists struct{ Query *Query }
	// A Comparison compares two values.
	Comparison struct {
		Left, Right Operand
		Op          Operator
	}
)

func (Or) logical()         {}
func (And) logical()        {}
func (Not) logical()        {}
func (Exists) logical()     {}
func (Comparison) logical() {}
func (*Call) logical()      {}

// An Operand is an expression with a value, or without one: a [Literal], a [*Query] or a [*Call].
// As an operand of a comparison, a query is singular.
type Operand interface{ operand() }

func (Literal) operand() {}
func (*Query) operand()  {}
func (*Call) operand()   {}

// A Literal is a value in a query.
type Literal struct {
	IsString bool
	Text     string  // the content of a string, a number, true, false or null
	Float    float64 // of a number; an infinity if it is out of range
	Integer  int64   // of a number that is an int64
	Whole    bool    // Integer is set
}

// A Call is a call of a function.
type Call struct {
	Function  Function
	Arguments []Operand
}

// A Function is a function of RFC 9535, section 2.4.
type Function string

// The functions.
const (
	Length Function = "length"
	Count  Function = "count"
	Value  Function = "value"
	Match  Function = "match"
	Search Function = "search"
)

// A parameter says which arguments a function takes.
type parameter uint8

const (
	values parameter = iota // literals, singular queries, and calls with a value
	nodes                   // queries
)

// signatures are the parameters of functions.
var signatures = map[Function][]parameter{
	Length: {values},
	Count:  {nodes},
	Value:  {nodes},
	Match:  {values, values},
	Search: {values, values},
}

// IsLogical reports whether the result of a call is true or false instead of a value.
func (f Function) IsLogical() bool { return f == Match || f == Search }

// An Operator compares two values.
type Operator string

// The operators.
const (
	Equal          Operator = "=="
	NotEqual       Operator = "!="
	Less           Operator = "<"
	LessOrEqual    Operator = "<="
	Greater        Operator = ">"
	GreaterOrEqual Operator = ">="
)

// operators has each operator before the operators that it begins with.
var operators = []Operator{Equal, NotEqual, LessOrEqual, GreaterOrEqual, Less, Greater}
