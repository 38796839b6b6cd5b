// Package routers registers typed handlers of package api with routers of other modules. The patterns
// have the syntax of net/http:
//
//	r := chi.NewRouter()
//	api.Handle(routers.Chi(r), "GET /v1/hosts/{host}", …)
//
// Path values are decoded, a GET route also handles HEAD, and "{name...}" matches the remaining path. If
// a router cannot express a pattern, registration returns an error that names the pattern and the
// router. [Chi], [Gorilla] and [HTTPRouter] document these patterns.
//
// Middleware, groups, 404 and 405 are handled by the router.
package routers
