package route

// Names that a route may have instead of a method.
const (
	// NotFound is for requests that match no other route of the path.
	NotFound = "echo_route_not_found"
	// Any is for every method without another route on the same path.
	Any = "echo_route_any"
)

// Methods for which net/http has no constants.
const (
	PROPFIND = "PROPFIND"
	REPORT   = "REPORT"
	QUERY    = "QUERY"
)

// Indices of the methods that a leaf finds without a map. Each index takes space in every leaf,
// so only the methods of most services have one.
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

// methodIndex returns the index of a request's method.
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

// slotOf returns the index of a route's method, which may be [Any] or [NotFound]. The method of
// a request has neither name.
func slotOf(method string) uint8 {
	switch method {
	case Any:
		return methodAny
	case NotFound:
		return methodNotFound
	}
	return uint8(methodIndex(method))
}
