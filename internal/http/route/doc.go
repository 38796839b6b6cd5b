// Package route finds the route of a request: patterns, a radix tree of them,
// and the lists of allowed methods. It knows neither requests nor handlers; a
// route carries a value of the caller's type.
//
// There are two forms of patterns. [Parse] reads Echo's (":name", "*"),
// [ParseHTTP] the path of a pattern of net/http ("{name}", "{name...}", "{$}").
package route
