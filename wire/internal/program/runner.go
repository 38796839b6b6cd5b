package program

import (
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
)

// A Runner is a program with the limits and the aliasing of one codec. Codecs of one type share its
// program and differ in these settings. The methods of a Runner are the methods of its program,
// with the settings filled in.
type Runner struct {
	*Program
	Limits budget.Limits
	Alias  bool // decoded strings and byte slices may point into the input
}

// Append appends the value at a to dst.
func (r *Runner) Append(dst []byte, isNil bool, a mem.Pointer) ([]byte, error) {
	return r.Program.Append(dst, isNil, a, r.Limits)
}

// Marshal returns the encoding of the value at a.
func (r *Runner) Marshal(isNil bool, a mem.Pointer) ([]byte, error) {
	return r.Program.Marshal(isNil, a, r.Limits)
}

// Size returns the length of the encoding of the value at a.
func (r *Runner) Size(isNil bool, a mem.Pointer) (int, error) {
	return r.Program.Size(isNil, a, r.Limits)
}

// Unmarshal decodes the whole of data into the value at a.
func (r *Runner) Unmarshal(data []byte, isNil bool, a mem.Pointer) error {
	return r.Program.Unmarshal(data, isNil, a, r.Limits, r.Alias)
}

// UnmarshalFirst decodes the value at the start of data and returns the length of its encoding.
func (r *Runner) UnmarshalFirst(data []byte, isNil bool, a mem.Pointer) (int, error) {
	return r.Program.UnmarshalFirst(data, isNil, a, r.Limits, r.Alias, false)
}

// A Codec is the underlying type of wire.Codec. Packages inside wire can convert one into the
// other; other packages cannot access the runner.
type Codec[T any] struct{ runner Runner }

// CodecOf returns the codec that runs r over values of type T.
func CodecOf[T any](r Runner) *Codec[T] { return &Codec[T]{r} }

// Runner returns the runner of the codec. It is a zero Runner for a nil codec, whose calls fail as
// for a zero codec.
func (c *Codec[T]) Runner() *Runner {
	if c == nil {
		return new(Runner)
	}
	return &c.runner
}
