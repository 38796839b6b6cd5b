package code_test

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/wire"
)

//go:generate go run github.com/hone-go/hone/cmd/hone gen -go -all -o hone_gen_test.go

// The types of these tests have a field for each way in which generated code handles a value, and
// for each value that it passes to the engine.

type (
	flag  bool
	label string
	small int8
	long  int64
	count uint32
	ratio float32
	hash  [4]byte
	names []string
)

// numbers has a field of each kind of single value, and fields of named types.
type numbers struct {
	B    bool
	Flag flag
	I8   int8
	I16  int16
	I32  int32
	I64  int64
	I    int
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	U    uint
	F32  float32
	F64  float64
	S    string
	L    label
	N8   small
	N64  long
	N32  count
	R    ratio
	At   time.Time
}

// tagged has integers whose tags choose another encoding.
type tagged struct {
	A   int16  `wire:",fixed"`
	B   uint32 `wire:",fixed"`
	C   int    `wire:",fixed"`
	D   uint   `wire:",fixed"`
	E   int64  `wire:",fixed"`
	F   int8   `wire:",varint"`
	G   uint8  `wire:",varint"`
	H   []int  `wire:",fixed"`
	I   *int32 `wire:",fixed"`
	Out string `wire:"-"`
}

// optional has options and pointers.
type optional struct {
	F  mo.Option[float64]
	I  mo.Option[int]
	U  mo.Option[uint64]
	S  mo.Option[string]
	B  mo.Option[bool]
	At mo.Option[time.Time]
	L  mo.Option[[]float64]
	PB *bool
	PI *int
	PF *float64
	PS *string
	PT *time.Time
	PL *long
	PP **int
	PN *numbers
}

// sequences has slices, arrays and maps.
type sequences struct {
	Bytes   []byte
	Strings []string
	Names   names
	Labels  []label
	Ints    []int
	I16     []int16
	I32     []int32
	U64     []uint64
	Longs   []long
	Floats  []float64
	Hash    hash
	Raw     [16]byte
	Few     [4]int
	Many    [40]uint16
	Texts   [3]string
	Empty   [0]int
	Times   []time.Time
	Nested  [][]string
	Nothing []struct{}
	ByName  map[string]int
	ByInt   map[int]string
	ByLong  map[long]label
	BySmall map[small]bool
	ToFloat map[uint64]float64
	ToTime  map[string]time.Time
	ToSlice map[string][]int
	ByFloat map[float64]int
}

// point has elements that are copied as bytes.
type point struct{ X, Y float64 }

// outer contains structs as fields, as elements and as targets of pointers.
type outer struct {
	ID     int
	In     inner
	Ins    []inner
	Fixed  [2]inner
	Ref    *inner
	Points []point
	Opt    mo.Option[int]
	inner
	Tree   tree
	Shared []random.Tree
}

type inner struct {
	Name  string
	Deep  deep
	Deeps []deep
}

type deep struct {
	N    int
	M    map[string]int
	Any  map[string][]string
	Note *string
}

// tree contains itself.
type tree struct {
	Label string
	Kids  []tree
	Next  *tree
	Named map[string]tree
}

// methods has types that encode themselves.
type methods struct {
	Big   big.Int
	Bigs  []big.Int
	Ratio *big.Rat
	After int
}

// first, second and third are versions of one evolving struct.
type (
	first struct {
		_    wire.Evolving
		ID   int
		Name string
	}
	second struct {
		_    wire.Evolving
		ID   int
		Name string
		Tags []string
		In   inner
		At   mo.Option[int]
	}
	third struct {
		_    wire.Evolving
		ID   int
		_    wire.Removed[string] `wire:",was=Name"`
		Tags []string
		In   inner
		At   mo.Option[int]
		More deep
		Rest wire.Unknown
	}
)

// versions contains evolving structs.
type versions struct {
	One  second
	Many []second
	By   map[string]third
	Last int
}

// empty has no fields.
type empty struct{}

// Deep2 is embedded in another struct.
type Deep2 struct{ N int }

// nothings has a slice of structs without fields.
type nothings struct {
	Many []empty
	Last int
}

// raws has types that encoding/json declares in another package since Go 1.27. The generated code of either release
// compiles, and is used, with both.
type raws struct {
	R  json.RawMessage
	S  []json.RawMessage
	P  *json.RawMessage
	A  [2]json.RawMessage
	M  map[string]json.RawMessage
	O  mo.Option[json.RawMessage]
	In struct{ R []json.RawMessage }
}
