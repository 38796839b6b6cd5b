// Package print generates Go files that call package wire/code: codecs for struct types.
//
// The command "hone gen -go" uses this package. It adds a file that calls [Main] to the package
// of the types, and runs the file.
//
// The printer reads the spec of a type, from which the engine of package wire compiles its
// instructions, and prints a statement for each field. Generated code passes a field that the
// printer cannot handle to the engine: see [github.com/hone-go/hone/wire/code.Part].
package print
