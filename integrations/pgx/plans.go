package pgx

import (
	"bytes"
	"reflect"

	"github.com/jackc/pgx/v5/pgtype"
)

// A codec wraps a codec of pgx, and also supports the types of mo. Map.TryWrapScanPlanFuncs cannot add
// this support, because an Option is a sql.Scanner, and pgx scans into a sql.Scanner without calling
// those functions.
type codec struct{ pgtype.Codec }

func (c *codec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	t := reflect.TypeOf(target)
	if t == nil || t.Kind() != reflect.Pointer {
		return c.Codec.PlanScan(m, oid, format, target)
	}
	if of := containerOf(t.Elem()); of != nil {
		json := oid == pgtype.JSONOID || oid == pgtype.JSONBOID
		return &scanPlan{m.PlanScan(oid, format, of.newValue()), of, json}
	}
	if t.Elem().Kind() == reflect.Pointer && containerOf(t.Elem().Elem()) != nil {
		// The codec of JSON would scan into any pointer, and take NULL for a pointer to None.
		if plan, next, ok := pgtype.TryPointerPointerScanPlan(target); ok {
			plan.SetNext(c.PlanScan(m, oid, format, next))
			return plan
		}
	}
	return c.Codec.PlanScan(m, oid, format, target)
}

func (c *codec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if of := parameterOf(value); of != nil {
		return &encodePlan{m, oid, format, of}
	}
	return c.Codec.PlanEncode(m, oid, format, value)
}

// An arrayCodec wraps a pgtype.ArrayCodec. It also encodes text of an array in the binary format: pgx's
// CopyFrom does the same, but keeps the dimensions only for a pgtype.ArrayCodec.
type arrayCodec struct{ codec }

func (c *arrayCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(string); ok && format == pgtype.BinaryFormatCode {
		return &textArrayPlan{m, oid}
	}
	return c.codec.PlanEncode(m, oid, format, value)
}

type textArrayPlan struct {
	m   *pgtype.Map
	oid uint32
}

func (p *textArrayPlan) Encode(value any, buf []byte) ([]byte, error) {
	var a pgtype.Array[any]
	if err := p.m.Scan(p.oid, pgtype.TextFormatCode, []byte(value.(string)), &a); err != nil {
		return nil, err
	}
	return p.m.Encode(p.oid, pgtype.BinaryFormatCode, a, buf)
}

// parameterOf returns the container of value, a C or a *C, or nil.
func parameterOf(value any) container {
	t := reflect.TypeOf(value)
	if t == nil {
		return nil
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return containerOf(t)
}

// A scanPlan scans a T and puts it into a C.
type scanPlan struct {
	next pgtype.ScanPlan
	of   container
	json bool // the column is JSON, so the text null is scanned like NULL
}

func (p *scanPlan) SetNext(next pgtype.ScanPlan) { p.next = next }

func (p *scanPlan) Scan(src []byte, target any) error {
	if (src == nil || p.json && isNull(src)) && p.of.setNull(target) {
		return nil
	}
	value := p.of.newValue()
	return p.of.set(target, value, p.next.Scan(src, value))
}

// isNull reports whether src, a value of a JSON column, is the JSON null. In the binary format of jsonb
// a version byte precedes the text.
func isNull(src []byte) bool {
	return string(bytes.TrimSpace(bytes.TrimPrefix(src, []byte{1}))) == "null"
}

// An encodePlan encodes the T in a C for a column or parameter whose PostgreSQL type is known.
type encodePlan struct {
	m      *pgtype.Map
	oid    uint32
	format int16
	of     container
}

func (p *encodePlan) Encode(value any, buf []byte) ([]byte, error) {
	v, ok, err := p.of.get(value)
	if !ok || err != nil {
		return nil, err
	}
	return p.m.Encode(p.oid, p.format, v, buf)
}
