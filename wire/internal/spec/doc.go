// Package spec describes how Go types are written. A [Spec] is data: package wire derives it
// from a type, package wire/layout from a declaration, and the engine compiles it.
//
// A spec has a [Form], such as FormVarint or FormSlice, and the parameters of that form. A row of the
// table in form.go has the properties that all specs of a form share. The file zero_value.go has
// the encoding of zero values, which keep the place of removed fields; methods.go finds the types
// that encode themselves.
//
// Specs are made once for each type and are not changed after the compiler has read them.
package spec
