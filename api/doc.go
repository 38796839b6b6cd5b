// Package api turns functions into HTTP APIs: a function from a struct to a struct
// becomes a handler, on any router.
//
//	type In struct {
//		Host  string         `path:"host"`
//		Limit mo.Option[int] `query:"limit" min:"1" max:"1000"`
//	}
//
//	mux := http.NewServeMux()
//	api.Handle(api.Mux(mux), "GET /v1/hosts/{host}", func(ctx context.Context, in *In) (*Out, error) { … })
//
// Path, query, header, cookie and form fields are bound by their tags, and the body by its
// Content-Type. The answer is encoded in the format that the client prefers. An error becomes a
// problem document (RFC 9457). [HandleEvents] answers with server-sent events. [Elements] and
// [Content] are bodies and answers that are never completely in memory.
//
// # Routers
//
// A [Router] registers handlers under patterns of net/http. [Mux] makes a Router of an
// http.ServeMux. Echo and Group of package web are Routers already. Module
// integrations/routers has adapters for chi, gorilla/mux and httprouter. [New] returns a
// Router that keeps a [Description] of each handler. Package api/openapi generates the
// API's document from the Descriptions.
//
// # Other packages
//
// Package api/client calls the handlers with their Go types, api/security authenticates
// callers, and api/apitest tests an API against its document.
//
// # Guarantees
//
//   - A mistake in a pattern or a type panics with a [*RouteError] when the handler is
//     registered.
//   - If a value cannot be encoded, the response has not been started.
//   - Request bodies are limited to [DefaultBodyLimit] unless configured.
//   - A client receives the text of an error only if the text is meant for clients.
//   - A typed handler allocates its In. On package web, calling it allocates nothing else.
//
// # Stability
//
// Names may change until v1.
package api
