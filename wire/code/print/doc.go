// Package print generates the Go files that package wire/code serves: codecs for struct types.
//
// The command hone uses it as "hone gen -go". It adds a file to the package of the types that calls
// [Main], and runs that file.
//
// The printer reads the spec of a type, from which the engine of package wire compiles its
// instructions, and prints a statement for each field. A field that it cannot handle is passed to
// the engine: see [github.com/hone-go/hone/wire/code.Part].
package print
