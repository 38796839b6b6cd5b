// Package scalar encodes numbers, lengths and times. Programs and schemas share it, so both
// read and write the same bytes.
//
// Integers wider than a byte are LEB128 varints: seven bits a byte, least significant first,
// the high bit set on all bytes but the last. Signed integers are zigzag coded first, so that
// small magnitudes are short whatever their sign. Both are as in Protocol Buffers:
// https://protobuf.dev/programming-guides/encoding/#varints
//
// # Conventions
//
//   - A function Put… writes at dst[n:] and returns the position after the bytes. The caller has
//     reserved bytes for the longest encoding and [Slack]; the function checks no bounds.
//   - A function that reads returns the position after the bytes. A next of 0, or a cause that
//     is not nil, means that the input was refused, and that nothing was stored.
//   - No function keeps its input, and none allocates except for zones and their names.
package scalar
