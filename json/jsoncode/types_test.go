//lint:file-ignore SA5008 the tests need unusual tags

package jsoncode_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"time"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/mo"
)

//go:generate go run github.com/hone-go/hone/cmd/hone gen -go -json -o hone_gen_test.go scalars tagged omitted optional sequences outer inner tree methods embedding names dynamic both options containers chain declared empty Deep checked wide promoted raws

// The types of these tests have a field for each kind of value that generated code encodes itself,
// and for each kind that it passes to the engine. For each type there is a twin with the suffix
// Twin, which has the same fields and no methods, so the engine encodes it.

type (
	flag  bool
	label string
	small int8
	count uint32
	ratio float32
	bite  byte
	word  []byte
)

// scalars has a field of each scalar type, and of some named scalar types.
type scalars struct {
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
	P    uintptr
	F32  float32
	F64  float64
	S    string
	L    label
	N8   small
	N32  count
	R    ratio
	At   time.Time
	For  time.Duration
}

// tagged has fields with tag options.
type tagged struct {
	A   int     `json:",string"`
	B   uint8   `json:"b,string"`
	C   bool    `json:",string"`
	D   string  `json:",string"`
	E   float64 `json:",string"`
	F   *int    `json:",string"`
	G   []int   `json:",string"`
	Out string  `json:"-"`
	In  string  `json:"-,"`
}

// omitted has fields that are omitted if they are empty or zero.
type omitted struct {
	A int             `json:"a,omitempty"`
	B bool            `json:"b,omitempty"`
	C string          `json:"c,omitempty"`
	D []int           `json:"d,omitempty"`
	E map[string]int  `json:"e,omitempty"`
	F *int            `json:"f,omitempty"`
	G any             `json:"g,omitempty"`
	H float64         `json:"h,omitempty"`
	I [2]int          `json:"i,omitempty"`
	J int8            `json:"j,omitempty"`
	K uint64          `json:"k,omitempty"`
	L time.Time       `json:"l,omitempty"`
	M time.Time       `json:"m,omitzero"`
	N []int           `json:"n,omitzero"`
	O inner           `json:"o,omitzero"`
	P mo.Option[int]  `json:"p,omitempty"`
	Q mo.Option[int]  `json:"q,omitzero"`
	R small           `json:"r,omitzero,omitempty"`
	S []string        `json:"s,omitzero,omitempty"`
	T [0]int          `json:"t,omitempty"`
	U error           `json:"u,omitempty"`
	V struct{ X int } `json:"v,omitzero"`
	W uintptr         `json:"w,omitempty"`
	X []byte          `json:"x,omitempty"`
	Y string          `json:"y,omitzero"`
	Z float32         `json:"z,omitzero"`
}

// optional has options and pointers.
type optional struct {
	F  mo.Option[float64]
	I  mo.Option[int]
	U  mo.Option[uint64]
	S  mo.Option[string]
	B  mo.Option[bool]
	L  mo.Option[label]
	At mo.Option[time.Time]
	Fs mo.Option[[]float64]
	In mo.Option[inner]
	PB *bool
	PI *int
	P8 *small
	PF *float64
	PS *string
	PT *time.Time
	PP **int
	PN *scalars
}

// sequences has slices, arrays and maps.
type sequences struct {
	Bytes   []byte
	Word    word
	Bites   []bite
	Strings []string
	Labels  []label
	Ints    []int
	I8      []int8
	U64     []uint64
	Bools   []bool
	Floats  []float64
	F32     []float32
	Hash    [4]byte
	Few     [4]int
	Texts   [3]string
	Times   []time.Time
	Nested  [][]string
	Deep    [][][]float64
	Pairs   [][2]float64
	Empty   []struct{}
	Ptrs    []*int
	ByName  map[string]int
	ByInt   map[int]string
	ToSlice map[string][]int
	ToInner map[string]inner
}

// outer contains structs as fields, as elements and as targets of pointers.
type outer struct {
	ID    int `json:"id"`
	In    inner
	Ins   []inner
	Fixed [2]inner
	Ref   *inner
	By    map[string]*inner
	Anon  struct {
		A, B int
		C    struct{ D []string }
	}
	Tree   tree
	Shared []random.Tree
}

type inner struct {
	Name string `json:"name,omitempty"`
	Deep Deep   `json:"deep"`
}

// Deep is embedded in other structs.
type Deep struct {
	N    int
	Note *string `json:",omitempty"`
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
	Text  text
	Texts []text
	After int
}

// text fails for long values.
type text string

var errLong = errors.New("the text is too long")

func (x text) MarshalText() ([]byte, error) {
	if len(x) > 20 {
		return nil, errLong
	}
	return []byte("<" + x + ">"), nil
}

// embedding has promoted fields.
type embedding struct {
	Deep
	*Pointed
	unexported
	Last int
}

// Pointed is embedded by a pointer.
type Pointed struct {
	P int
	Q string `json:"q,omitempty"`
}

type unexported struct{ Visible string }

// names has names of members that need escapes, or that some options escape.
type names struct {
	A int    `json:"a<b"`
	B string `json:"é"`
	C int    `json:"&amp"`
	D int    `json:"x\u2028y,omitempty"`
	E int    `json:"%s code.X"`
}

// dynamic has values whose types are known at run time.
type dynamic struct {
	Any    any
	Err    error
	Result mo.Result[int]
	Either mo.Either[int, string]
	Last   int
}

// both has only values that version 1 and version 2 encode by the same steps, so both versions can
// run the same generated code.
type both struct {
	Name    string
	Strings []string
	Ints    []int
	Floats  []float64
	Bytes   []byte
	Score   float64
	At      time.Time
	PS      *string
	Opt     mo.Option[string]
	Z       int `json:"z,omitzero"`
	Deep    struct{ A, B bool }
	Tree    []tree
}

// declared has an interface whose cases a test declares, after the code was generated.
type declared struct {
	Last event
	N    int
}

type event interface{ isEvent() }

func (Deep) isEvent() {}

// empty has no fields.
type empty struct{}

// options has no steps that can fail, except for the steps of its Options.
type options struct {
	A mo.Option[string]
	B mo.Option[float64]
}

// containers has recursive map and slice types without a struct in between.
type containers struct {
	Forest forest
	Lists  lists
	Last   int
}

type (
	forest map[string][]forest
	lists  []otherLists
	// otherLists is an element of lists.
	otherLists []lists
)

// chain has a slice and a pointer at each level of nesting.
type chain struct {
	Ints []int
	I    *int32
	Next [1][1][1][1][1][1][1][1][1]*chain
}

// checked has tags of package api, which the option CheckMembers applies.
type checked struct {
	Name  string   `json:"name" maxLength:"6"`
	Tags  []string `json:"tags" maxItems:"2"`
	Size  int      `json:"size" default:"7"`
	Color string   `json:"color,omitempty" enum:"red,blue"`
	Deep  Deep     `json:"deep" required:"true"`
	Ref   *Deep    `json:"ref,omitempty"`
}

// wide has more fields than a word has bits.
type wide struct {
	F0  int `json:"f0,omitempty"`
	F1  int `json:"f1,omitempty"`
	F2  int `json:"f2,omitempty"`
	F3  int `json:"f3,omitempty"`
	F4  int `json:"f4,omitempty"`
	F5  int `json:"f5,omitempty"`
	F6  int `json:"f6,omitempty"`
	F7  int `json:"f7,omitempty"`
	F8  int `json:"f8,omitempty"`
	F9  int `json:"f9,omitempty"`
	F10 int `json:"f10,omitempty"`
	F11 int `json:"f11,omitempty"`
	F12 int `json:"f12,omitempty"`
	F13 int `json:"f13,omitempty"`
	F14 int `json:"f14,omitempty"`
	F15 int `json:"f15,omitempty"`
	F16 int `json:"f16,omitempty"`
	F17 int `json:"f17,omitempty"`
	F18 int `json:"f18,omitempty"`
	F19 int `json:"f19,omitempty"`
	F20 int `json:"f20,omitempty"`
	F21 int `json:"f21,omitempty"`
	F22 int `json:"f22,omitempty"`
	F23 int `json:"f23,omitempty"`
	F24 int `json:"f24,omitempty"`
	F25 int `json:"f25,omitempty"`
	F26 int `json:"f26,omitempty"`
	F27 int `json:"f27,omitempty"`
	F28 int `json:"f28,omitempty"`
	F29 int `json:"f29,omitempty"`
	F30 int `json:"f30,omitempty"`
	F31 int `json:"f31,omitempty"`
	F32 int `json:"f32,omitempty"`
	F33 int `json:"f33,omitempty"`
	F34 int `json:"f34,omitempty"`
	F35 int `json:"f35,omitempty"`
	F36 int `json:"f36,omitempty"`
	F37 int `json:"f37,omitempty"`
	F38 int `json:"f38,omitempty"`
	F39 int `json:"f39,omitempty"`
	F40 int `json:"f40,omitempty"`
	F41 int `json:"f41,omitempty"`
	F42 int `json:"f42,omitempty"`
	F43 int `json:"f43,omitempty"`
	F44 int `json:"f44,omitempty"`
	F45 int `json:"f45,omitempty"`
	F46 int `json:"f46,omitempty"`
	F47 int `json:"f47,omitempty"`
	F48 int `json:"f48,omitempty"`
	F49 int `json:"f49,omitempty"`
	F50 int `json:"f50,omitempty"`
	F51 int `json:"f51,omitempty"`
	F52 int `json:"f52,omitempty"`
	F53 int `json:"f53,omitempty"`
	F54 int `json:"f54,omitempty"`
	F55 int `json:"f55,omitempty"`
	F56 int `json:"f56,omitempty"`
	F57 int `json:"f57,omitempty"`
	F58 int `json:"f58,omitempty"`
	F59 int `json:"f59,omitempty"`
	F60 int `json:"f60,omitempty"`
	F61 int `json:"f61,omitempty"`
	F62 int `json:"f62,omitempty"`
	F63 int `json:"f63,omitempty"`
	F64 int `json:"f64,omitempty"`
	F65 int `json:"f65,omitempty"`
	F66 int `json:"f66,omitempty"`
	F67 int `json:"f67,omitempty"`
	F68 int `json:"f68,omitempty"`
	F69 int `json:"f69,omitempty"`
}

// promoted has fields that are promoted from structs that it embeds by value.
type promoted struct {
	Deep
	unexported
	Last struct {
		Deep
		X, Y float64
	}
}

type (
	checkedTwin  checked
	wideTwin     wide
	promotedTwin promoted

	scalarsTwin   scalars
	taggedTwin    tagged
	omittedTwin   omitted
	optionalTwin  optional
	sequencesTwin sequences
	outerTwin     outer
	innerTwin     inner
	DeepTwin      Deep
	treeTwin      tree
	methodsTwin   methods
	embeddingTwin embedding
	namesTwin     names
	dynamicTwin   dynamic
	bothTwin      both
	emptyTwin     empty

	optionsTwin    options
	containersTwin containers
	chainTwin      chain
	rawsTwin       raws
)

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
