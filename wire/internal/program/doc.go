// Package program is the engine of wire: it compiles specs into programs and runs them, for
// derived codecs and for declared layouts.
//
// # Programs
//
// A [spec.Spec] describes how a type is written. [Compile] turns it into a [Program]: a flat list
// of instructions that run one after the other over the address of a value. An instruction has
// an op, an offset from that address and one argument. A type and its instructions, with the
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
// program. Adjacent fields are fused where one instruction can move them together, as Cores and
// Memory are. A value that repeats or that may be absent, such as the target of a pointer, has a
// program of its own, which the ref of its instruction has. The program of a recursive type
// therefore refers to itself.
//
// A Program does not change after Compile, except for the guess at its next length (sizes), and
// any number of goroutines run it at once.
//
// # Running
//
// There are three loops over the instructions, each with one switch: [Program.put] encodes,
// [Program.read] decodes and [Program.walk] hands the parts of a value to a [BinaryWriter].
// Runs of common instructions are handed to putCommon and readCommon, which call no functions,
// so that their state stays in registers. Rare instructions, and instructions with a program of
// their own, go through dispatch.go to a file for each kind of value.
//
// The encoder writes without a look at the room that is left. Each instruction reserves the longest encoding of
// all instructions after it, up to the next that reserves room itself: see Program.reserve. A
// value of unknown length, such as a string, ends such a run.
//
// The decoder trusts nothing. A length is compared with the rest of the input before memory is
// allocated for it, and a fault leaves the loop: Program.fault then examines the input again and
// finds the cause. The loops carry no code for error messages.
//
// # Invariants
//
//   - Budget. A decoder spends a [budget.Budget] before each allocation. Strings and blocks may
//     overdraw it: they then stay empty, and the decoder fails at its end. An encoder accepts a
//     value only if the budget of a decoder with the same limits suffices: see Program.afford.
//   - Depth. An instruction that runs another program costs one level, in every loop, as do
//     opPointerTo and opCast. So a value that contains itself ends in an error.
//   - Room. An instruction with breaks in its row of the table makes room for its successors
//     after it has written. No other instruction may write more bytes than its bound.
//   - Errors. On error Append returns dst as it was; bytes between its length and its capacity
//     may have been overwritten.
//   - Memory. Append into a buffer with room, and Size, allocate nothing. The exceptions are maps
//     in canonical form, interfaces, and whatever the methods of types allocate. Scratch memory
//     comes from pools. A decoder allocates the memory that the value keeps, and a copy of its
//     input for each method.
//   - Ownership. No address of a value, of the input or of dst is kept after a call, unless a
//     method of the type keeps it or the codec aliases its input. Scratch memory is cleared of
//     pointers before it returns to its pool. A value that a method has seen is not used again.
//
// # Reading the code
//
// Begin with program.go, which has the instructions, and table.go, which describes the bytes of
// each op and has its properties, and the op that writes each form. Then read compile.go, which emits them, encode.go and
// decode.go. encode_common.go and decode_common.go are faster twins of parts of these two: what
// they leave, the general loops repeat from the start of the instruction. The files numbers.go,
// time.go, slices.go, map.go, map_cast.go, methods.go, variant.go, evolving.go and accessor.go
// each have one kind of value, in all directions. scratch.go has the encoder's memory and
// errors.go the errors.
package program
