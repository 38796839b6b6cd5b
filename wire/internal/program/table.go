package program

import (
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// An op is the operation of an instruction. The loops have a case for each op that they run, and
// dispatch.go has the others. The properties of an op that the compiler uses are in its row of
// ops.
//
// Ops up to lastCommon have a case in putCommon and readCommon.
type op uint8

const (
	opNone op = iota
	opBool
	opByte
	opInt16
	opInt32
	opInt64
	opUint16
	opUint32
	opUint64
	opRun // arg adjacent 64-bit integers; bit k of need is set if the k-th is signed
	opFix16
	opFix32
	opFix64
	opTime
	opString
	opOption
	opOptionFix64
	opOptionUint64
	opPointerTo
	opFix16B
	opFix32B
	opFix64B
	opWide
	opFloat32
	opFloat64
	opComplex64
	opComplex128
	opInstant
	opTimeUTC
	opTimeZone
	opText
	opBytes
	opRaw
	opSkip
	opStrings
	opInt32s
	opInt64s
	opUint32s
	opUint64s
	opBulk
	opError
	opSlice
	opList
	opArray
	opPointer
	opMap
	opCast
	opBinary
	opTextual
	opVariant
	opInterface
	opEvolving
	opField
	opAccessor
	opInt8
	opUint8
	opUnknown
	opRemoved
)

// lastOp is the largest op. Ops up to lastCommon have a case in putCommon and readCommon.
const (
	lastOp     = opRemoved
	lastCommon = opPointerTo
)

// An opInfo has the properties of an op.
type opInfo struct {
	// bound is the most bytes that an instruction writes into reserved room. If each is set, it
	// is the bound for each of arg parts.
	bound int
	each  bool
	// breaks is set if the instruction makes room for its successors, after it has written a
	// value of unknown length.
	breaks bool
	// loop is the most that the instruction reserves within a loop of its own, beyond the bytes
	// that the loop writes.
	loop int
	// body is the number of instructions after this one that are skipped if the value is absent.
	// If it is bodyArg, the number is in arg.
	body int
	// plain is set if a pointer to a value of this instruction alone needs no program of its own:
	// see opPointerTo.
	plain bool
	// argument is the meaning of arg.
	argument argument
}

// An argument is the meaning of the arg of an instruction.
type argument uint8

const (
	argNone      argument = iota
	argNumber             // numberUnsigned, numberSigned or numberFloat, for a BinaryWriter
	argCount              // bytes, or parts
	argCanonical          // 1 for the canonical form
	argEmpty              // 1 if an empty value is decoded as empty, not as nil
	argOffset             // from the flag of an option to its value
	argRef                // an index into refs
)

// bodyArg as the body of an op means that arg has the number of instructions.
const bodyArg = -1

// Bounds in bytes: of a length or an id, and of a time in UTC or in the local zone. A named zone
// makes room itself.
const (
	lengthBound = 10
	timeBound   = 10 + 5 + 1 + 5
)

// ops has a row for each op. TestOps checks that the rows are consistent.
var ops = [...]opInfo{
	// Numbers. A varint of b bits has at most ⌈b/7⌉ bytes.
	opBool:    {bound: 1, plain: true},
	opByte:    {bound: 1, argument: argNumber},
	opInt16:   {bound: 3},
	opInt32:   {bound: 5, plain: true},
	opInt64:   {bound: 10, plain: true},
	opUint16:  {bound: 3},
	opUint32:  {bound: 5},
	opUint64:  {bound: 10, plain: true},
	opRun:     {bound: 10, each: true, argument: argCount},
	opFix16:   {bound: 2, argument: argNumber}, // little-endian
	opFix32:   {bound: 4, argument: argNumber},
	opFix64:   {bound: 8, plain: true, argument: argNumber},
	opFix16B:  {bound: 2, argument: argNumber}, // big-endian
	opFix32B:  {bound: 4, argument: argNumber},
	opFix64B:  {bound: 8, argument: argNumber},
	opWide:    {bound: 8, argument: argNumber}, // a 32-bit int of this platform in 8 bytes
	opFloat32: {bound: 4},                      // canonical
	opFloat64: {bound: 8},

	// Times, and complex numbers.
	opComplex64:  {bound: 8, argument: argCanonical},
	opComplex128: {bound: 16, argument: argCanonical},
	opTime:       {bound: timeBound},
	opInstant:    {bound: 10 + 5 + 1}, // canonical
	opTimeUTC:    {bound: 8},
	opTimeZone:   {bound: 8, breaks: true},

	// Values of unknown length. They reserve room for their bytes and for the run after them.
	opString:  {breaks: true, plain: true},
	opText:    {breaks: true}, // a string whose length has a fixed width
	opBytes:   {breaks: true, argument: argEmpty},
	opError:   {breaks: true},
	opRaw:     {breaks: true, argument: argCount}, // bytes as they are in memory
	opSkip:    {breaks: true, argument: argCount}, // bytes of zero
	opStrings: {bound: lengthBound, breaks: true, loop: lengthBound + scalar.Slack},
	opInt32s:  {bound: lengthBound, breaks: true, loop: 10*chunk + scalar.Slack},
	opInt64s:  {bound: lengthBound, breaks: true, loop: 10*chunk + scalar.Slack},
	opUint32s: {bound: lengthBound, breaks: true, loop: 10*chunk + scalar.Slack},
	opUint64s: {bound: lengthBound, breaks: true, loop: 10*chunk + scalar.Slack},
	opBulk:    {bound: lengthBound, breaks: true, argument: argCount}, // a slice of numbers of arg bytes, as they are in memory

	// Branches: the instructions of the value follow, and are skipped without a value.
	opOption:       {bound: 1, body: bodyArg, argument: argCount}, // the next arg instructions write the value
	opOptionFix64:  {bound: 1, body: 1, argument: argOffset},      // the next instruction alone writes the value
	opOptionUint64: {bound: 1, body: 1, argument: argOffset},
	opPointerTo:    {bound: 1, body: 1, argument: argRef}, // the next instruction alone writes the target

	// Instructions with a ref. Most run another program.
	opSlice:     {bound: lengthBound, breaks: true, argument: argRef},
	opList:      {bound: lengthBound, breaks: true, argument: argRef},
	opArray:     {bound: lengthBound, breaks: true, argument: argRef},
	opPointer:   {bound: 1, breaks: true, argument: argRef},
	opMap:       {bound: lengthBound, breaks: true, argument: argRef},
	opCast:      {bound: lengthBound, breaks: true, loop: 2 * widest, argument: argRef}, // a map of plain keys and elements
	opBinary:    {bound: lengthBound, breaks: true, argument: argRef},
	opTextual:   {bound: lengthBound, breaks: true, argument: argRef},
	opVariant:   {bound: 1, breaks: true, argument: argRef},
	opInterface: {bound: lengthBound, breaks: true, argument: argRef},
	opEvolving:  {bound: lengthBound, breaks: true, argument: argRef},
	opField:     {breaks: true, argument: argRef}, // before each field of an evolving struct
	opAccessor:  {breaks: true, argument: argRef},

	// Added later. The numbers of ops are not part of any format.
	opInt8:    {bound: 2}, // varints
	opUint8:   {bound: 2},
	opUnknown: {breaks: true, argument: argCanonical}, // the rest of an evolving struct
	opRemoved: {breaks: true, argument: argRef},       // the place of a removed field
}

// bound returns the most bytes that the instruction writes into reserved room.
func (i *instr) bound() int {
	if o := &ops[i.op]; o.each {
		return o.bound * int(i.arg)
	}
	return ops[i.op].bound
}

// body returns the number of instructions after this one that are skipped if the value is absent.
func (i *instr) body() int {
	if n := ops[i.op].body; n != bodyArg {
		return n
	}
	return int(i.arg)
}

// An emission names the ops that write the values of a form. A form without a row is emitted by a
// function of the compiler.
type emission struct {
	op     op             // the op, if it does not depend on the size of the value
	bySize [8 + 1]op      // or the op for a value of that many bytes in memory
	slices map[uintptr]op // the op for a slice of such values, by the size of an element, if its length is a uvarint
}

// emits has the row of each form, up to the largest form, so every form is an index.
var emits = [...]emission{
	spec.FormBool:     {op: opBool},
	spec.FormByte:     {op: opByte},
	spec.FormVarint:   {bySize: [...]op{1: opInt8, 2: opInt16, 4: opInt32, 8: opInt64}, slices: map[uintptr]op{4: opInt32s, 8: opInt64s}},
	spec.FormUvarint:  {bySize: [...]op{1: opUint8, 2: opUint16, 4: opUint32, 8: opUint64}, slices: map[uintptr]op{4: opUint32s, 8: opUint64s}},
	spec.FormText:     {slices: map[uintptr]op{8: opStrings, 16: opStrings}},
	spec.FormBytes:    {op: opBytes},
	spec.FormError:    {op: opError},
	spec.FormBigInt:   {op: opBinary},
	spec.FormBinary:   {op: opBinary},
	spec.FormTextual:  {op: opTextual},
	spec.FormTime:     {op: opTime},
	spec.FormTimeUTC:  {op: opTimeUTC},
	spec.FormTimeZone: {op: opTimeZone},
	spec.FormRaw:      {op: opBytes},
	spec.FormUnknown:  {op: opUnknown},
}
