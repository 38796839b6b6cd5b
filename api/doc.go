// Package api makes HTTP APIs of functions: one from a struct to a struct is a
// handler, on any router.
//
//	type In struct {
//		Host  string         `path:"host"`
//		Limit mo.Option[int] `query:"limit" min:"1" max:"1000"`
//	}
//
//	mux := http.NewServeMux()
//	api.Handle(api.Mux(mux), "GET /v1/hosts/{host}", func(ctx context.Context, in *In) (*Out, error) { … })
//
// Path, query, header, cookie and form fields are bound by their tags, the body
// by its Content-Type; the answer is encoded as the client accepts; an error
// becomes a problem document (RFC 9457). [HandleEvents] answers with server-sent
// events. [Elements] and [Content] are bodies and answers that are never in
// memory as a whole.
//
// # Routers
//
// A [Router] takes handlers under patterns of net/http. [Mux] makes one of an
// http.ServeMux; Echo and Group of package web are routers as they are; module
// integrations/routers has adapters for chi, gorilla/mux and httprouter. [New]
// makes a router that keeps a [Description] of each handler, which package
// api/openapi makes the API's document from.
//
// # Guarantees
//
//   - A mistake in a pattern or a type is a panic when the handler is registered,
//     with a [*RouteError].
//   - A value that cannot be encoded leaves the response unbegun.
//   - Request bodies are limited to [DefaultBodyLimit] unless configured.
//   - The text of an error that is not meant for the client does not reach it.
//   - A typed handler allocates its In. On web, calling it allocates nothing else.
//
// # Stability
//
// Names may change until v1.
package api
