package prometheus

// knownMethod returns a method of RFC 9110 or RFC 5789 unchanged, or "_OTHER" for other methods.
func knownMethod(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE":
		return method
	}
	return "_OTHER"
}
