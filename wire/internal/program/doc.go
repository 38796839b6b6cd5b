// Package program is the engine of wire: it compiles specs into programs and runs them, for
// derived codecs and for declared layouts.
//
// # Programs
//
// A [spec.Spec] describes the encoding of a type. [Compile] turns it into a [Program]: a flat
// list of instructions that run one after the other on a value in memory. An instruction has an
// op, the offset of a part of the value and one argument. A type and its instructions, with the
// offsets of a 64-bit platform:
//
//	type Host struct {                      op             off  arg
//		Name          string                opString         0
//		Cores, Memory int64                 opRun           16  2 varints; both are signed
//		Load          mo.Option[float64]    opOptionFix64   32  8, from the flag to the value
//		                                    opFix64         40
//		Tags          []string              opStrings       48
//		Parent        *Host                 opPointer       72  0: refs[0] is the program of Host
//	}
//
// The fields of a nested struct and the elements of a short array are instructions of the same
// program. Adjacent fields such as Cores and Memory are fused where one instruction can encode
// them together. The elements of a slice and the target of a pointer have a separate program,
// to which the ref of the instruction points. The program of a recursive type therefore refers
// to itself.
//
// A Program does not change after Compile, except for the guess at the length of the next
// encoding (sizes). It is safe for concurrent use.
//
// # Running
//
// There are three loops over the instructions, each with one switch: [Program.put] encodes,
// [Program.read] decodes and [Program.walk] passes the parts of a value to a [BinaryWriter].
// put and read leave runs of common instructions to putCommon and readCommon, which call no
// functions, so that their state stays in registers. Rare instructions, and instructions that
// run another program, are in rare_instructions.go, which calls the file of each kind of value.
//
// The encoder does not check the size of the buffer for each value. An instruction that reserves
// buffer space, growing the buffer if necessary, also reserves it for the longest encodings of all
// instructions after it, up to the next one that reserves space: see Program.reserve. A value of
// unknown length, such as a string, ends such a run.
//
// The decoder compares each length with the rest of the input before it allocates memory. A
// fault leaves the loop: Program.fault then examines the input again and finds the cause. So
// the loops contain no code for error messages.
//
// # Invariants
//
//   - Budget. A decoder spends a [budget.Budget] before each allocation. Strings and blocks may
//     overdraw it: they then stay empty, and the decoder fails at the end. An encoder accepts a
//     value only if the budget of a decoder with the same limits suffices: see Program.afford.
//   - Depth. An instruction that runs another program costs one level, in every loop, as do
//     opPointerTo and opCast. So a value that contains itself ends in an error.
//   - Buffer space. An instruction whose row of the table has breaks reserves space for the
//     instructions after it once it has written its value. No other instruction writes more bytes
//     than its bound.
//   - Errors. On error Append returns dst with its old length and content; bytes between its
//     length and its capacity may have been overwritten.
//   - Memory. Append into a large enough buffer, and Size, allocate nothing. The exceptions are
//     maps in canonical form, interfaces, and allocations by methods of types. Scratch memory comes
//     from pools. A decoder allocates the memory of the value, and a copy of the input of each
//     method.
//   - Ownership. No address of a value, of the input or of dst is kept after a call, unless a
//     method of the type keeps it or the codec aliases its input. Scratch memory is cleared of
//     pointers before it returns to its pool. A value whose address a method got is not used again.
//
// # Reading the code
//
// Begin with program.go, which defines the instructions, and table.go, which lists the encoding and
// the properties of each op and the ops of each form. Then read compile.go, which emits the
// instructions, encode.go and decode.go. encode_common.go and decode_common.go are faster versions
// of parts of the two loops: where they stop, put and read continue with that instruction. The
// files numbers.go, time_zone.go, slices.go, map.go, map_cast.go, methods.go,
// union_and_interface.go, evolving.go and property.go each encode, decode and walk one kind of
// value. scratch.go has the encoder's memory, encode_budget.go the check of the decoder's budget,
// and errors.go the errors.
package program
