// Package web is an HTTP framework on net/http with the API of Echo v5: change
// the import, keep the handlers. It adds typed handlers, which bind a request
// to a struct and answer with one.
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
// # Typed handlers
//
// [Handle] registers a function from a struct to a struct. Path, query and
// header fields are bound by tag, the body by its Content-Type, the answer is
// encoded as the client accepts, and errors become problem documents.
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
