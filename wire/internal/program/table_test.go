package program

import (
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/memory/mem"
)

// TestOps checks that each op has a row, and that the rows agree with themselves.
func TestOps(t *testing.T) {
	if len(ops) != int(lastOp)+1 {
		t.Fatalf("%d rows for %d ops", len(ops), lastOp+1)
	}
	for o := opNone + 1; int(o) < len(ops); o++ {
		row := ops[o]
		switch {
		case row.bound == 0 && !row.breaks:
			t.Errorf("op %d writes nothing", o)
		case row.each && row.argument != argCount:
			t.Errorf("op %d writes for each of its parts, and arg does not count them", o)
		case row.body == bodyArg && row.argument != argCount:
			t.Errorf("op %d has a body that arg does not count", o)
		case row.body != 0 && row.breaks:
			t.Errorf("op %d has a body, so it cannot make room for what is behind that", o)
		case row.plain && row.argument == argRef:
			t.Errorf("op %d is plain and has a program of its own", o)
		}
	}
}

// TestPlain writes and reads what a pointer to each plain op points to: those have
// a case in putPlain.
func TestPlain(t *testing.T) {
	for _, test := range []struct {
		name  string
		value any
		spec  Spec
		want  string
	}{
		{"bool", new(bool), Spec{Form: FormBool}, "\x01\x00"},
		{"int32", new(int32), Spec{Form: FormVarint, Signed: true}, "\x01\x00"},
		{"int64", new(int64), Spec{Form: FormVarint, Signed: true}, "\x01\x00"},
		{"uint64", new(uint64), Spec{Form: FormUvarint}, "\x01\x00"},
		{"float64", new(float64), Spec{Form: FormFloat, Float: true, Width: 8}, "\x01\x00\x00\x00\x00\x00\x00\x00\x00"},
		{"string", new(string), Spec{Form: FormText}, "\x01\x00"},
	} {
		elem := test.spec
		elem.Type = reflect.TypeOf(test.value).Elem()
		elem.Size = elem.Type.Size()
		p := Compile(&Spec{Form: FormPointer, Type: reflect.PointerTo(elem.Type), Size: reflect.TypeFor[*int]().Size(), Elem: &elem}, Mode{})
		if len(p.code) != 2 || p.code[0].op != opPointerTo || !ops[p.code[1].op].plain {
			t.Errorf("%s: %+v", test.name, p.code)
		}
		holder := reflect.New(reflect.PointerTo(elem.Type))
		holder.Elem().Set(reflect.ValueOf(test.value))
		got, err := p.Append(nil, false, mem.OfPointer(holder), Limits{})
		if string(got) != test.want || err != nil {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
		if err := p.Unmarshal(got, false, mem.OfPointer(holder), Limits{}, false); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestLens(t *testing.T) {
	for l := LenVarint; l.Valid(); l++ {
		if back, ok := ParseLen(l.String()); back != l || !ok {
			t.Errorf("%v is parsed as %v, %t", l, back, ok)
		}
	}
	if _, ok := ParseLen("u24le"); ok || Len(200).Valid() {
		t.Error("there is a length that there is not")
	}
}
