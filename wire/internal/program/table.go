package program

import (
	"github.com/hone-go/hone/wire/internal/scalar"
	"github.com/hone-go/hone/wire/internal/spec"
)

// An op is the operation of an instruction. It determines the kind and the encoding of the value at the
// instruction's offset. An op without a case in the loops has one in rare_instructions.go. The row of
// the op in [ops] has the properties that the compiler needs.
//
// The numbers of ops are not part of any format. Ops up to lastCommon have a case in putCommon and
// readCommon, so they must stay first.
type op uint8

const (
	// opNone is an empty entry of a table. It is never in a program.
	opNone op = iota

	// opBool encodes a bool as a byte of 0 or 1. Any other byte is a fault.
	opBool
	// opByte encodes a number of 8 bits as its byte.
	opByte
	// opInt16 and the following ops encode an integer of 16, 32 or 64 bits as a varint, zigzag coded if
	// it is signed. A decoder refuses a number that the type cannot represent, and a varint that is
	// longer than necessary.
	opInt16
	opInt32
	opInt64
	opUint16
	opUint32
	opUint64
	// opRun encodes adjacent integers of 64 bits, each like opInt64 or opUint64. arg is the number of
	// integers. Bit k of need is set if the k-th integer is signed.
	opRun
	// opFix16 and the following ops encode a number with the same width as in memory, little-endian.
	opFix16
	opFix32
	opFix64
	// opTime encodes a time as the seconds since 1970 (a signed varint), the nanoseconds (an unsigned
	// varint) and a zone.
	opTime
	// opString encodes a string as its length (a uvarint) and its bytes.
	opString
	// opOption encodes only the flag of an option, 0 or 1. The next arg instructions encode the value.
	// These instructions are skipped if the flag is 0.
	opOption
	// opOptionFix64 and opOptionUint64 encode an option of one number: the flag, and the number if the
	// flag is 1. arg is the distance in memory from the flag to the number. The next instruction is for
	// the number alone: the encoder skips it, and the decoder runs it after the flag.
	opOptionFix64
	opOptionUint64
	// opPointerTo encodes a pointer as a flag, and the target if the flag is 1. The next instruction
	// encodes the target; its op is plain, and its offset is relative to the target.
	opPointerTo

	// opFix16B and the following ops encode a number in big-endian order.
	opFix16B
	opFix32B
	opFix64B
	// opWide writes 8 bytes for an int or uint of a 32-bit platform. The field len of the instruction
	// is the byte order instead of a length.
	opWide
	// opFloat32 and opFloat64 encode a float in canonical form: every NaN has the same encoding, and -0
	// is encoded as 0. The decoder refuses all other NaNs, and -0.
	opFloat32
	opFloat64
	// opComplex64 and opComplex128 encode a complex number as two floats, in canonical form if arg is
	// 1.
	opComplex64
	opComplex128

	// opInstant encodes a time in canonical form, which is the instant without a zone.
	opInstant
	// opTimeUTC encodes a time of a layout as 64 bits of nanoseconds since 1970.
	opTimeUTC
	// opTimeZone encodes a time of a layout with its location: nanoseconds, a flag, and the name of the
	// location.
	opTimeZone

	// opText is like opString, but len selects the encoding of the length.
	opText
	// opBytes encodes a slice of bytes as its length and the bytes. len selects the encoding of the
	// length. The length 0 is decoded as an empty slice if arg is 1, and as nil otherwise.
	opBytes
	// opRaw copies arg bytes of memory: adjacent fields without padding, or an array.
	opRaw
	// opSkip leaves a gap of arg bytes. The encoder writes zeros, and the decoder accepts any bytes.
	opSkip

	// opStrings and the following ops encode a slice of strings or of integers as its length (a
	// uvarint) and its elements, which are encoded like opString, opInt32 and so on.
	opStrings
	opInt32s
	opInt64s
	opUint32s
	opUint64s
	// opBulk encodes a slice of numbers of arg bytes as its length and the memory of its elements. len
	// selects the encoding of the length.
	opBulk
	// opError encodes the text of an error, like opString. A nil error is encoded like an empty text.
	opError

	// The following ops have a ref, whose program runs for each element, entry or target.

	// opSlice encodes a slice as its length and its elements. len selects the encoding of the length.
	opSlice
	// opList encodes the elements of a slice, and no length: the spec contains the number of elements.
	opList
	// opArray encodes the elements of an array.
	opArray
	// opPointer encodes a pointer as a flag, and the target if the flag is 1.
	opPointer
	// opMap encodes a map with reflection: its length, and pairs of key and element. len selects the
	// encoding of the length. In canonical form the pairs are sorted by the bytes of the key.
	opMap
	// opCast encodes a map of plain keys and elements with a typed loop: see mapCast.
	opCast
	// opBinary and opTextual encode a value with its own method: a length, and the result of
	// MarshalBinary or MarshalText.
	opBinary
	opTextual
	// opVariant encodes a union such as mo.Either as a byte with the index of the case, and the value of
	// the case.
	opVariant
	// opInterface encodes an interface as the id of its dynamic type (a uvarint) and the value. The id 0
	// represents nil.
	opInterface
	// opEvolving encodes a struct that may gain fields as its length in bytes and its fields.
	opEvolving
	// opField marks the start of each field of an evolving struct. The input of an older version may end
	// here.
	opField
	// opAccessor encodes a value that is accessed with a getter and a setter.
	opAccessor

	// opInt8 and opUint8 encode an integer of 8 bits as a varint, for the tag option "varint".
	opInt8
	opUint8
	// opUnknown copies the fields of an evolving struct that this version does not know, which are at
	// the end of the struct.
	opUnknown
	// opRemoved writes the zero value of a removed field, and skips the value when it decodes.
	opRemoved
)

const (
	lastOp     = opRemoved
	lastCommon = opPointerTo
)

type opInfo struct {
	// bound is the maximum number of bytes that an instruction writes into reserved space. If the
	// field each is set, bound applies to each of the arg values of the instruction.
	bound int
	each  bool
	// breaks is set if the instruction ends a run: it writes a value of unknown length, and then
	// reserves the bytes for the instructions that follow.
	breaks bool
	// loop is the maximum number of bytes that a loop within the instruction reserves beyond
	// the bytes that it writes.
	loop int
	// body is the number of instructions after this one that are skipped if the value is absent. If body
	// is bodyArg, arg is this number.
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

// bodyArg is the value of opInfo.body for an op whose instructions have the number of skipped
// instructions in arg.
const bodyArg = -1

// Bounds in bytes of a length or an id, and of a time in UTC or in the local zone. putZone reserves the bytes of a
// named zone.
const (
	lengthBound = 10
	timeBound   = scalar.TimeBound
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

	// Values of unknown length. They reserve the bytes of the value and of the run after it.
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

// bound returns the maximum number of bytes that the instruction writes into reserved space.
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
