// Package measure finds the end of a value in a stream.
//
// A [Window] is the buffer between an io.Reader and a decoder. A [Measure] follows the description
// of a value's encoding (package spec) through the bytes of a window, and requests more bytes from
// the window when it reaches their end. The Measure allocates nothing for the value. With a budget
// the Measure also counts the memory that a decoder would allocate. An encoder uses this to check
// that its output can be decoded.
package measure
