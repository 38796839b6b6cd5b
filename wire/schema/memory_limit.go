package schema

import "github.com/hone-go/hone/wire/internal/fault"

// Bounds of the memory of a decoded value: see [Schema.Decode].
const (
	baseMemory    = 1 << 20
	memoryPerByte = 1 << 10
)

// The memory that is counted for each value, and for each entry or member, in bytes. It covers
// the value and its JSON.
const (
	valueMemory = 32
	entryMemory = 64
)

// take spends memory for n parts of size bytes.
func (d *decoder) take(n, size int) {
	if int64(n) > d.memory/int64(size) {
		d.fail(d.pos, fault.ErrLimit)
	}
	d.memory -= int64(n) * int64(size)
}
