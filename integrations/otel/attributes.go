package otel

import (
	"net"
	"net/http"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// request returns the attributes of a span that are known before next handles the request.
func (h *handler) request(r *http.Request, common []attribute.KeyValue) []attribute.KeyValue {
	a := append(make([]attribute.KeyValue, 0, 12), common...)
	a = append(a, semconv.URLPath(text(r.URL.EscapedPath())), semconv.NetworkProtocolVersion(protocol(r)))
	if common[0].Value.AsString() == "_OTHER" {
		a = append(a, semconv.HTTPRequestMethodOriginal(text(r.Method)))
	}
	if host, port, err := net.SplitHostPort(r.Host); err == nil {
		a = append(a, semconv.ServerAddress(text(host)))
		if n, err := strconv.ParseUint(port, 10, 16); err == nil {
			a = append(a, semconv.ServerPort(int(n)))
		}
	} else if r.Host != "" {
		a = append(a, semconv.ServerAddress(text(r.Host)))
	}
	if host, port, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		n, _ := strconv.Atoi(port)
		a = append(a, semconv.NetworkPeerAddress(host), semconv.NetworkPeerPort(n))
	}
	if agent := r.UserAgent(); agent != "" {
		a = append(a, semconv.UserAgentOriginal(text(agent)))
	}
	return a
}

// knownMethod returns a method of RFC 9110 or RFC 5789 unchanged, or "_OTHER" for other methods.
func knownMethod(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE":
		return method
	}
	return "_OTHER"
}

// protocol returns the version of HTTP, such as "1.1" or "2".
func protocol(r *http.Request) string {
	switch {
	case r.ProtoMajor >= 2:
		return strconv.Itoa(r.ProtoMajor)
	case r.ProtoMinor == 0:
		return "1.0"
	}
	return "1.1"
}

// text returns the first 256 bytes of a text from a client. It replaces invalid UTF-8, because
// exporters refuse whole batches that contain it.
func text(s string) string { return strings.ToValidUTF8(s[:min(len(s), 256)], "\uFFFD") }
