// Package vector has loops over text with vector instructions: encoding a string with escapes,
// finding the end of a string, and validating UTF-8. It is the only package with assembly: AVX2 on
// amd64, detected at run time, and NEON on arm64. On other platforms and in purego builds, Enabled
// is false and callers use loops in Go. GODEBUG=cpu.avx2=off (amd64) or GODEBUG=cpu.all=off in the
// environment turns the assembly off when the program starts.
//
// The assembly writes only to the memory that it is given. It may read up to 33 bytes past the end
// of a string within the same page; these bytes do not affect the result. It holds no pointers and
// calls no functions.
package vector
