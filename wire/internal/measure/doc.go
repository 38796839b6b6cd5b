// Package measure finds the end of a value in a stream.
//
// A [Window] is the buffer between an io.Reader and a decoder. A [Measure] walks over the bytes
// of a window, by the spec of a value, and asks the window for more when it reaches their end.
// The Measure allocates nothing for the value. With a budget the Measure also counts the memory
// that a decoder would allocate. An encoder uses this to check that its output can be decoded.
package measure
