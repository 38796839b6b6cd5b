package ways

import (
	"errors"
	"reflect"
	"testing"

	"github.com/hone-go/hone/wire"
)

// A recorder keeps its arguments.
type recorder struct{ calls []any }

func (r *recorder) WriteBool(v bool)       { r.calls = append(r.calls, v) }
func (r *recorder) WriteInt8(v int8)       { r.calls = append(r.calls, v) }
func (r *recorder) WriteUint8(v uint8)     { r.calls = append(r.calls, v) }
func (r *recorder) WriteInt(v int64)       { r.calls = append(r.calls, v) }
func (r *recorder) WriteUint(v uint64)     { r.calls = append(r.calls, v) }
func (r *recorder) WriteFloat32(v float32) { r.calls = append(r.calls, v) }
func (r *recorder) WriteFloat64(v float64) { r.calls = append(r.calls, v) }
func (r *recorder) WriteString(v string)   { r.calls = append(r.calls, v) }

type inner struct {
	A [3]int16
	B []string
	P *float32
}

type everything struct {
	T          bool
	I          int
	I8         int8
	I16        int16
	I32        int32
	I64        int64
	U          uint
	U8         uint8
	U16        uint16
	U32        uint32
	U64        uint64
	F32        float32
	F64        float64
	S          string
	N          inner
	L          []inner
	P          **int
	M          map[string]inner
	Empty, Nil map[int]int
	Z          [2]struct{}
}

type loop struct{ Next *loop }

func made[T any](t *testing.T) map[string]Serializer[T] {
	t.Helper()
	all := map[string]Serializer[T]{}
	for name, way := range map[string]func() (Serializer[T], error){"reflection": Reflection[T], "closures": Closures[T], "program": Program[T]} {
		s, err := way()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = s
	}
	return all
}

func TestWays(t *testing.T) {
	half, seven := float32(0.5), 7
	to := &seven
	in := inner{[3]int16{-1, 2, -3}, []string{"a", ""}, &half}
	v := everything{
		true, -1, -2, -3, -4, -5, 1, 2, 3, 4, 5, 1.5, 2.5, "text", in, []inner{in, {}}, &to, map[string]inner{"k": in}, map[int]int{}, nil, [2]struct{}{},
	}
	inside := []any{int64(-1), int64(2), int64(-3), uint64(2), "a", "", true, float32(0.5)}
	empty := []any{int64(0), int64(0), int64(0), uint64(0), false}
	want := []any{
		true, int64(-1), int8(-2), int64(-3), int64(-4), int64(-5), uint64(1), uint8(2), uint64(3), uint64(4), uint64(5), float32(1.5), 2.5, "text",
	}
	want = append(append(want, inside...), uint64(2))
	want = append(append(want, inside...), empty...)
	want = append(append(want, true, true, int64(7), uint64(1), "k"), inside...)
	want = append(want, uint64(0), uint64(0))
	for name, serialize := range made[everything](t) {
		var r recorder
		if err := serialize(&r, &v); err != nil || !reflect.DeepEqual(r.calls, want) {
			t.Errorf("%s: %v\ngot  %v\nwant %v", name, err, r.calls, want)
		}
	}
	// Hone's own serializer makes the same calls.
	own, err := wire.MakeSerializer[inner]()
	if err != nil {
		t.Fatal(err)
	}
	var r recorder
	if err := own(&r, &in); err != nil || !reflect.DeepEqual(r.calls, inside) {
		t.Errorf("hone: %v, %v, want %v", err, r.calls, inside)
	}
}

func TestTypeErrors(t *testing.T) {
	refused := func(name string, err error, want TypeError) {
		t.Helper()
		if e := (*TypeError)(nil); !errors.As(err, &e) || *e != want {
			t.Errorf("%s: %v, want %v", name, err, &want)
		}
	}
	channel := TypeError{Type: reflect.TypeFor[chan int]()}
	_, err := Closures[struct{ C chan int }]()
	refused("closures", err, channel)
	_, err = Program[struct{ C []chan int }]()
	refused("program", err, channel)
	serialize, err := Reflection[struct{ C chan int }]()
	if err != nil {
		t.Fatal(err)
	}
	refused("reflection", serialize(&recorder{}, new(struct{ C chan int })), channel)
	self := TypeError{Type: reflect.TypeFor[loop](), Recursive: true}
	_, err = Closures[loop]()
	refused("closures", err, self)
	_, err = Program[loop]()
	refused("program", err, self)
}
