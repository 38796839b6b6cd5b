// Package rules has the rules that encoding and decoding share: the errors of both versions of
// encoding/json, the methods and functions that a type or a call may have, and the key of the
// caches of compiled programs.
//
// Begin with [Key]. A call's options are a set of flags. Some flags change how a type is compiled,
// and the others are checked while a value is encoded or decoded:
//
//	StringifyNumbers      compiled    a number's instruction writes quotes
//	AllowDuplicateNames   looked at   an object is checked for names while it is read
//
// A Key consists of the flags that are compiled and of the types for which the call has functions.
// [Modes] keeps one mode for each Key that the program has used, and a mode keeps the programs that
// were compiled for its Key. So a call with options looks up a mode once, and then runs as fast as
// a call without options.
//
// Version 1 has the rules of two engines of encoding/json: the first is the engine of Go 1.26, and
// of Go 1.27 built with GOEXPERIMENT=nojsonv2, the second is the engine of Go 1.27. Every program
// links both, and the flag [option.FirstEngine] of a call selects one. The flag
// [option.NewestPatch] selects the second one with all its patches. Files whose names end in _go126
// and _go127 declare the same names for the two releases of encoding/json: its types, and functions
// that need its help. Some fields of the standard library's errors can be set by the standard
// library alone. Such an error is a copy of an error that the standard library returned for a
// suitable input.
package rules
