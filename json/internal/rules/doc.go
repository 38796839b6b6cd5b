// Package rules contains the rules that encoding and decoding share: the errors of both versions of
// encoding/json, the methods and functions that encode or decode a type, and the key for the caches
// of compiled programs.
//
// Start with [Key]. The options of a call are a set of flags. Some flags change how a type is
// compiled. The others are checked while a value is encoded or decoded:
//
//	StringifyNumbers      compiled    a number's instruction writes quotes
//	AllowDuplicateNames   checked     an object is checked for names while it is read
//
// A Key consists of the flags that change how types are compiled, and of the types for which the
// call has functions. [Modes] caches one mode for each Key, and a mode caches the programs that
// were compiled for its Key. A call with options looks up its mode once, and then runs as fast as a
// call without options.
//
// Version 1 supports two engines of encoding/json. The first one is the engine of Go 1.26, and of
// Go 1.27 with GOEXPERIMENT=nojsonv2. The second one is the engine of Go 1.27. Every program links
// both, and the flag [option.FirstEngine] of a call selects one. The flag [option.NewestPatch]
// selects the second one with all its patches. Files whose names end in _go126 and _go127 declare
// the same names for the two releases of encoding/json: its types, and functions that depend on it.
// Some fields of the standard library's errors are private. To create such an error, the functions
// copy an error that the standard library returned for a suitable input.
package rules
