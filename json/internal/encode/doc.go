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
// A pointer, a slice, a map or an interface has a program of its own, which its instruction
// runs. A field that may be left out has an instruction before it that tests the field and
// jumps to the instruction after it. The comma of the next field then depends on the text that
// was written, which opComma looks at.
//
// Programs are kept in a [Mode] with all others that are compiled by the same rules, by type.
// They do not change once they are made, and any number of goroutines run them at once.
//
// # Running
//
// [Program.Run] is the loop. Each instruction knows how many bytes the literals and numbers
// after it take at most, up to the end of the program. The loop makes room for them once, at
// the start, and again after each value of unknown length, so that most instructions append
// without a check. A literal is copied in units of 16 bytes, past its end if need be: the room
// for that is there, and the next instruction overwrites it.
//
// An [Encoder] is the state of one call. In version 1 it is on the stack of the caller, and
// encoding allocates only if
//
//   - the text does not fit into the slice that the caller gave;
//   - a method of the value's type allocates, or is called on a value without an address, which
//     is copied first;
//   - a map with other than string keys is sorted, or a map is larger than any before.
//
// # Invariants
//
//   - Run never writes into the part of the slice that the caller has filled. On error the text
//     that it has written may be there, but only beyond that part.
//   - Scratch memory is cleared before it goes back to its pool, so it keeps no value alive.
//   - A value that holds itself ends in an error: from level 1,000 on each pointer, map and
//     slice that is open is remembered.
//   - No address of a value is kept after the call, unless one of its own methods keeps it.
//
// # Reading the code
//
// Begin with program.go, which has the instructions, then compile.go and object.go, which emit
// them, and run.go, which runs them. map.go, cast.go and order.go write maps, omit.go decides
// which fields are left out, rest.go writes the members that a struct holds in one field,
// method.go calls the methods of types, and error.go has the errors that wait for their place.
//
// # Releases of Go
//
// Version 1 follows one of two engines of encoding/json: release.go has the points in which they
// differ. A program is compiled for one of them, in the mode that the flags of the call select,
// since the releases disagree on the members of a struct, on the methods that are called and on
// the keys of maps. So the loop that runs a program knows no releases: it looks at the mode for
// the errors alone, and strings are written by the escapes that the mode has.
//
// The files standard_go126.go and standard_go127.go have the parts that only the encoding/json of
// one release can do: methods with the standard library's streams.
package encode
