package document

// A Kind is the kind of a JSON value.
type Kind uint8

// Values of [Kind].
const (
	Invalid Kind = iota // no value: the zero Value, or a failure
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the name of k in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[Invalid]
}

var kindNames = [...]string{"invalid", "null", "bool", "number", "string", "array", "object"}

// kindOf has the Kind of the values that start with a byte.
var kindOf = [256]Kind{
	'n': Null, 't': Bool, 'f': Bool, '"': String, '[': Array, '{': Object,
	'-': Number, '0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// kind returns the Kind of the value at t.
func (d *Document) kind(t int) Kind { return kindOf[d.data[d.words[t].Pos()]] }
