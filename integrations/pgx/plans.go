package pgx

import (
	"bytes"
	"reflect"

	"github.com/jackc/pgx/v5/pgtype"
)

// A Type is a type of values inside of mo's types; see [For].
type Type struct {
	add   func(*registry)
	array bool // the value is an array of PostgreSQL
}

// For returns a Type that makes Register support T in the types of package mo; see [Options.Types]. If
// T is a slice, Register also replaces the codecs of arrays. CopyFrom then flattens a
// multi-dimensional array that is passed as text, so pass a pgtype.Array instead.
func For[T any]() Type {
	t := reflect.TypeFor[T]()
	array := t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8
	return Type{array: array, add: func(r *registry) {
		add(r, option[T]{})
		add(r, nullable[T]{})
		add(r, result[T]{})
	}}
}

type (
	scanPlanner struct {
		plan func(m *pgtype.Map, oid uint32, format int16) pgtype.ScanPlan
		wrap func() (plan pgtype.WrappedScanPlanNextSetter, next any, ok bool)
	}
	encodePlanner struct {
		plan func(m *pgtype.Map, oid uint32, format int16) pgtype.EncodePlan
		wrap func() (plan pgtype.WrappedEncodePlanNextSetter, next any, ok bool)
	}
	registry struct {
		scans   map[reflect.Type]scanPlanner   // the keys are types of scan targets: *C or **C for a container C
		encodes map[reflect.Type]encodePlanner // the keys are types of parameters: C or *C
		slices  [][2]any                       // pairs of a slice of T and a slice of containers of T
	}
)

// A container is a type of mo, C, that holds a T.
type container[C, T any] interface {
	// get returns the value in c. Ok is false if c stands for NULL.
	get(c C) (value T, ok bool, err error)
	// null returns the C for NULL. Ok is false if NULL must be scanned into a T, which may fail.
	null() (c C, ok bool)
	// scanned returns the C for a scanned value, or for the error of scanning it.
	scanned(value T, err error) (C, error)
}

// add adds the plans for C, and for pointers to C, to r.
func add[C, T any](r *registry, of container[C, T]) {
	scan := func(m *pgtype.Map, oid uint32, format int16) pgtype.ScanPlan {
		json := oid == pgtype.JSONOID || oid == pgtype.JSONBOID
		return &scanPlan[C, T]{m.PlanScan(oid, format, new(T)), of, json}
	}
	wrap := func() (pgtype.WrappedScanPlanNextSetter, any, bool) { return &scanPlan[C, T]{of: of}, new(T), true }
	r.scans[reflect.TypeFor[*C]()] = scanPlanner{scan, wrap}
	r.scans[reflect.TypeFor[**C]()] = scanPlanner{plan: func(m *pgtype.Map, oid uint32, format int16) pgtype.ScanPlan {
		return pointerPlan[C]{scan(m, oid, format)}
	}}
	r.slices = append(r.slices, [2]any{[]T(nil), []C(nil)})
	e := encodePlanner{
		plan: func(m *pgtype.Map, oid uint32, format int16) pgtype.EncodePlan {
			return &encodePlan[C, T]{m, oid, format, of}
		},
		wrap: func() (pgtype.WrappedEncodePlanNextSetter, any, bool) {
			var zero T
			return &wrappedPlan[C, T]{of: of}, zero, any(zero) != nil
		},
	}
	r.encodes[reflect.TypeFor[C]()], r.encodes[reflect.TypeFor[*C]()] = e, e
}

func (r *registry) wrapEncode(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
	if e, ok := r.encodes[reflect.TypeOf(value)]; ok {
		return e.wrap()
	}
	return nil, nil, false
}

func (r *registry) wrapScan(target any) (pgtype.WrappedScanPlanNextSetter, any, bool) {
	if s, ok := r.scans[reflect.TypeOf(target)]; ok && s.wrap != nil {
		return s.wrap()
	}
	return nil, nil, false
}

// A codec wraps a codec of pgx, and also supports the types of mo. Map.TryWrapScanPlanFuncs cannot add
// this support, because an Option is a sql.Scanner, and pgx scans into a sql.Scanner without calling
// those functions.
type codec struct {
	pgtype.Codec
	registry *registry
}

func (c *codec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if s, ok := c.registry.scans[reflect.TypeOf(target)]; ok {
		return s.plan(m, oid, format)
	}
	return c.Codec.PlanScan(m, oid, format, target)
}

func (c *codec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if e, ok := c.registry.encodes[reflect.TypeOf(value)]; ok {
		return e.plan(m, oid, format)
	}
	return c.Codec.PlanEncode(m, oid, format, value)
}

// A scanPlan scans a T and puts it into a C.
type scanPlan[C, T any] struct {
	next pgtype.ScanPlan
	of   container[C, T]
	json bool // the column is JSON, so the text null is scanned like NULL
}

func (p *scanPlan[C, T]) SetNext(next pgtype.ScanPlan) { p.next = next }

func (p *scanPlan[C, T]) Scan(src []byte, target any) error {
	to := target.(*C)
	if src == nil || p.json && isNull(src) {
		if c, ok := p.of.null(); ok {
			*to = c
			return nil
		}
	}
	var value T
	err := p.next.Scan(src, &value)
	c, err := p.of.scanned(value, err)
	if err == nil {
		*to = c
	}
	return err
}

// A pointerPlan scans into a pointer to a C, which is nil for NULL.
type pointerPlan[C any] struct{ next pgtype.ScanPlan }

func (p pointerPlan[C]) Scan(src []byte, target any) error {
	to := target.(**C)
	if src == nil {
		*to = nil
		return nil
	}
	c := new(C)
	err := p.next.Scan(src, c)
	if err == nil {
		*to = c
	}
	return err
}

// isNull reports whether src, a value of a JSON column, is the JSON null. In the binary format of jsonb
// a version byte precedes the text.
func isNull(src []byte) bool {
	return string(bytes.TrimSpace(bytes.TrimPrefix(src, []byte{1}))) == "null"
}

// An encodePlan encodes the T in a C for a column or parameter whose PostgreSQL type is known.
type encodePlan[C, T any] struct {
	m      *pgtype.Map
	oid    uint32
	format int16
	of     container[C, T]
}

func (p *encodePlan[C, T]) Encode(value any, buf []byte) ([]byte, error) {
	v, ok, err := content(p.of, value)
	if !ok || err != nil {
		return nil, err
	}
	return p.m.Encode(p.oid, p.format, v, buf)
}

// A wrappedPlan encodes the T in a C with pgx's plan for T. It is used if the PostgreSQL type is not
// known.
type wrappedPlan[C, T any] struct {
	next pgtype.EncodePlan
	of   container[C, T]
}

func (p *wrappedPlan[C, T]) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *wrappedPlan[C, T]) Encode(value any, buf []byte) ([]byte, error) {
	v, ok, err := content(p.of, value)
	if !ok || err != nil {
		return nil, err
	}
	return p.next.Encode(v, buf)
}

// content returns the T in value, which is a C or a pointer to a C. Ok is false for NULL.
func content[C, T any](of container[C, T], value any) (v T, ok bool, err error) {
	switch c := value.(type) {
	case C:
		return of.get(c)
	case *C:
		if c != nil {
			return of.get(*c)
		}
	}
	return v, false, nil
}
