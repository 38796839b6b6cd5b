package api

import (
	"fmt"
	"mime"
	"strings"
)

// A Format is a media type that bodies and answers may have beside JSON and the wire format;
// see [Operation.Formats]. Its methods are called by several goroutines. For CBOR, with a
// library of one's choice:
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

// A format is a way to write a body that typed handlers know.
type format uint8

const (
	formatUnknown format = iota
	formatJSON
	formatWire
	formatNDJSON
	formatWireStream
	formatOther // the first of those of the operation
)

// mediaTypes of the formats.
var mediaTypes = [...]string{
	formatJSON: mediaTypeJSON, formatWire: MediaTypeWire, formatNDJSON: MediaTypeNDJSON, formatWireStream: MediaTypeWireStream,
}

// others are the formats of an operation.
type others []Format

// check finds what is wrong with them.
func (o others) check() error {
	met := map[string]bool{}
	for _, f := range o {
		name := f.MediaType()
		parsed, params, err := mime.ParseMediaType(name)
		known := met[name]
		for _, t := range mediaTypes {
			known = known || t == name
		}
		switch {
		case err != nil || parsed != name || len(params) > 0 || !strings.Contains(name, "/") || strings.Contains(name, "*"):
			return fmt.Errorf("the format %T has %q, which is no media type in lower case", f, name)
		case known:
			return fmt.Errorf("there are two formats for %s", name)
		}
		met[name] = true
	}
	return nil
}

// mediaType returns that of a format.
func (o others) mediaType(f format) string {
	if f >= formatOther {
		return o[f-formatOther].MediaType()
	}
	return mediaTypes[f]
}

// named returns the format of a media type, or formatUnknown.
func (o others) named(mediaType string) format {
	for i, f := range o {
		if strings.EqualFold(f.MediaType(), mediaType) {
			return formatOther + format(i)
		}
	}
	return formatUnknown
}

// list returns the formats themselves.
func (o others) list() []format {
	all := make([]format, len(o))
	for i := range o {
		all[i] = formatOther + format(i)
	}
	return all
}
