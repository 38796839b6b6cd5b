package api

// A Format is an additional media type of bodies and answers, besides JSON and the wire format;
// see [Operation.Formats]. Its methods are called concurrently. This Format is CBOR, with a
// library of your choice:
//
//	type cborFormat struct{}
//
//	func (cborFormat) MediaType() string { return "application/cbor" }
//	func (cborFormat) Append(dst []byte, v any) ([]byte, error) { b, err := cbor.Marshal(v); return append(dst, b...), err }
//	func (cborFormat) Unmarshal(data []byte, v any) error { return cbor.Unmarshal(data, v) }
//
// Limits and Validate methods apply in every format. Missing, null and unknown members are
// detected in JSON only.
type Format interface {
	// MediaType returns the media type without parameters, in lower case.
	MediaType() string
	// Append appends the encoding of the value that v points to. If it returns an error, the
	// appended bytes are discarded.
	Append(dst []byte, v any) ([]byte, error)
	// Unmarshal decodes data into the value that v points to, which is zero. The buffer of data
	// is reused after Unmarshal has returned. The text of its error is not sent to the client.
	Unmarshal(data []byte, v any) error
}
