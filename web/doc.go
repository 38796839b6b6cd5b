// Package web is an HTTP framework on net/http with the API of Echo v5: change
// the import, keep the handlers.
//
//	e := web.New()
//	e.Use(middleware.Recover())
//	e.GET("/hello/:name", func(c *web.Context) error {
//		return c.String(http.StatusOK, "hello, "+c.Param("name"))
//	})
//	err := web.StartConfig{Address: ":8080"}.Start(ctx, e)
//
// An [Echo] is an http.Handler. It routes each request ([Router]), runs the
// middleware around the handler of the route, and passes an error of the chain to
// the [HTTPErrorHandler]. A [Group] is a set of routes with one path prefix and
// one list of middleware.
//
// # Handlers of net/http, and typed handlers
//
// [Echo.AddHandler] registers an http.Handler under a pattern of net/http. An
// Echo, and a Group, is therefore a router for the typed handlers of package api:
//
//	api.Handle(e, "GET /v1/hosts/{host}", func(ctx context.Context, in *In) (*Out, error) { … })
//
// # Files
//
// The prefix of a file's name is its subject: route_ for routing (the tree of routes is
// internal/http/route), bind_ for reading requests, response_ for writing responses,
// serve_ for servers, addresses and hosts. echo.go and context.go connect them.
// error*.go hold the errors, reuse.go the end of a request and the pool of Contexts,
// and reuse_*.go select the builds that never reuse a Context.
//
// # Costs
//
// Work that depends only on a route or a configuration is done once: middleware
// is wrapped when a route is registered, or after Use has changed the chain, and
// not for each request. Dispatching a request allocates nothing.
//
// # Guarantees
//
//   - A mistake in a route panics with an [*AddRouteError] when the route is registered.
//   - If a value cannot be encoded, the response has not been started.
//   - Request bodies are limited to [DefaultBodyLimit] unless configured, and
//     [StartConfig] sets every timeout of the server.
//   - A client receives the text of an error only if the text is meant for clients.
//
// # Stability
//
// Names of Echo v5 keep their signatures. Other names may change until v1.
package web
