package program

import (
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/wire/internal/budget"
	"github.com/hone-go/hone/wire/internal/spec"
)

// TestOps checks that each op has a row, and that the rows are consistent.
func TestOps(t *testing.T) {
	if len(ops) != int(lastOp)+1 {
		t.Fatalf("%d rows for %d ops", len(ops), lastOp+1)
	}
	for o := opNone + 1; int(o) < len(ops); o++ {
		row := ops[o]
		switch {
		case row.bound == 0 && !row.breaks:
			t.Errorf("op %d has neither a bound nor breaks", o)
		case row.each && row.argument != argCount:
			t.Errorf("op %d has a bound for each part, but its arg is not their number", o)
		case row.body == bodyArg && row.argument != argCount:
			t.Errorf("op %d has a body of arg instructions, but its arg is not a number", o)
		case row.body != 0 && row.breaks:
			t.Errorf("op %d has both a body and breaks", o)
		case row.plain && row.argument == argRef:
			t.Errorf("op %d is plain but has a program of its own", o)
		}
	}
}

// TestPlain encodes and decodes pointers to values of each plain op. It fails if putPlain lacks the
// case of an op.
func TestPlain(t *testing.T) {
	for _, test := range []struct {
		name  string
		value any
		spec  spec.Spec
		want  string
	}{
		{"bool", new(bool), spec.Spec{Form: spec.FormBool}, "\x01\x00"},
		{"int32", new(int32), spec.Spec{Form: spec.FormVarint, Signed: true}, "\x01\x00"},
		{"int64", new(int64), spec.Spec{Form: spec.FormVarint, Signed: true}, "\x01\x00"},
		{"uint64", new(uint64), spec.Spec{Form: spec.FormUvarint}, "\x01\x00"},
		{"float64", new(float64), spec.Spec{Form: spec.FormFloat, Float: true, Width: 8}, "\x01\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"string", new(string), spec.Spec{Form: spec.FormText}, "\x01\x00"},
	} {
		elem := test.spec
		elem.Type = reflect.TypeOf(test.value).Elem()
		elem.Size = elem.Type.Size()
		p := Compile(&spec.Spec{Form: spec.FormPointer, Type: reflect.PointerTo(elem.Type), Size: reflect.TypeFor[*int]().Size(), Elem: &elem}, Mode{})
		if len(p.code) != 2 || p.code[0].op != opPointerTo || !ops[p.code[1].op].plain {
			t.Errorf("%s: %+v", test.name, p.code)
		}
		holder := reflect.New(reflect.PointerTo(elem.Type))
		holder.Elem().Set(reflect.ValueOf(test.value))
		got, err := p.Append(nil, false, mem.OfPointer(holder), budget.Limits{})
		if string(got) != test.want || err != nil {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
		if err := p.Unmarshal(got, false, mem.OfPointer(holder), budget.Limits{}, false); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
