// Package routed names the methods by which a router and the typed handlers of package api know each other.
// Package web implements the interfaces of a request, and package api the interface of a handler. Neither imports
// the other.
package routed

import (
	"log/slog"
	"net/http"
)

// A Handler takes path values from the router, and returns an error to it.
type Handler interface {
	http.Handler
	// ServeRoute is like ServeHTTP, but reads the path values from path, and returns an error instead of
	// answering with it. path may implement the other interfaces of this package.
	ServeRoute(w http.ResponseWriter, r *http.Request, path Path) error
}

// Path has the decoded path values of a request. An *http.Request is one.
type Path = interface{ PathValue(name string) string }

// A BodyLimiter has the limit of the request's body, in bytes: 0 if there is none, negative for no limit.
type BodyLimiter interface{ BodyLimit() int64 }

// A FormMemory has the number of bytes of a multipart form's files that are kept in memory.
type FormMemory interface{ FormMemory() int64 }

// A Logged request has a logger.
type Logged interface{ Logger() *slog.Logger }

// A Store has the values that middleware has stored for the request. Stored returns nil for an unknown key.
type Store interface{ Stored(key string) any }

// A Request implements all interfaces of a request.
type Request interface {
	Path
	BodyLimiter
	FormMemory
	Logged
	Store
	// Get is like PathValue and also reports whether the route has the parameter.
	Get(name string) (value string, ok bool)
}
