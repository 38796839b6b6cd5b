package pgx

import (
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5/pgtype"
)

// The functions in this file make plans for parameters and columns whose type pgx does not know. In the
// simple protocol parameters have no types, and types that are defined in the database may not be loaded.

// wrapEncode makes pgx encode a C like a T.
func wrapEncode(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
	of := parameterOf(value)
	if of == nil {
		return nil, nil, false
	}
	zero := reflect.ValueOf(of.newValue()).Elem().Interface()
	return &wrappedEncodePlan{of: of}, zero, zero != nil
}

type wrappedEncodePlan struct {
	next pgtype.EncodePlan
	of   container
}

func (p *wrappedEncodePlan) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *wrappedEncodePlan) Encode(value any, buf []byte) ([]byte, error) {
	v, ok, err := p.of.get(value)
	if !ok || err != nil {
		return nil, err
	}
	return p.next.Encode(v, buf)
}

// wrapScan makes pgx scan into a Result like into a T. pgx does not call it for an Option and a Nullable,
// which are sql.Scanners.
func wrapScan(target any) (pgtype.WrappedScanPlanNextSetter, any, bool) {
	t := reflect.TypeOf(target)
	if t.Kind() != reflect.Pointer {
		return nil, nil, false
	}
	if of := containerOf(t.Elem()); of != nil {
		return &scanPlan{of: of}, of.newValue(), true
	}
	return nil, nil, false
}

// wrapEncodeSlice makes pgx encode a []C like a []*T. Of []*T pgx knows the type of the array.
func wrapEncodeSlice(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
	of := elementOf(reflect.TypeOf(value))
	if of == nil {
		return nil, nil, false
	}
	return &slicePlan{of: of}, pointers(of, 0).Interface(), true
}

// wrapScanSlice makes pgx scan into a []C like into a []*T.
func wrapScanSlice(target any) (pgtype.WrappedScanPlanNextSetter, any, bool) {
	t := reflect.TypeOf(target)
	if t.Kind() != reflect.Pointer {
		return nil, nil, false
	}
	of := elementOf(t.Elem())
	if of == nil {
		return nil, nil, false
	}
	return &sliceScanPlan{of: of}, reflect.New(pointers(of, 0).Type()).Interface(), true
}

// elementOf returns the container of the elements of t, or nil if t is not a slice of containers.
func elementOf(t reflect.Type) container {
	if t == nil || t.Kind() != reflect.Slice {
		return nil
	}
	return containerOf(t.Elem())
}

// pointers returns a []*T with n elements.
func pointers(of container, n int) reflect.Value {
	return reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(of.newValue())), n, n)
}

type slicePlan struct {
	next pgtype.EncodePlan
	of   container
}

func (p *slicePlan) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *slicePlan) Encode(value any, buf []byte) ([]byte, error) {
	in := reflect.ValueOf(value)
	if in.IsNil() {
		return nil, nil
	}
	out := pointers(p.of, in.Len())
	for i := range in.Len() {
		v, ok, err := p.of.get(in.Index(i).Interface())
		if err != nil {
			return nil, err
		}
		if ok {
			element := reflect.ValueOf(p.of.newValue())
			if v != nil {
				element.Elem().Set(reflect.ValueOf(v))
			}
			out.Index(i).Set(element)
		}
	}
	return p.next.Encode(out.Interface(), buf)
}

type sliceScanPlan struct {
	next pgtype.ScanPlan
	of   container
}

func (p *sliceScanPlan) SetNext(next pgtype.ScanPlan) { p.next = next }

func (p *sliceScanPlan) Scan(src []byte, target any) error {
	values := reflect.New(pointers(p.of, 0).Type())
	if err := p.next.Scan(src, values.Interface()); err != nil {
		return err
	}
	in, to := values.Elem(), reflect.ValueOf(target).Elem()
	if in.IsNil() {
		to.SetZero()
		return nil
	}
	out := reflect.MakeSlice(to.Type(), in.Len(), in.Len())
	for i := range in.Len() {
		c := out.Index(i).Addr().Interface()
		var value any
		var null error
		if element := in.Index(i); !element.IsNil() {
			value = element.Interface()
		} else if p.of.setNull(c) {
			continue
		} else {
			value = p.of.newValue()
			null = fmt.Errorf("cannot scan NULL into %T", value)
		}
		if err := p.of.set(c, value, null); err != nil {
			return err
		}
	}
	to.Set(out)
	return nil
}
