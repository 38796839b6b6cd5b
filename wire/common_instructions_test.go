package wire

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hone-go/hone/mo"
)

// A common has a field for each instruction that putCommon and readCommon run. Between these fields
// are fields whose instructions make room in the buffer.
type common struct {
	B   bool
	N   int8
	A   int16
	C   int32
	S   string
	D   int64
	E   uint16
	F   uint32
	T   string
	R   int
	R2  uint
	R3  int64
	On  mo.Option[string]
	U   uint64
	G   float32
	At  time.Time
	H   float64
	P   *int
	Q   *uint64
	V   *float64
	W   *string
	OF  mo.Option[float64]
	OU  mo.Option[uint64]
	End string
}

// commons returns values near the limits of these two loops: the largest and the smallest numbers
// of each encoded length, and strings of every length up to the shortest one that only the general
// loop encodes.
func commons() (list []common) {
	zones := []*time.Location{time.UTC, time.FixedZone("", 3600), time.FixedZone("a zone", -7200)}
	for i := range 70 {
		u := uint64(1)<<i - uint64(i&1)
		n := int64(u)
		if i%3 == 1 {
			n = -n
		}
		text := strings.Repeat("häufig ", 10)[:i]
		c := common{B: i&1 == 1, N: int8(n), A: int16(n), C: int32(n), S: text, D: n, E: uint16(u), F: uint32(u),
			T: text[i/2:], R: int(n), R2: uint(u), R3: -n, U: u, G: float32(n), At: time.Unix(n>>8, int64(u%1e9)).In(zones[i%3]),
			H: math.Float64frombits(u), End: text[i/3:]}
		if i%2 == 0 {
			p, f, w := int(n), float64(n), text
			c.P, c.Q, c.V, c.W = &p, &u, &f, &w
		}
		if i%4 > 1 {
			c.On, c.OF, c.OU = mo.Some(text), mo.Some(float64(i)), mo.Some(u)
		}
		list = append(list, c)
	}
	return append(list, common{})
}

// TestCommon compares both loops with the oracle, at every capacity of the buffer. Wherever the
// common loop stops, the general loop must continue correctly.
func TestCommon(t *testing.T) {
	for i, v := range commons() {
		want := slowAppend(nil, reflect.ValueOf(&v).Elem())
		for room := 0; room <= len(want)+300; room += 1 + room/40 {
			dst := bytes.Repeat([]byte{0xaa}, 3+room)
			got, err := Append(dst[:3:3+room], &v)
			if err != nil || !bytes.Equal(got[3:], want) || !bytes.Equal(got[:3], dst[:3]) {
				t.Fatalf("value %d with %d bytes of room: %x, %v; want %x", i, room, got, err, want)
			}
		}
		// Marshal learns the length from earlier calls, so a later call may encode directly into
		// its result.
		for range 3 {
			if got, err := Marshal(&v); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("value %d: Marshal = %x, %v; want %x", i, got, err, want)
			}
		}
		var back common
		if err := Unmarshal(want, &back); err != nil {
			t.Fatalf("value %d: %v", i, err)
		}
		if again := slowAppend(nil, reflect.ValueOf(&back).Elem()); !bytes.Equal(again, want) {
			t.Fatalf("value %d is decoded as %x; want %x", i, again, want)
		}
		for end := range want {
			// Decode the truncated input into a zero value, and into a value that holds an earlier
			// result.
			var less common
			e1, e2 := Unmarshal(want[:end], &less), Unmarshal(want[:end], &back)
			if e1 == nil || e2 == nil || e1.Error() != e2.Error() {
				t.Fatalf("value %d, first %d bytes: %v, then %v", i, end, e1, e2)
			}
		}
	}
}

// TestCommonDepth checks that a pointer counts as a level of nesting in each loop.
func TestCommonDepth(t *testing.T) {
	type pointers struct {
		N int
		O mo.Option[uint64]
		P *int
		S string
	}
	c := Must(For[pointers](Options{Limits: Limits{Depth: 1}}))
	n := 5
	for _, v := range []pointers{{P: &n}, {N: 3, O: mo.Some[uint64](4), P: &n}} {
		if _, err := c.Append(nil, &v); err == nil || !strings.Contains(err.Error(), ".P") {
			t.Errorf("%+v is encoded a level too deep: %v", v, err)
		}
		if err := c.Unmarshal(Must(Marshal(&v)), new(pointers)); err == nil || !strings.Contains(err.Error(), ".P") {
			t.Errorf("%+v is decoded a level too deep: %v", v, err)
		}
	}
	if _, err := c.Append(nil, &pointers{N: 1, O: mo.Some[uint64](2), S: "within"}); err != nil {
		t.Error(err)
	}
}

// TestMarshalSizes encodes values of many lengths in random order and in several goroutines.
// Marshal must return the same bytes as Append, and must not waste capacity, although it guesses
// the length from earlier encodings.
func TestMarshalSizes(t *testing.T) {
	type value struct {
		Texts []string
		N     []int
		Next  *value
		M     map[string]int
		At    time.Time
	}
	make := func(n int) *value {
		v := &value{At: time.Unix(int64(n), 5).In(time.FixedZone("a zone", 60))}
		for i := range n {
			v.Texts = append(v.Texts, strings.Repeat("text", i%9))
			v.N = append(v.N, i<<(i%40))
			if i%100 == 0 {
				v.Next = &value{Next: v.Next, N: v.N}
			}
		}
		if n > 0 {
			v.M = map[string]int{"one": n}
		}
		return v
	}
	lengths := []int{0, 100, 100, 101, 103, 99, 100, 2000, 100, 100, 2000, 2000, 2050, 1, 2000, 0, 300, 310, 320, 330, 340, 340, 345}
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range lengths {
				v := make(lengths[(i*(2*g+1)+g)%len(lengths)])
				want, err := Append(nil, v)
				if err != nil {
					t.Error(err)
				}
				for range 2 {
					got, err := Marshal(v)
					if err != nil || !bytes.Equal(got, want) || cap(got) != len(got) {
						t.Errorf("%d bytes of a capacity of %d, %v; want %d", len(got), cap(got), err, len(want))
					}
				}
			}
		})
	}
	group.Wait()
}
