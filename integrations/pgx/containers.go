package pgx

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/mo"
)

// A container is an instance of mo.Option, mo.Nullable or mo.Result. In the comments, C is that type and
// T is the type of its value.
type container interface {
	// newValue returns a new *T.
	newValue() any
	// get returns the T in c, which is a C or a *C. Ok is false if c stands for NULL.
	get(c any) (value any, ok bool, err error)
	// setNull sets target, a *C, to the C for NULL. It reports false for a Result, which has no such C.
	setNull(target any) bool
	// set stores in target, a *C, the value that value, a *T, points to, or err, the error of scanning it.
	// If C cannot hold an error, set returns err.
	set(target, value any, err error) error
}

// containerOf returns the container t, or nil if t is another type.
func containerOf(t reflect.Type) container {
	if t.Kind() != reflect.Struct || t.PkgPath() != moPath {
		return nil
	}
	if c, ok := typed()[t]; ok {
		return c
	}
	if c, ok := reflected.Load(t); ok {
		return c.(container)
	}
	var c container
	switch name, _, _ := strings.Cut(t.Name(), "["); name {
	case "Option", "Nullable":
		c = &reflectedScanner{reflectedContainer: newReflected(t)}
	case "Result":
		c = &reflectedResult{reflectedContainer: newReflected(t), mapped: method(t, "Map")}
	default:
		return nil
	}
	stored, _ := reflected.LoadOrStore(t, c)
	return stored.(container)
}

var moPath = reflect.TypeFor[mo.Option[any]]().PkgPath()

// typed returns containers of frequent types, whose values are accessed without reflection.
var typed = sync.OnceValue(func() map[reflect.Type]container {
	m := map[reflect.Type]container{}
	for _, f := range frequent {
		f.containers(m)
	}
	return m
})

// frequent lists the Ts of the typed containers.
var frequent = []frequentType{
	of[bool]{}, of[string]{}, of[[]byte]{}, of[any]{},
	of[int]{}, of[int8]{}, of[int16]{}, of[int32]{}, of[int64]{},
	of[uint]{}, of[uint8]{}, of[uint16]{}, of[uint32]{}, of[uint64]{},
	of[float32]{}, of[float64]{},
	of[time.Time]{}, of[time.Duration]{}, of[[16]byte]{}, of[netip.Addr]{}, of[netip.Prefix]{},
	of[json.RawMessage]{}, of[map[string]any]{}, of[map[string]string]{},
}

type frequentType interface {
	// containers adds the containers of T to m.
	containers(m map[reflect.Type]container)
	// defaults calls register with values of T and []T, and for each with values of the types that pgx
	// must encode and scan like it if the type of a column is not known.
	defaults(register func(like any, values ...any))
}

type of[T any] struct{}

func (of[T]) containers(m map[reflect.Type]container) {
	m[reflect.TypeFor[mo.Option[T]]()] = option[T]{}
	m[reflect.TypeFor[mo.Nullable[T]]()] = nullable[T]{}
	m[reflect.TypeFor[mo.Result[T]]()] = result[T]{}
}

func (of[T]) defaults(register func(like any, values ...any)) {
	var zero T
	register(zero, mo.Option[T]{}, mo.Nullable[T]{}, mo.Result[T]{}, &mo.Option[T]{}, &mo.Nullable[T]{}, &mo.Result[T]{})
	register([]T(nil), []mo.Option[T]{}, []mo.Nullable[T]{}, []mo.Result[T]{}, &[]mo.Option[T]{}, &[]mo.Nullable[T]{}, &[]mo.Result[T]{},
		mo.Option[[]T]{}, mo.Nullable[[]T]{}, mo.Result[[]T]{}, &mo.Option[[]T]{}, &mo.Nullable[[]T]{}, &mo.Result[[]T]{})
}

type option[T any] struct{}

func (option[T]) newValue() any           { return new(T) }
func (option[T]) setNull(target any) bool { *target.(*mo.Option[T]) = mo.None[T](); return true }

func (option[T]) get(c any) (any, bool, error) {
	o, ok := dereferenced[mo.Option[T]](c)
	if !ok || o.IsNone() {
		return nil, false, nil
	}
	return o.OrEmpty(), true, nil
}

func (option[T]) set(target, value any, err error) error {
	if err == nil {
		*target.(*mo.Option[T]) = mo.Some(*value.(*T))
	}
	return err
}

type nullable[T any] struct{}

func (nullable[T]) newValue() any           { return new(T) }
func (nullable[T]) setNull(target any) bool { *target.(*mo.Nullable[T]) = mo.Null[T](); return true }

func (nullable[T]) get(c any) (any, bool, error) {
	n, ok := dereferenced[mo.Nullable[T]](c)
	if !ok || !n.IsPresent() {
		return nil, false, nil
	}
	v, _ := n.Get()
	return v, true, nil
}

func (nullable[T]) set(target, value any, err error) error {
	if err == nil {
		*target.(*mo.Nullable[T]) = mo.Value(*value.(*T))
	}
	return err
}

type result[T any] struct{}

func (result[T]) newValue() any    { return new(T) }
func (result[T]) setNull(any) bool { return false }

func (result[T]) get(c any) (any, bool, error) {
	r, ok := dereferenced[mo.Result[T]](c)
	if !ok {
		return nil, false, nil
	}
	v, err := r.Get()
	return v, err == nil, err
}

func (result[T]) set(target, value any, err error) error {
	*target.(*mo.Result[T]) = mo.TupleToResult(*value.(*T), err)
	return nil
}

// dereferenced returns c, which is a C or a *C, as a C. Ok is false for a nil pointer.
func dereferenced[C any](c any) (value C, ok bool) {
	if p, isPointer := c.(*C); isPointer {
		if p == nil {
			return value, false
		}
		return *p, true
	}
	return c.(C), true
}
