package spec

// A Form is a kind of encoding, such as a varint or a slice. The table forms has a row for each
// Form.
type Form uint8

const (
	FormNone      Form = iota
	FormBool           // 0 or 1
	FormByte           // an 8-bit integer
	FormVarint         // an integer as a zigzag varint
	FormUvarint        // an unsigned integer as a varint
	FormFixed          // an integer or a float of a fixed width
	FormFloat          // a derived float: fixed width, little-endian, canonical on request
	FormComplex        // two floats
	FormText           // a length and bytes, a string in memory
	FormBytes          // a length and bytes, a []byte in memory
	FormTime           // a derived time
	FormTimeUTC        // a declared time: 64-bit Unix nanoseconds
	FormTimeZone       // a declared time, a flag and, if it is 1, the name of the zone
	FormSlice          // a length and elements
	FormArray          // count elements
	FormStruct         // fields
	FormPointer        // a flag and, if it is 1, the value of Spec.Elem
	FormOption         // like FormPointer; an mo.Option in memory
	FormVariant        // a tag byte, and the value of the case that it selects
	FormError          // the text of an error
	FormMap            // a length and keys with elements
	FormBigInt         // a length, a sign byte and a magnitude
	FormBinary         // a length and the result of the type's binary methods
	FormTextual        // a length and the result of the type's text methods
	FormInterface      // an id and a value of the type that is registered under it
	FormSkip           // count zero bytes
	FormAccessor       // Spec.Elem, accessed by a getter and a setter
	FormList           // a slice of exactly count elements, without a length
	FormRaw            // a length and the encoding of Spec.Elem; a []byte in memory
	FormRemoved        // the zero value of Spec.Elem, a removed field; no memory
	FormUnknown        // the last bytes of an evolving struct; a []byte in memory
)

// A FormInfo is the row of a form. Schemas and the engine read it.
type FormInfo struct {
	Kind   string // the kind in a schema; "" for a number, whose kind depends on Float and Signed
	Tag    string // the tag in a schema
	Number bool   // it has a width, and may have a sign
	Length bool   // it begins with a length, Spec.Len
	Method bool   // a type's own methods write it

	least int  // length in bytes of the shortest encoding, if it does not depend on the spec
	Fixed bool // all encodings have the same number of bytes
	Block bool // a length and as many bytes
	Nests bool // it counts as a level of nesting
}

// Info returns the row of f.
func (f Form) Info() *FormInfo { return &forms[f] }

// forms has a row for each form.
var forms = [...]FormInfo{
	FormBool:    {Kind: "bool", least: 1, Fixed: true},
	FormByte:    {Number: true, least: 1, Fixed: true},
	FormVarint:  {Number: true, least: 1},
	FormUvarint: {Number: true, least: 1},
	FormFixed:   {Number: true, Fixed: true},
	FormFloat:   {Number: true, Fixed: true},
	FormComplex: {Kind: "complex", Number: true, Fixed: true},

	FormText:     {Kind: "string", Length: true, Block: true},
	FormBytes:    {Kind: "bytes", Length: true, Block: true},
	FormError:    {Kind: "string", Length: true, least: 1, Block: true},
	FormBigInt:   {Kind: "bigint", least: 2, Block: true},
	FormBinary:   {Kind: "binary", Method: true, least: 1, Block: true},
	FormTextual:  {Kind: "text", Method: true, least: 1, Block: true},
	FormTime:     {Kind: "time", least: 3},
	FormTimeUTC:  {Kind: "time utc", least: 8, Fixed: true},
	FormTimeZone: {Kind: "time location", least: 9},

	FormSlice:     {Kind: "slice", Length: true, Nests: true},
	FormArray:     {Kind: "array", Nests: true},
	FormList:      {Kind: "array", Nests: true},
	FormMap:       {Kind: "map", Length: true, Nests: true},
	FormStruct:    {Kind: "struct"},
	FormPointer:   {Kind: "optional", least: 1, Nests: true},
	FormOption:    {Kind: "optional", least: 1},
	FormVariant:   {Kind: "union", Tag: "byte", least: 1, Nests: true},
	FormInterface: {Kind: "union", Tag: "uvarint", least: 1, Nests: true},
	FormSkip:      {Kind: "skip", Fixed: true},
	FormAccessor:  {Nests: true},

	FormRaw:     {Kind: "raw", Length: true, least: 1, Block: true},
	FormRemoved: {},
	FormUnknown: {},
}
