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
// middleware around the handler that it found, and gives an error that comes
// back to the [HTTPErrorHandler]. A [Group] is a set of routes under one prefix
// and behind one set of middleware.
//
// # Handlers of net/http, and typed handlers
//
// [Echo.AddHandler] registers an http.Handler under a pattern of net/http. It
// makes an Echo, and a Group, a router for the typed handlers of package api:
//
//	api.Handle(e, "GET /v1/hosts/{host}", func(ctx context.Context, in *In) (*Out, error) { … })
//
// # Files
//
// The prefix of a file's name says what it is about: route_ for routing (the tree
// of routes is internal/http/route), bind_ for reading requests, response_ for writing
// answers, serve_ for servers, addresses and hosts. echo.go and context.go tie
// them together; what begins with error is the errors, and reuse_ says for which
// builds Contexts are never reused.
//
// # Costs
//
// What depends only on a route or a configuration is worked out once:
// middleware is wrapped when a route is registered, or when Use has changed the
// chain, and never for each request. Dispatching a request allocates nothing.
//
// # Guarantees
//
//   - A mistake in a route is a panic when it is registered, with a [*AddRouteError].
//   - A value that cannot be encoded leaves the response unbegun.
//   - Request bodies are limited to [DefaultBodyLimit] unless configured, and
//     [StartConfig] sets every timeout of the server.
//   - Text of an error that is not meant for the client does not reach it.
//
// # Stability
//
// Names that Echo v5 has keep its signatures. The rest may change until v1.
package web
