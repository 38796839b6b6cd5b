// Package measure finds the end of a value in a stream.
//
// A [Window] is the buffer between an io.Reader and a decoder. A [Measure] walks over the bytes
// of a window, by the spec of a value, and asks the window for more when it reaches their end.
// It allocates nothing for the value itself. With a budget it also counts the memory that a
// decoder would allocate, which is how an encoder checks that its output can be read.
package measure
