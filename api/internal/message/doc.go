// Package message describes the two messages of an operation by the Go types of its handler: how an
// In becomes a request and an Out becomes an answer. Servers (package api) and clients (package
// client) use the same description, so that each side can read everything that the other side
// writes.
//
// A [Request] has the source of each field of an In. A [Response] has the target of each field of
// an Out: the status, the header, a cookie or the body. If Out is a union of structs with different
// statuses, each struct is a variant with a Response of its own. Requests and Responses list the
// codecs of their bodies:
//
//	type GetOut struct {
//		ETag string `header:"ETag"` // a field of the Response
//		Body Person `body:""`       // Codecs: JSON, wire, the operation's formats
//	}
//
// A [Codec] appends and decodes one body in one media type. It is chosen once for a message, by
// [ByContentType] or [ByAccept]; later steps do not depend on the media type. A [Stream] is a body
// that is never completely in memory.
//
// Everything about a type is computed at set-up, where errors name the type and the field.
// Choosing a codec allocates nothing. Start reading at [NewRequest] and [Responses].
package message
