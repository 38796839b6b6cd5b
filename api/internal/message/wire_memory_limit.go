package message

import (
	"math"

	"github.com/hone-go/hone/wire"
)

// requestCodec returns the codec of bodies in the binary format. It bounds the memory by [MaxMemory].
func requestCodec(of *wire.AnyCodec) Codec {
	c, bounded := wireCodec(of), of.WithLimits(wire.Limits{AtMost: MaxMemory})
	c.Decode = func(data []byte, v any) error {
		if len(data) <= MaxMemory/memoryPerByte {
			return bounded.Unmarshal(data, v)
		}
		// The body is longer than [MaxElement], which is possible if the operation sets a higher
		// limit than the default.
		memory := memoryPerByte * min(len(data), math.MaxInt/memoryPerByte)
		return of.WithLimits(wire.Limits{AtMost: memory}).Unmarshal(data, v)
	}
	return c
}

// MaxElement is the maximum number of bytes of one encoded element of a stream, or of one event.
const MaxElement = 4 << 20

// MaxMemory is the maximum number of bytes of memory that a decoded body in the binary format, or one
// element of a stream, may take. A body that is longer than MaxMemory/memoryPerByte may take
// memoryPerByte bytes for each of its bytes. Without the bound, each byte of a list of evolving structs
// that omit their fields could take 256 bytes of memory.
const (
	MaxMemory     = memoryPerByte * MaxElement
	memoryPerByte = 16
)
