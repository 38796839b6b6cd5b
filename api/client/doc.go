// Package client calls the typed handlers of a server with their Go types.
//
//	c, err := client.New("https://example.org")
//	getHost := client.Call[HostIn, HostOut](c, "GET /v1/hosts/{host}")
//	…
//	host, err := getHost(ctx, &HostIn{Host: "a/b"})
//
// [Call] returns a function with the signature of the handler, and [CallEvents] one that
// follows a stream of server-sent events. Both read the same tags as api.Handle: the handler
// gets an In with the values that the client sent, and the client gets the Out that the handler
// returned.
//
// # Guarantees
//
//   - A mistake in a pattern or a type panics in Call, with an [*api.RouteError].
//   - If the status is 400 or more, the error is an [*api.Problem] whose chain has an [*AnswerError].
//   - Answers that are read into memory are limited to [DefaultAnswerLimit] unless configured.
//   - After a redirect to another host or scheme, header fields that may be secret are not sent.
//   - A request is retried only if [Retry] allows it and repeating it is harmless.
//
// # Stability
//
// Names may change until v1.
package client
