// Package vector has the loops over text that pay for vector instructions: writing a string
// with escapes, finding the end of one, and checking UTF-8. It is the only package with
// assembly: AVX2 on amd64, which is looked for when the program starts, and NEON on arm64.
// Elsewhere, and in purego builds, Enabled is false, and callers use loops in Go.
//
// The assembly writes within the memory it is given. It may read up to 33 bytes behind the
// end of a string, within a page: what is there decides nothing. It holds no pointers,
// and does not call.
package vector
