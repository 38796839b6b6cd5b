// Package encode encodes Go values as JSON. It knows no version and no release of encoding/json: each
// of them has a package below rules, which gives the engine its rules.
//
// # Programs
//
// A type is compiled once into a [Program], a list of instructions. They run one after the other on
// the address of a value. An instruction writes a literal and then one value. Literals contain all
// text that does not depend on the value, such as braces, names and commas:
//
//	type Point struct {               instruction  literal   offset
//		X, Y int                      int64        {"X":     0
//		Name string `json:"name"`     int64        ,"Y":     8
//	}                                 string       ,"name":  16
//	                                  literal      }
//
// The element of a pointer, a slice, a map or an interface has a separate program, which the
// instruction runs. Before a field that may be omitted there is an instruction that tests the field
// and may jump past it. Whether the next field needs a comma then depends on the output, which the
// instruction opComma examines.
//
// A [Mode] caches all programs that are compiled by the same rules. Programs are immutable, so many
// goroutines can run them at once.
//
// # Rules
//
// A difference between versions or releases is decided in one of three ways:
//
//	an option of the call      a nil slice is null or []       run.go tests a flag
//	compiled into a program    whose methods are called        a package of rules emits a Row
//	a rare value or an error   a time in the year 10000        a method of Rules
//
// Version 1 has all options on that make version 2 behave like it, so many rules are only options. The
// interface [Rules] has the others. A mode has one Rules, which the engine asks when it compiles a type.
// The answer may be an instruction with a [Row], such as a call of a method. Numbers, strings, members,
// slices and structs are encoded by the same instructions for all rules, and the loop asks nothing.
//
// # Running
//
// [Program.Run] is the loop. Each instruction contains the maximum total length of the literals and
// numbers after it. The loop grows the output by this length at the start, and again after each
// value of unbounded length, so that most instructions append without a check. A literal is copied
// in units of 16 bytes. The copy may write beyond the literal's end, and the next instruction
// overwrites these bytes.
//
// An [Encoder] holds the state of one call. In version 1 it is on the caller's stack, so rules and rows
// must not retain it. Encoding then allocates only if
//
//   - the JSON does not fit into the slice that the caller passed;
//   - a method of the value's type allocates, or is called on a copy because the value is not
//     addressable;
//   - a map without string keys is sorted, or a map is larger than all maps before;
//   - a string has the tag option "string".
//
// # Terms
//
//   - A literal is constant text that an instruction writes before its value.
//   - A Ref contains operands that do not fit into an instruction, such as the program for an
//     element. The field arg of the instruction is the index of its Ref.
//   - A cast encodes maps with string keys without reflection.
//   - A room is a package that contains the rules of a version or a release.
//   - A row encodes the values of one type by a rule of a room.
//   - The rest is a field of a struct. It stores the members that match none of the other fields.
//   - A method declines a value by writing nothing and returning errors.ErrUnsupported.
//
// # Invariants
//
//   - Run never writes to dst[:len(dst)], the caller's part of the slice. On error Run may have
//     written to the rest of the slice.
//   - Scratch memory is cleared before it returns to its pool, so it keeps no value alive.
//   - A value that contains itself causes an error: from nesting level 1,000 on, the encoder
//     records all open pointers, maps and slices.
//   - No address of a value is retained after the call, except by methods of the value's type.
//
// # Reading the code
//
// Start with program.go, which declares the instructions, then mode.go, which declares the rules,
// compile.go and object.go, which emit instructions, and run.go, which runs them. map.go, string_map.go
// and sort_names.go encode maps, omit.go decides which fields are omitted, unknown_members.go writes the
// members in the field of unknown members, union.go writes tagged unions, and fault.go creates the
// errors, whose position is computed later. Then read rules/v1, which has the calls and the rows of
// version 1, and rules/v2/encoding.
package encode
