package route

import (
	"slices"
	"strings"
)

// Names that a route may have in place of a method.
const (
	// NotFound is for what no other route of the path takes.
	NotFound = "echo_route_not_found"
	// Any is for every method that has no route of its own on the same path.
	Any = "echo_route_any"
)

// Methods that net/http has no constants for.
const (
	PROPFIND = "PROPFIND"
	REPORT   = "REPORT"
	QUERY    = "QUERY"
)

// Indices of the methods that a leaf finds without a map: those that most services
// have, as each is room in every leaf.
const (
	methodOther = iota
	methodDelete
	methodGet
	methodHead
	methodOptions
	methodPatch
	methodPost
	methodPut
	methodAny      // [Any]
	methodNotFound // [NotFound]
	methodCount
)

var methodNames = [methodCount]string{
	methodDelete: "DELETE", methodGet: "GET", methodHead: "HEAD", methodOptions: "OPTIONS",
	methodPatch: "PATCH", methodPost: "POST", methodPut: "PUT",
}

// methodIndex is the index of a request's method.
func methodIndex(method string) int {
	switch method {
	case "GET":
		return methodGet
	case "POST":
		return methodPost
	case "PUT":
		return methodPut
	case "DELETE":
		return methodDelete
	case "PATCH":
		return methodPatch
	case "HEAD":
		return methodHead
	case "OPTIONS":
		return methodOptions
	}
	return methodOther
}

// slotOf is the index of what a route is registered for: a method, [Any] or
// [NotFound]. Requests have no methods of those two names.
func slotOf(method string) uint8 {
	switch method {
	case Any:
		return methodAny
	case NotFound:
		return methodNotFound
	}
	return uint8(methodIndex(method))
}

// renderAllow makes the value of an Allow header. OPTIONS is always allowed,
// since the router answers it itself where no route does.
func renderAllow(methods []string) string {
	slices.Sort(methods)
	var b strings.Builder
	b.WriteString("OPTIONS")
	for _, m := range methods {
		if m != "OPTIONS" {
			b.WriteString(", ")
			b.WriteString(m)
		}
	}
	return b.String()
}
