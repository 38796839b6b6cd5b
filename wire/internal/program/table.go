package program

import (
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// An op is the operation of an instruction. It determines the kind of the value at the
// instruction's offset and its encoding. An op without a case in the loops has one in
// dispatch.go. The row of the op in [ops] has the properties that the compiler needs.
//
// The numbers of ops are not part of any format. Ops up to lastCommon have a case in putCommon and
// readCommon, so they must stay first.
type op uint8

const (
	// opNone is an empty entry of a table. It is never in a program.
	opNone op = iota

	// A bool: a byte of 0 or 1. Any other byte is a fault.
	opBool
	// A number of 8 bits: its byte.
	opByte
	// An integer of 16, 32 or 64 bits: a varint, zigzag coded if it is signed. A decoder
	// refuses a number that does not fit, and a varint that is longer than necessary.
	opInt16
	opInt32
	opInt64
	opUint16
	opUint32
	opUint64
	// Adjacent integers of 64 bits, each encoded as by opInt64 or opUint64. arg is their
	// number. Bit k of need is set if the k-th integer is signed.
	opRun
	// A number of a fixed width, little-endian, with the same width as in memory.
	opFix16
	opFix32
	opFix64
	// A time: the seconds since 1970 as a signed varint, the nanoseconds as an unsigned one, and a
	// zone.
	opTime
	// A string: its length as a uvarint, and its bytes.
	opString
	// An option: a flag of 0 or 1. The next arg instructions are for the value. They are
	// skipped if the flag is 0.
	opOption
	// An option of one number, whose instruction is the next one. arg is the distance in memory
	// from the flag to the number.
	opOptionFix64
	opOptionUint64
	// A pointer to a value of one plain instruction, which is the next one: a flag, and the
	// value if the flag is 1. The offset of that instruction is relative to the target.
	opPointerTo

	// A number in big-endian order.
	opFix16B
	opFix32B
	opFix64B
	// An int or uint that has 32 bits in memory and 8 bytes in the encoding. len gives the byte
	// order.
	opWide
	// A float in canonical form: all NaNs have one encoding, and the decoder refuses the others.
	opFloat32
	opFloat64
	// A complex number: two floats, in canonical form if arg is 1.
	opComplex64
	opComplex128

	// A time in canonical form: the instant without a zone.
	opInstant
	// A declared time: 64 bits of nanoseconds since 1970.
	opTimeUTC
	// A declared time with its location: nanoseconds, a flag and the name of the location.
	opTimeZone

	// A string whose length is encoded as len says.
	opText
	// A slice of bytes: a length encoded as len says, and the bytes. A length of 0 is decoded as an
	// empty slice if arg is 1, and as nil otherwise.
	opBytes
	// A copy of arg bytes of memory: adjacent fields without padding, or an array.
	opRaw
	// A gap of arg bytes. The encoder writes zeros, and the decoder accepts any bytes.
	opSkip

	// A slice of strings or of integers: its length as a uvarint, and its elements encoded as
	// by opString, opInt32 and so on.
	opStrings
	opInt32s
	opInt64s
	opUint32s
	opUint64s
	// A slice of numbers of arg bytes: a length encoded as len says, and the memory of the elements.
	opBulk
	// An error: its text, encoded as by opString. A nil error is encoded like an empty text.
	opError

	// The following ops have a ref, whose program runs for each element, entry or target.

	// A slice: a length encoded as len says, and its elements.
	opSlice
	// A slice that always has the number of elements of its spec, and no length.
	opList
	// An array: its elements.
	opArray
	// A pointer: a flag, and the target if the flag is 1.
	opPointer
	// A map by reflection: a length encoded as len says, and pairs of key and element. In canonical form
	// the pairs are sorted by the bytes of the key.
	opMap
	// A map of plain keys and elements, by a typed loop: see mapCast.
	opCast
	// A value that encodes itself: a length, and the result of MarshalBinary or MarshalText.
	opBinary
	opTextual
	// A union such as mo.Either: a byte with the index of the case, and the value of the case.
	opVariant
	// An interface: the id of its dynamic type as a uvarint, or 0 for nil, and the value.
	opInterface
	// A struct that may gain fields: its length in bytes, and its fields.
	opEvolving
	// A marker before each field of an evolving struct. The input of an older version may end here.
	opField
	// A value that is reached by a getter and a setter.
	opAccessor

	// An integer of 8 bits as a varint, for the tag option varint.
	opInt8
	opUint8
	// The fields of an evolving struct that this version does not know: the rest of the struct.
	opUnknown
	// A removed field: the encoding of its zero value.
	opRemoved
)

const (
	lastOp     = opRemoved
	lastCommon = opPointerTo
)

// An opInfo holds the properties of an op.
type opInfo struct {
	// bound is the maximum number of bytes that an instruction writes into reserved room. If
	// each is set, the maximum is bound for each of arg parts.
	bound int
	each  bool
	// breaks is set if the instruction ends a run: it writes a value of unknown length, and then
	// reserves the bytes for the instructions that follow.
	breaks bool
	// loop is the maximum number of bytes that a loop within the instruction reserves beyond
	// the bytes that it writes.
	loop int
	// body is the number of following instructions that are skipped if the value is absent. If
	// it is bodyArg, arg has the number.
	body int
	// plain is set if opPointerTo may be used for pointers to values of this op.
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
	argOffset             // offset from the flag of an option to its value
	argRef                // an index into refs
)

// bodyArg is the body of an op whose arg has the number of instructions.
const bodyArg = -1

// Bounds in bytes of a length or an id, and of a time in UTC or in the local zone. putZone
// makes the room for a named zone.
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

	// Branches. The instructions of the value follow, and are skipped if the value is absent.
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

	// Further ops.
	opInt8:    {bound: 2},
	opUint8:   {bound: 2},
	opUnknown: {breaks: true, argument: argCanonical},
	opRemoved: {breaks: true, argument: argRef},
}

// bound returns the maximum number of bytes that the instruction writes into reserved room.
func (i *instr) bound() int {
	if o := &ops[i.op]; o.each {
		return o.bound * int(i.arg)
	}
	return ops[i.op].bound
}

// body returns the number of following instructions that are skipped if the value is absent.
func (i *instr) body() int {
	if n := ops[i.op].body; n != bodyArg {
		return n
	}
	return int(i.arg)
}

// An emission names the ops that write the values of a form. Functions of the compiler emit the
// forms without a row.
type emission struct {
	op     op             // the op, if it does not depend on the size of the value
	bySize [8 + 1]op      // or the op by the size of the value in memory
	slices map[uintptr]op // the op for a slice with uvarint length, by the size of an element
}

// emits has a row for each form, so every form is a valid index. [compiler.emit] chooses the
// ops that need a ref and the ops of the canonical form.
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
