// Package vector has loops over text with vector instructions: encoding a string with escapes,
// copying a short string, finding the end of a string, and validating UTF-8. It is the only package
// with assembly: AVX2 or AVX-512 on amd64, detected when the program starts, and NEON on arm64. On other platforms and in
// purego builds, Enabled is false and callers use loops in Go. In the environment,
// GODEBUG=cpu.avx512f=off selects the loops for AVX2, and GODEBUG=cpu.avx2=off (amd64) or
// GODEBUG=cpu.all=off turns the assembly off.
//
// The assembly writes only to the memory that it is given. The loops for AVX2 and NEON may read up to
// 33 bytes past the end of a string within the same page; these bytes do not affect the result. The
// assembly holds no pointers and calls no functions.
package vector
