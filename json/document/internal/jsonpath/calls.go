package jsonpath

// Calls calls yield with each call of a function in q.
func (q *Query) Calls(yield func(*Call)) {
	for _, segment := range q.Segments {
		for _, s := range segment.Selectors {
			callsOf(s.Filter, yield)
		}
	}
}

// callsOf implements Calls for an expression, an operand or nil.
func callsOf(x any, yield func(*Call)) {
	switch x := x.(type) {
	case Or:
		for _, part := range x {
			callsOf(part, yield)
		}
	case And:
		for _, part := range x {
			callsOf(part, yield)
		}
	case Not:
		callsOf(x.Of, yield)
	case Exists:
		x.Query.Calls(yield)
	case Comparison:
		callsOf(x.Left, yield)
		callsOf(x.Right, yield)
	case *Query:
		x.Calls(yield)
	case *Call:
		yield(x)
		for _, argument := range x.Arguments {
			callsOf(argument, yield)
		}
	}
}
