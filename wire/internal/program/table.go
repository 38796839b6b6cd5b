package program

import (
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// An op is the operation of an instruction: the kind of value that lies at its offset, and how its
// bytes look. The loops have a case for each op that they run, and dispatch.go has the others. The
// properties that the compiler needs are in the row of the op in [ops].
//
// The numbers of ops are not part of any format. Ops up to lastCommon have a case in putCommon and
// readCommon, so they must stay first.
type op uint8

const (
	// No program has opNone. As an entry of a table it means that there is no op.
	opNone op = iota

	// A bool: a byte of 0 or 1. Any other byte is a fault.
	opBool
	// A number of 8 bits: its byte.
	opByte
	// An integer of 16, 32 or 64 bits: a varint, zigzag coded if it is signed. A decoder refuses a
	// number that does not fit, and a varint that is longer than it must be.
	opInt16
	opInt32
	opInt64
	opUint16
	opUint32
	opUint64
	// Arg adjacent integers of 64 bits, each as opInt64 or opUint64 has it. Bit k of need is set if
	// the k-th integer is signed.
	opRun
	// A number of a fixed width, in little-endian order, as it is in memory.
	opFix16
	opFix32
	opFix64
	// A time: the seconds since 1970 as a signed varint, the nanoseconds as an unsigned one, and a
	// zone.
	opTime
	// A string: its length as a uvarint, and its bytes.
	opString
	// An option: a flag of 0 or 1. The next arg instructions are for the value. They run after a
	// flag of 1, and are skipped after 0.
	opOption
	// An option of one number, the next instruction. Arg is the distance in memory from the flag to
	// the number.
	opOptionFix64
	opOptionUint64
	// A pointer to a value of one plain instruction, which is the next one: a flag, and the value if
	// the flag is 1. The offset of that instruction counts from the target.
	opPointerTo

	// A number in big-endian order.
	opFix16B
	opFix32B
	opFix64B
	// An int or uint of 32 bits in memory, in 8 bytes. Its len says whether they are big-endian.
	opWide
	// A float in canonical form: all NaNs have one encoding, and the decoder refuses the others.
	opFloat32
	opFloat64
	// A complex number: two floats, in canonical form if arg is 1.
	opComplex64
	opComplex128

	// A time in canonical form: the instant alone, without a zone.
	opInstant
	// A declared time: 64 bits of nanoseconds since 1970.
	opTimeUTC
	// A declared time with its location: nanoseconds, a flag and the name of the location.
	opTimeZone

	// A string whose length has the form len.
	opText
	// A slice of bytes: a length of the form len, and the bytes. If arg is 1, no bytes are decoded
	// as an empty slice; otherwise as nil.
	opBytes
	// Arg bytes of memory as they are: adjacent fields without padding, or an array.
	opRaw
	// Arg bytes that no field has. The encoder writes zeros, and the decoder accepts anything.
	opSkip

	// A slice of strings or of integers: its length as a uvarint, and its elements as opString or
	// the like has them.
	opStrings
	opInt32s
	opInt64s
	opUint32s
	opUint64s
	// A slice of numbers of arg bytes: a length of the form len, and the memory of the elements.
	opBulk
	// An error: its text as opString has it. Nil and an empty text are alike.
	opError

	// The following ops have a ref, whose program runs for each element, entry or target.

	// A slice: a length of the form len, and its elements.
	opSlice
	// A slice that always has the number of elements of its spec, and no length.
	opList
	// An array: its elements.
	opArray
	// A pointer: a flag, and the target if the flag is 1.
	opPointer
	// A map by reflection: a length of the form len, and pairs of key and element. In canonical form
	// the pairs are sorted by the bytes of the key.
	opMap
	// A map of plain keys and elements, by a loop of its own type: see mapCast.
	opCast
	// A value that encodes itself: a length, and the result of MarshalBinary or MarshalText.
	opBinary
	opTextual
	// One of several cases in one place of memory, as mo.Either: a byte with the index of the case,
	// and its value.
	opVariant
	// An interface: the registered number of the type of its value as a uvarint, or 0 for nil, and
	// the value.
	opInterface
	// A struct that may gain fields: its length in bytes, and its fields.
	opEvolving
	// The place before a field of an evolving struct, where the input of an older version ends.
	opField
	// A value that is reached by a getter and a setter.
	opAccessor

	// An integer of 8 bits: a varint, which declared layouts may ask for.
	opInt8
	opUint8
	// The fields of an evolving struct that this version does not know: all bytes that are left.
	opUnknown
	// The place of a field that the struct no longer has: the encoding of its zero value.
	opRemoved
)

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
	// A plain op may be the target of opPointerTo, for which putPlain has a case.
	opBool:    {bound: 1, plain: true},
	opByte:    {bound: 1, argument: argNumber},
	opInt16:   {bound: 3},
	opInt32:   {bound: 5, plain: true},
	opInt64:   {bound: 10, plain: true},
	opUint16:  {bound: 3},
	opUint32:  {bound: 5},
	opUint64:  {bound: 10, plain: true},
	opRun:     {bound: 10, each: true, argument: argCount},
	opFix16:   {bound: 2, argument: argNumber},
	opFix32:   {bound: 4, argument: argNumber},
	opFix64:   {bound: 8, plain: true, argument: argNumber},
	opFix16B:  {bound: 2, argument: argNumber},
	opFix32B:  {bound: 4, argument: argNumber},
	opFix64B:  {bound: 8, argument: argNumber},
	opWide:    {bound: 8, argument: argNumber},
	opFloat32: {bound: 4},
	opFloat64: {bound: 8},

	// Times, and complex numbers.
	opComplex64:  {bound: 8, argument: argCanonical},
	opComplex128: {bound: 16, argument: argCanonical},
	opTime:       {bound: timeBound},
	opInstant:    {bound: 10 + 5 + 1},
	opTimeUTC:    {bound: 8},
	opTimeZone:   {bound: 8, breaks: true},

	// Values of unknown length. They reserve room for their bytes and for the run after them.
	opString:  {breaks: true, plain: true},
	opText:    {breaks: true},
	opBytes:   {breaks: true, argument: argEmpty},
	opError:   {breaks: true},
	opRaw:     {breaks: true, argument: argCount},
	opSkip:    {breaks: true, argument: argCount},
	opStrings: {bound: lengthBound, breaks: true, loop: lengthBound + scalar.Slack},
	opInt32s:  {bound: lengthBound, breaks: true, loop: 10*chunk + scalar.Slack},
	opInt64s:  {bound: lengthBound, breaks: true, loop: 10*chunk + scalar.Slack},
	opUint32s: {bound: lengthBound, breaks: true, loop: 10*chunk + scalar.Slack},
	opUint64s: {bound: lengthBound, breaks: true, loop: 10*chunk + scalar.Slack},
	opBulk:    {bound: lengthBound, breaks: true, argument: argCount},

	// Branches: the instructions of the value follow, and are skipped without a value.
	opOption:       {bound: 1, body: bodyArg, argument: argCount},
	opOptionFix64:  {bound: 1, body: 1, argument: argOffset},
	opOptionUint64: {bound: 1, body: 1, argument: argOffset},
	opPointerTo:    {bound: 1, body: 1, argument: argRef},

	// Instructions with a ref. Most run another program.
	opSlice:     {bound: lengthBound, breaks: true, argument: argRef},
	opList:      {bound: lengthBound, breaks: true, argument: argRef},
	opArray:     {bound: lengthBound, breaks: true, argument: argRef},
	opPointer:   {bound: 1, breaks: true, argument: argRef},
	opMap:       {bound: lengthBound, breaks: true, argument: argRef},
	opCast:      {bound: lengthBound, breaks: true, loop: 2 * widest, argument: argRef},
	opBinary:    {bound: lengthBound, breaks: true, argument: argRef},
	opTextual:   {bound: lengthBound, breaks: true, argument: argRef},
	opVariant:   {bound: 1, breaks: true, argument: argRef},
	opInterface: {bound: lengthBound, breaks: true, argument: argRef},
	opEvolving:  {bound: lengthBound, breaks: true, argument: argRef},
	opField:     {breaks: true, argument: argRef},
	opAccessor:  {breaks: true, argument: argRef},

	// Added later. The numbers of ops are not part of any format.
	opInt8:    {bound: 2},
	opUint8:   {bound: 2},
	opUnknown: {breaks: true, argument: argCanonical},
	opRemoved: {breaks: true, argument: argRef},
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

// emits has the row of each form, up to the largest form, so every form is an index. An op that
// needs a ref, or another op in canonical form, is chosen in [compiler.emit].
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
