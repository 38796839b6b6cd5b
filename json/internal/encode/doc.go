// Package encode encodes Go values as JSON by the rules of version 1, and has the parts that
// version 2 shares with it. Package encode/call adds the rest of version 2.
//
// # Programs
//
// A type is compiled once into a [Program]: a list of instructions that run one after the other
// over the address of a value. An instruction writes a literal and then one value. Text that
// does not depend on the value, such as braces, names and commas, is in the literals:
//
//	type Point struct {               instruction  literal   offset
//		X, Y int                      int64        {"X":     0
//		Name string `json:"name"`     int64        ,"Y":     8
//	}                                 string       ,"name":  16
//	                                  literal      }
//
// A pointer, a slice, a map or an interface has a program of its own, which its instruction runs.
// An omittable field follows an instruction that tests the field and may jump past it. The comma of
// the next field then depends on the output so far, which opComma examines.
//
// A [Mode] holds all programs that are compiled by the same rules, by type. Programs are immutable,
// and any number of goroutines run them at once.
//
// # Running
//
// [Program.Run] is the loop. Each instruction has the maximum number of bytes of all literals and
// numbers after it. The loop grows the buffer by this number at the start, and again after each
// value of unknown length, so that most instructions append without a check. A literal is copied in
// units of 16 bytes, even past its end: the buffer has room for the rest of the unit, which the
// next instruction overwrites.
//
// An [Encoder] is the state of one call. In version 1 it is on the stack of the caller, and
// encoding allocates only if
//
//   - the text does not fit into the slice that the caller gave;
//   - a method of the value's type allocates, or is called on a value without an address, which
//     is copied first;
//   - a map with other than string keys is sorted, or a map is larger than any before.
//
// # Terms
//
//   - A literal is the constant text that an instruction writes before its value.
//   - A Ref has the parts of an instruction that do not fit into it, such as the program of an
//     element. The instruction has the index of its Ref in arg.
//   - A cast is an encoder for maps with string keys that needs no reflection.
//   - The rest is the struct field that holds the members without a field of their own.
//   - A method declines a value if it writes nothing and returns errors.ErrUnsupported.
//
// # Invariants
//
//   - Run never writes into the part of the slice that the caller has filled. On error it may have
//     written beyond that part.
//   - Scratch memory is cleared before it is returned to its pool, so it keeps no value alive.
//   - A value that contains itself causes an error: from level 1,000 on the encoder records all
//     open pointers, maps and slices.
//   - No address of a value is kept after the call, except by the value's own methods.
//
// # Reading the code
//
// Begin with program.go, which has the instructions, then compile.go and object.go, which emit
// them, and run.go, which runs them. map.go, cast.go and order.go write maps, omit.go decides which
// fields are left out, rest.go writes the members that a struct holds in one field, method.go calls
// the methods of types, and error.go has the errors, whose position is computed later.
//
// # Releases of Go
//
// Version 1 follows one of two engines of encoding/json: release.go has all differences between the
// engines. A program is compiled for one engine, in the mode that the flags of the call select,
// since the engines disagree on the members of a struct, on the methods that are called and on the
// keys of maps. So the loop that runs a program does not distinguish the engines, except for errors
// and for the escapes of strings, which the mode determines.
//
// The files standard_go126.go and standard_go127.go have the code that needs the encoding/json of
// one release of Go: methods with the standard library's streams.
package encode
