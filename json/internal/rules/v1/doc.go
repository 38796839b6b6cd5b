// Package v1 contains the code that all releases of version 1 share: the calls, and the rules for
// types with methods, interfaces, numbers and maps. Packages go126 and go127 contain the rules of one
// release each. A rule that two releases share is here, and a rule that one release changed is in
// its package.
//
// [Decoding] holds the compiled decoders of a release. A call takes a [Decoder] for it from a pool.
// The Decoder embeds a [decode.Decoder] and implements [decode.Faults]. It asks its [Release] what
// differs.
package v1
