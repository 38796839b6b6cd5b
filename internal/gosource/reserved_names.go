package gosource

// locals are the names of variables in generated functions.
var locals = []string{"b", "d", "e", "i", "in", "k", "m", "mark", "n", "next", "ok", "pos", "s", "size", "start", "t", "u", "v", "x"}

// predeclared lists the names of Go itself that generated code uses.
var predeclared = []string{"append", "bool", "byte", "copy", "float32", "float64", "int", "int16", "int32", "int64", "int8", "len", "nil", "string",
	"uint", "uint16", "uint32", "uint64", "uint8"}
