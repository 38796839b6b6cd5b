// Package route finds the route of a request: it holds patterns, a radix tree of
// routes, and the lists of allowed methods. It does not depend on requests or handlers:
// a route stores a value of a type that the caller chooses.
//
// Patterns have two syntaxes. [Parse] parses patterns of Echo (":name", "*"), and [ParseHTTP] parses
// the path of a net/http pattern ("{name}", "{name...}", "{$}").
package route
