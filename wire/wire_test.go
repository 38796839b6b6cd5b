package wire

import (
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

type inner struct {
	A [4]int
	B byte
}

type embedded struct{ E string }

type Pointed struct{ P *int32 }

type tree struct {
	V     int
	Left  *tree
	Right *tree
	Kids  []tree
	Named map[string]*tree
}

type named string

type everything struct {
	Bool   bool
	I8     int8
	I16    int16
	I32    int32
	I64    int64
	I      int
	U8     uint8
	U16    uint16
	U32    uint32
	U64    uint64
	U      uint
	F32    float32
	F64    float64
	C64    complex64
	C128   complex128
	S      string
	N      named
	B      []byte
	Ints   []int
	Strs   []string
	Names  []named
	Floats []float32
	Bools  []bool
	Deep   [][][]int16
	Arr    [3]inner
	Long   [20]uint16
	ID     [16]byte
	Ptr    **string
	M      map[int]int
	MS     map[named]float64
	MB     map[[2]bool]inner
	MM     map[string]map[uint32]string
	T      time.Time
	D      time.Duration
	O      mo.Option[int]
	OS     mo.Option[string]
	OO     mo.Option[mo.Option[inner]]
	OP     mo.Option[*tree]
	Addr   netip.Addr
	Big    *big.Int
	Void   struct{}
	Voids  []struct{}
	Tree   tree
	embedded
	*Pointed
	Skipped string `wire:"-"`
	hidden  int
}

func full(t testing.TB) everything {
	p := new(string)
	*p = "pp"
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return everything{
		Bool: true, I8: -128, I16: math.MinInt16, I32: math.MinInt32, I64: math.MinInt64, I: -1,
		U8: 255, U16: math.MaxUint16, U32: math.MaxUint32, U64: math.MaxUint64, U: 300,
		F32: -0.5, F64: math.Inf(-1), C64: 1 - 2i, C128: complex(math.MaxFloat64, -0.25),
		S: "häh\x00", N: "n", B: []byte{1, 2}, Ints: []int{0, -1, 1 << 30}, Strs: []string{"", "a"},
		Names: []named{"x"}, Floats: []float32{1, 2}, Bools: []bool{true, false},
		Deep: [][][]int16{{{1, -2}, nil}, nil}, Arr: [3]inner{{A: [4]int{1, 2, 3, 4}, B: 9}},
		Long: [20]uint16{19: 65535}, ID: [16]byte{15: 1}, Ptr: &p,
		M: map[int]int{6: 7, -8: 9}, MS: map[named]float64{"pi": math.Pi},
		MB: map[[2]bool]inner{{true, false}: {B: 1}, {false, false}: {B: 2}},
		MM: map[string]map[uint32]string{"": {1: "one"}, "nil": nil},
		T:  time.Date(2024, 7, 1, 12, 0, 0, 123, zone), D: time.Hour,
		O: mo.Some(0), OS: mo.Some("s"), OO: mo.Some(mo.None[inner]()), OP: mo.Some(&tree{V: 1}),
		Addr: netip.MustParseAddr("fe80::1%eth0"), Big: big.NewInt(-1 << 40),
		Voids: make([]struct{}, 3),
		Tree: tree{V: 1, Left: &tree{V: 2}, Kids: []tree{{V: 3}, {V: 4, Right: &tree{}}},
			Named: map[string]*tree{"k": nil}},
		embedded: embedded{"e"}, Pointed: &Pointed{new(int32)},
	}
}

func TestRoundTrip(t *testing.T) {
	for name, v := range map[string]everything{"zero": {}, "full": full(t)} {
		t.Run(name, func(t *testing.T) {
			data, err := Marshal(&v)
			if err != nil {
				t.Fatal(err)
			}
			var got everything
			if err := Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			if !got.T.Equal(v.T) || got.T.Location().String() != v.T.Location().String() {
				t.Errorf("time %v, want %v", got.T, v.T)
			}
			got.T = v.T
			if !reflect.DeepEqual(got, v) {
				t.Errorf("got  %+v\nwant %+v", got, v)
			}
			for n := range data {
				if err := Unmarshal(data[:n], new(everything)); err == nil {
					t.Fatalf("the first %d of %d bytes decode without an error", n, len(data))
				}
			}
			if err := Unmarshal(append(data, 0), new(everything)); err == nil {
				t.Error("a trailing byte is accepted")
			}
		})
	}
}

func TestAppendAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	v := full(t)
	buf := make([]byte, 0, 4096)
	v.Addr, v.Big = netip.Addr{}, nil
	if n := testing.AllocsPerRun(100, func() { buf, _ = Append(buf[:0], &v) }); n > 0 {
		t.Errorf("Append: %v allocs, budget 0", n)
	}
}
