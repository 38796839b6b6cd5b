// Package message describes the two messages of an operation by the Go types of its handler:
// how an In becomes a request and an Out becomes an answer. Servers (package api) and clients
// (package client) read the same description, so each reads all that the other writes.
//
// A [Request] says where the fields of an In come from, and a [Response] where the fields of one
// form of an Out go. Each lists the codecs of its body:
//
//	type GetOut struct {
//		ETag string `header:"ETag"` // a field of the Response
//		Body Person `body:""`       // Codecs: JSON, wire, the operation's formats
//	}
//
// A [Codec] is one media type of one body: to append it, to decode it, and its name. It is
// chosen once for a message, by [ByContentType] or [ByAccept]; nothing after that asks which
// media type it is. A [Stream] is a body that is never in memory as a whole.
//
// Everything about a type is found out at set-up, where errors name the type and the field.
// Choosing a codec allocates nothing. Begin to read at [NewRequest] and [Responses].
package message
