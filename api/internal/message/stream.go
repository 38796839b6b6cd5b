package message

import (
	"io"
	"reflect"
)

// A Stream is a body that is never completely in memory: bytes, or [Elements].
type Stream interface {
	// Elem returns the type of the elements, and nil for a stream of bytes.
	Elem() reflect.Type
}

// Elements is a stream of values of one type T.
type Elements interface {
	Stream
	// WriteTo writes the elements in the media type of c: [JSON], [NDJSON] or [WireStream].
	WriteTo(w io.Writer, c Codec) error
	// Fill sets the elements to a sequence that can be ranged over once. For each element the
	// sequence calls the function next with a *T, until next returns false. If next returns an error
	// other than io.EOF, the sequence yields this error in place of a value. When the iteration ends,
	// also early or with an error, the sequence calls the function end.
	Fill(next func(v any) (more bool, err error), end func())
}

// A Streamer is a type of a body that is a stream.
type Streamer interface{ Stream() Stream }

// StreamOf returns the stream of v, a pointer, and nil if v is not a stream.
func StreamOf(v any) Stream {
	if s, ok := v.(Streamer); ok {
		return s.Stream()
	}
	return nil
}

// streamType returns a stream of type t, and nil if t is not the type of a stream.
func streamType(t reflect.Type) Stream {
	return StreamOf(reflect.Zero(reflect.PointerTo(t)).Interface())
}
