package api

// A Format is a media type that bodies and answers may have besides JSON and the wire format;
// see [Operation.Formats]. Its methods are called by several goroutines. For CBOR, with a
// library of your choice:
//
//	type cborFormat struct{}
//
//	func (cborFormat) MediaType() string { return "application/cbor" }
//	func (cborFormat) Append(dst []byte, v any) ([]byte, error) { b, err := cbor.Marshal(v); return append(dst, b...), err }
//	func (cborFormat) Unmarshal(data []byte, v any) error { return cbor.Unmarshal(data, v) }
//
// Limits and methods Validate hold in every format. Which members are missing, null or
// unknown is found in JSON alone.
type Format interface {
	// MediaType returns the media type without parameters, in lower case.
	MediaType() string
	// Append appends the encoding of what v points to. If it returns an error, what it
	// has appended is dropped.
	Append(dst []byte, v any) ([]byte, error)
	// Unmarshal decodes data, which is used again after it has returned, into what v points
	// to, which is zero. The text of its error is not shown to the client.
	Unmarshal(data []byte, v any) error
}
