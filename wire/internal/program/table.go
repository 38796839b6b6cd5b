package program

// An op is what an instruction does. The loops that run programs have a case for
// each; what is known of an op when a program is compiled is in its row of ops.
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
	opRun // arg adjacent 64-bit integers; need says which are signed, the first in its lowest bit
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

// lastOp is the op with the highest number, lastCommon that of those that the loops
// over common instructions have.
const (
	lastOp     = opRemoved
	lastCommon = opPointerTo
)

// An opInfo is what the compiler knows of an op.
type opInfo struct {
	// bound is how many bytes an instruction may write into the room that the one
	// before it made; each says that this is for each of arg parts.
	bound int
	each  bool
	// breaks says that it makes room for the one behind it: it writes something
	// whose length only the value knows.
	breaks bool
	// loop is what it may reserve within, beyond what it writes there.
	loop int
	// body is how many of the instructions behind it are left out if what it looks
	// at is absent; bodyArg, that arg says so.
	body int
	// plain says that a pointer to what the instruction alone writes takes no
	// program of its own: see opPointerTo.
	plain bool
	// argument is what arg stands for.
	argument argument
}

// An argument is what the arg of an instruction stands for.
type argument uint8

const (
	argNone      argument = iota
	argNumber             // how a number is handed to a BinaryWriter: a numberKind
	argCount              // bytes, or parts
	argCanonical          // 1 for the canonical form
	argEmpty              // 1 if what is empty reads back empty, not nil
	argOffset             // of an option's value, from its flag
	argRef                // an index into refs
)

const bodyArg = -1

// Some of bound's: a length or an id; a time in UTC or the local zone, as a name
// makes room of its own.
const (
	lengthBound = 10
	timeBound   = 10 + 5 + 1 + 5
)

var ops = [...]opInfo{
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

	opComplex64:  {bound: 8, argument: argCanonical},
	opComplex128: {bound: 16, argument: argCanonical},
	opTime:       {bound: timeBound},
	opInstant:    {bound: 10 + 5 + 1}, // canonical
	opTimeUTC:    {bound: 8},
	opTimeZone:   {bound: 8, breaks: true},

	opString:  {breaks: true, plain: true},
	opText:    {breaks: true}, // a string whose length has a fixed width
	opBytes:   {breaks: true, argument: argEmpty},
	opError:   {breaks: true},
	opRaw:     {breaks: true, argument: argCount}, // bytes as they are in memory
	opSkip:    {breaks: true, argument: argCount}, // bytes of zero
	opStrings: {bound: lengthBound, breaks: true, loop: lengthBound + slack},
	opInt32s:  {bound: lengthBound, breaks: true, loop: 10*chunk + slack},
	opInt64s:  {bound: lengthBound, breaks: true, loop: 10*chunk + slack},
	opUint32s: {bound: lengthBound, breaks: true, loop: 10*chunk + slack},
	opUint64s: {bound: lengthBound, breaks: true, loop: 10*chunk + slack},
	opBulk:    {bound: lengthBound, breaks: true, argument: argCount}, // a slice of numbers of arg bytes, as they are in memory

	opOption:       {bound: 1, body: bodyArg, argument: argCount}, // of what the next arg instructions write
	opOptionFix64:  {bound: 1, body: 1, argument: argOffset},      // of what the next instruction alone writes
	opOptionUint64: {bound: 1, body: 1, argument: argOffset},
	opPointerTo:    {bound: 1, body: 1, argument: argRef}, // a pointer to what the next instruction alone writes

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
	opField:     {breaks: true, argument: argRef}, // in front of each field of an evolving struct
	opAccessor:  {breaks: true, argument: argRef},

	opInt8:    {bound: 2}, // varints
	opUint8:   {bound: 2},
	opUnknown: {breaks: true, argument: argCanonical}, // the rest of an evolving struct
	opRemoved: {breaks: true, argument: argRef},       // the place of a field that was removed
}

// slack is what the encoder reserves beyond the bytes of a run, so that a number
// may be written as a whole word of which only a part counts.
const slack = 8

// bound returns what an instruction may write into the room that the one before
// it made.
func (i *instr) bound() int {
	if o := &ops[i.op]; o.each {
		return o.bound * int(i.arg)
	}
	return ops[i.op].bound
}

// body returns the number of instructions behind this one that are left out if
// what it looks at is absent.
func (i *instr) body() int {
	if n := ops[i.op].body; n != bodyArg {
		return n
	}
	return int(i.arg)
}

// A Form is a way to write values. What is known of each is in its row of forms.
type Form uint8

const (
	FormNone      Form = iota
	FormBool           // 0 or 1
	FormByte           // an 8-bit integer
	FormVarint         // a zigzag varint
	FormUvarint        // an unsigned one
	FormFixed          // an integer or a float of a fixed width
	FormFloat          // a derived float: fixed, little-endian, canonical if asked for
	FormComplex        // two of them
	FormText           // a length and bytes, a string in memory
	FormBytes          // a length and bytes, a []byte in memory
	FormTime           // a derived time
	FormTimeUTC        // a declared one: 64-bit Unix nanoseconds
	FormTimeZone       // that, and a flagged zone name
	FormSlice          // a length and elements
	FormArray          // count elements
	FormStruct         // fields
	FormPointer        // a flag and, if set, elem
	FormOption         // the same, an mo.Option in memory
	FormVariant        // a tag byte and what it says
	FormError          // the text of an error
	FormMap            // a length and keys with elements
	FormBigInt         // a sign and a magnitude in a block
	FormBinary         // a block by the type's own binary methods
	FormTextual        // a block by its text methods
	FormInterface      // an id and what was registered under it
	FormSkip           // count zero bytes
	FormAccessor       // elem, by a getter and a setter
	FormList           // a slice of exactly count elements, without a length
	FormRaw            // a length and the bytes of an elem, a []byte in memory
	FormRemoved        // zero, where an elem was written before; nothing in memory
	FormUnknown        // what is left of an evolving struct, a []byte in memory
)

// A FormInfo is what is known of a form.
type FormInfo struct {
	Kind   string // of a schema; a number without one says by itself which it is
	Tag    string // of a schema
	Number bool   // it has a width, and may have a sign
	Length bool   // a length begins it, Spec.Len
	Method bool   // a type's own methods write it

	least int  // bytes of the shortest encoding, if that does not depend on the spec
	fixed bool // all encodings have as many
	block bool // it is a length and so many bytes
	nests bool // a Measure counts it as a level of nesting

	op     op             // the instruction that writes it, if one does by itself
	bySize [8 + 1]op      // or the one for so many bytes in memory
	slices map[uintptr]op // the one for slices of it with a uvarint in front, by their elements' size
}

// Info returns what is known of f.
func (f Form) Info() *FormInfo { return &forms[f] }

var forms = [...]FormInfo{
	FormBool:    {Kind: "bool", least: 1, fixed: true, op: opBool},
	FormByte:    {Number: true, least: 1, fixed: true, op: opByte},
	FormVarint:  {Number: true, least: 1, bySize: [...]op{1: opInt8, 2: opInt16, 4: opInt32, 8: opInt64}, slices: map[uintptr]op{4: opInt32s, 8: opInt64s}},
	FormUvarint: {Number: true, least: 1, bySize: [...]op{1: opUint8, 2: opUint16, 4: opUint32, 8: opUint64}, slices: map[uintptr]op{4: opUint32s, 8: opUint64s}},
	FormFixed:   {Number: true, fixed: true},
	FormFloat:   {Number: true, fixed: true},
	FormComplex: {Kind: "complex", Number: true, fixed: true},

	FormText:     {Kind: "string", Length: true, block: true, slices: map[uintptr]op{8: opStrings, 16: opStrings}},
	FormBytes:    {Kind: "bytes", Length: true, block: true, op: opBytes},
	FormError:    {Kind: "string", Length: true, least: 1, block: true, op: opError},
	FormBigInt:   {Kind: "bigint", least: 2, block: true, op: opBinary},
	FormBinary:   {Kind: "binary", Method: true, least: 1, block: true, op: opBinary},
	FormTextual:  {Kind: "text", Method: true, least: 1, block: true, op: opTextual},
	FormTime:     {Kind: "time", least: 3, op: opTime},
	FormTimeUTC:  {Kind: "time utc", least: 8, fixed: true, op: opTimeUTC},
	FormTimeZone: {Kind: "time location", least: 9, op: opTimeZone},

	FormSlice:     {Kind: "slice", Length: true, nests: true},
	FormArray:     {Kind: "array", nests: true},
	FormList:      {Kind: "array", nests: true},
	FormMap:       {Kind: "map", Length: true, nests: true},
	FormStruct:    {Kind: "struct"},
	FormPointer:   {Kind: "optional", least: 1, nests: true},
	FormOption:    {Kind: "optional", least: 1},
	FormVariant:   {Kind: "union", Tag: "byte", least: 1, nests: true},
	FormInterface: {Kind: "union", Tag: "uvarint", least: 1, nests: true},
	FormSkip:      {Kind: "skip", fixed: true},
	FormAccessor:  {nests: true},

	FormRaw:     {Kind: "raw", Length: true, least: 1, block: true, op: opBytes},
	FormRemoved: {},
	FormUnknown: {op: opUnknown},
}
