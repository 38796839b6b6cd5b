package web

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hone-go/hone/internal/http/route"
)

// ErrRouteDuplicate is the cause inside an [*AddRouteError] if the route is
// already registered.
var ErrRouteDuplicate = errors.New("adding duplicate route (same method+path) is not allowed")

// An AddRouteError reports a route that could not be registered. The methods
// that register a route panic with it, because the mistake is in the program.
type AddRouteError struct {
	Err    error
	Method string
	Path   string
}

func (e *AddRouteError) Error() string {
	return e.Method + " " + e.Path + ": " + e.Err.Error()
}

func (e *AddRouteError) Unwrap() error { return e.Err }

// Add registers a route. A [RouteNotFound] or OPTIONS route without a handler
// gets the router's default handler. The error is an [*AddRouteError]. It wraps
// [ErrRouteDuplicate] if the method already has a route that matches the same
// paths: always for a Strict route, for others unless overwriting is allowed.
func (r *DefaultRouter) Add(added Route) (RouteInfo, error) {
	refuse := func(err error) (RouteInfo, error) {
		return RouteInfo{}, &AddRouteError{Err: err, Method: added.Method, Path: added.Path}
	}
	if added.Handler == nil {
		switch added.Method {
		case RouteNotFound:
			added.Handler = r.config.NotFoundHandler
			if added.auto404 && r.config.GroupMethodNotAllowed {
				added.Handler = r.groupMissing
			}
		case http.MethodOptions:
			added.Handler = r.config.OptionsMethodHandler
		default:
			return refuse(errNilHandler)
		}
	}
	if added.Method == "" {
		return refuse(errNoMethod)
	}
	var buf [8]route.Part // space for the parts on the stack
	parts := route.Parse(buf[:0], added.Path)
	names := route.Names(parts)
	if n := len(names); added.RestName != "" && n > 0 && names[n-1] == "*" {
		names[n-1] = added.RestName
	}
	if added.Strict {
		if err := checkNames(names); err != nil {
			return refuse(err)
		}
	}
	guard := added.auto404 && added.Path != "" && added.Path != "/*" // a guard for "" or "/*" would have no effect, because no pattern is wider
	if old := r.tree.Get(added.Method, parts); old != nil {
		switch {
		case added.auto404 && !old.Value.auto404:
			replaced := *old // keep the user's own route, which guards the prefix against wider routes
			replaced.Guard = guard
			r.tree.Add(&replaced, parts)
			return old.Value.listed(), nil
		case !old.Value.auto404 && (added.Strict || !r.config.AllowOverwritingRoute):
			return refuse(ErrRouteDuplicate)
		}
	}
	ep := endpoint{handler: added.compiled(), info: added.ToRouteInfo(names), auto404: added.auto404, checkFrom: int32(checkFrom(parts))}
	ep.mount = parts[len(parts)-1].Kind == route.Rest && !added.auto404
	if len(added.Middlewares) > 0 {
		ep.middlewareIDs = withMiddlewareIDs(added.middlewareIDs, added.Middlewares, added.Method+" "+added.Path)
		r.hasMiddleware = true
	}
	if ep.bare = !strings.HasPrefix(added.Path, "/"); ep.bare {
		ep.info.Path = "/" + added.Path
	}
	if added.Method == http.MethodGet && (added.Strict || r.config.AutoHandleHEAD) {
		ep.onHead = withoutBody(ep.handler)
	}
	r.tree.Add(&route.Route[endpoint]{
		AnswersHEAD: ep.onHead != nil, Segments: added.Strict, Guard: guard, Value: ep,
	}, parts)
	return ep.listed(), nil
}

// checkNames reports a parameter without a name, a '*' in a name, and a name that appears twice.
func checkNames(names []string) error {
	for i, name := range names {
		switch {
		case name == "":
			return errors.New("a ':' without a parameter name")
		case name != "*" && strings.Contains(name, "*"):
			return fmt.Errorf("parameter %q contains '*'", name)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("parameter %q appears twice", name)
		}
	}
	return nil
}
