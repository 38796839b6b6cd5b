package program

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
	FormBinary         // a block by the type's own binary methods
	FormTextual        // a block by its text methods
	FormInterface      // an id and what was registered under it
	FormSkip           // count zero bytes
	FormAccessor       // elem, by a getter and a setter
	FormList           // a slice of exactly count elements, without a length
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
	nests bool // it is a level of nesting to who measures it

	op     op             // the instruction that writes it, if one does by itself
	bySize [8 + 1]op      // or the one for so many bytes in memory
	slices map[uintptr]op // the one for slices of it with a uvarint in front, by their elements' size
}

// Info returns what is known of f.
func (f Form) Info() *FormInfo { return &forms[f] }

var forms = [...]FormInfo{
	FormBool:    {Kind: "bool", least: 1, fixed: true, op: opBool},
	FormByte:    {Number: true, least: 1, fixed: true, op: opByte},
	FormVarint:  {Number: true, least: 1, bySize: [...]op{2: opInt16, 4: opInt32, 8: opInt64}, slices: map[uintptr]op{4: opInt32s, 8: opInt64s}},
	FormUvarint: {Number: true, least: 1, bySize: [...]op{2: opUint16, 4: opUint32, 8: opUint64}, slices: map[uintptr]op{4: opUint32s, 8: opUint64s}},
	FormFixed:   {Number: true, fixed: true},
	FormFloat:   {Number: true, fixed: true},
	FormComplex: {Kind: "complex", Number: true, fixed: true},

	FormText:     {Kind: "string", Length: true, block: true, slices: map[uintptr]op{8: opStrings, 16: opStrings}},
	FormBytes:    {Kind: "bytes", Length: true, block: true, op: opBytes},
	FormError:    {Kind: "string", Length: true, least: 1, block: true, op: opError},
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
}
