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
// The packages below this one contain the rules in which versions and releases differ. Package v1 has
// the rules that all releases of version 1 share. Packages go126 and go127 have the rules of one release
// each, and packages v2/encoding and v2/decoding the rules of version 2. The engines, packages encode
// and decode, know none of them. Package json links go126 and go127, and selects one for each call.
// The flags [option.FirstEngine] and [option.NewestPatch] say which one.
//
// Files whose names end in _go126 and _go127 declare the same names for the two linked releases of
// encoding/json: its types, and functions that depend on it. Some fields of the standard library's errors
// are private. To create such an error, the functions copy an error that the standard library returned
// for a suitable input.
package rules
