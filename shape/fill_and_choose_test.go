package shape_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/hone-go/hone/mo"
	"github.com/hone-go/hone/shape"
)

func TestFill(t *testing.T) {
	type count int
	seven := count(7)
	for _, want := range []any{
		seven, &seven, mo.Some(seven), mo.Value(seven), mo.Some(&seven), mo.Value(mo.Some(seven)),
	} {
		v := reflect.New(reflect.TypeOf(want)).Elem()
		refused := errors.New("refused")
		if err := shape.Of(v.Type()).Fill(v, func(*shape.Shape, reflect.Value) error { return refused }); err != refused || !v.IsZero() {
			t.Errorf("%T: got %v, %v after an error", want, v, err)
		}
		err := shape.Of(v.Type()).Fill(v, func(s *shape.Shape, v reflect.Value) error {
			if s.Type != reflect.TypeFor[count]() {
				t.Errorf("%T: set a %v", want, s.Type)
			}
			v.SetInt(7)
			return nil
		})
		if err != nil || !reflect.DeepEqual(v.Interface(), want) {
			t.Errorf("got %+v, %v, want %+v", v, err, want)
		}
	}
}

func TestChoose(t *testing.T) {
	var e mo.Either3[string, int, bool]
	*shape.Of(reflect.TypeOf(e)).Union.Choose(reflect.ValueOf(&e), 1).(*int) = 5
	if e != mo.NewEither3Arg2[string, int, bool](5) {
		t.Errorf("got %+v", e)
	}
	if i, v := shape.Of(reflect.TypeOf(e)).Union.Chosen(reflect.ValueOf(&e)); i != 1 || *v.(*int) != 5 {
		t.Errorf("case %d, %v", i, v)
	}
}
