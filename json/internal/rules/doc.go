// Package rules has the rules that encoding and decoding share: the errors of both versions of
// encoding/json, the methods and functions that a type or a call may have, and the key under
// which compiled programs are kept.
//
// Begin with [Key]. A call's options are a set of flags. Some flags change how a type is
// compiled, and the others are looked at while a value is encoded or decoded:
//
//	StringifyNumbers      compiled    a number's instruction writes quotes
//	AllowDuplicateNames   looked at   an object is checked for names while it is read
//
// The flags that are compiled, and the types that the call's functions are for, make a Key.
// [Modes] keeps one mode for each Key that the program has used, and a mode keeps the
// programs that were compiled by it. So a call with options looks up a mode once, and then runs as fast as a call
// without options.
//
// Version 1 has the rules of two engines of encoding/json: the first is the engine of Go 1.26, and
// of Go 1.27 built with GOEXPERIMENT=nojsonv2, the second is the engine of Go 1.27. Every program
// links both, and the flag [option.FirstEngine] of a call selects one. The flag
// [option.NewestPatch] asks for the second one with all its patches. Files whose names end in
// _go126 and _go127 have the same declarations for the encoding/json that is linked: its types,
// and calls that only it can answer. Some fields of the standard library's errors can be set by the standard
// library alone. Such an error is copied from one that the standard library was made to return.
package rules
