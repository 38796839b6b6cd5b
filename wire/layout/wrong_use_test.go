package layout

import (
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/wire"
)

// TestWrongUse makes every mistake that a caller of the package can make, and compares the error
// messages. Each must say what is wrong and what to do.
func TestWrongUse(t *testing.T) {
	type user struct {
		Name string
		At   time.Time
		IDs  []int
	}
	failed := func(_ any, err error) error { return err }
	declared := func(declare func(l *Fields, u *user)) error { return failed(New(declare)) }
	encoded := func(u user, declare func(l *Fields, u *user)) error {
		return failed(wire.Must(New(declare)).Append(nil, &u))
	}
	var other user
	m, codec := wire.Must(NewModels(Uint8)), wire.Must(wire.For[user]())
	for id := range uint8(2) {
		if err := RegisterModel(m, 1+id, codec); err != nil {
			t.Fatal(err)
		}
	}
	_, _, _, unknown := m.Decode([]byte("\x09"))
	const elsewhere = "the address is not one of the prototype's fields, such as &u.Name; elements and targets of pointers are parts of the type of a field (Slice, Map, Optional)"
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"an address elsewhere", declared(func(l *Fields, _ *user) { Field(l, &other.Name, Varchar) }), "wire: cannot encode user: string: " + elsewhere},
		{"an element of a slice", declared(func(l *Fields, u *user) { u.IDs = make([]int, 1); Field(l, &u.IDs[0], Int(LE)) }), "wire: cannot encode user: int: " + elsewhere},
		{"a field twice", declared(func(l *Fields, u *user) { Field(l, &u.Name, Varchar); Field(l, &u.Name, Varchar) }), "wire: cannot encode user: .Name string: is laid out twice; use a Property to write a value a second time"},
		{"the zero Type", declared(func(l *Fields, u *user) { Field(l, &u.Name, Type[string]{}) }), "wire: cannot encode user: .Name string: the zero Type lays out nothing; use a type of package layout, such as Uint8"},
		{"an unknown length", declared(func(l *Fields, u *user) { Field(l, &u.Name, String(99)) }), "wire: cannot encode user: .Name string: 99 is not a valid Len; use LenU8 to LenI64BE, or LenVarint"},
		{"a nil codec", declared(func(l *Fields, u *user) { Field(l, u, Struct[user](nil)) }), "wire: cannot encode user: the codec is nil; make it with New or wire.For"},
		{"a panic", declared(func(*Fields, *user) { panic("x") }), "wire: cannot encode user: the declaration panics: x"},
		{"no declaration", declared(nil), "wire: cannot encode user: the declaration is nil; pass a function that lays out the fields"},
		{"half a property", declared(func(l *Fields, u *user) { Property(l, u, nil, func(*user, int) {}, Int(LE)) }), "wire: cannot encode user: int: a property needs a getter and a setter, and one of them is nil"},
		{"a property of another", declared(func(l *Fields, _ *user) {
			Property(l, &other, func(*user) int { return 0 }, func(*user, int) {}, Int(LE))
		}), "wire: cannot encode user: the prototype of the property is neither the prototype of the layout nor a part of it"},
		{"a negative skip", declared(func(l *Fields, _ *user) { l.Skip(-1) }), "wire: cannot encode user: Skip takes 0 to 2147483647 bytes, not -1"},
		{"a text that is too long", encoded(user{Name: strings.Repeat("x", 300)}, func(l *Fields, u *user) { Field(l, &u.Name, SmallVarchar) }), "wire: encode .Name (string): longer than its length prefix can represent: the length is 300, and at most 255 with this Len; use a longer Len"},
		{"a slice that is too long", encoded(user{IDs: make([]int, 128)}, func(l *Fields, u *user) { Field(l, &u.IDs, Slice(LenI8, Int(LE))) }), "wire: encode .IDs ([]int): longer than its length prefix can represent: the length is 128, and at most 127 with this Len; use a longer Len"},
		{"a list of another length", encoded(user{IDs: make([]int, 2)}, func(l *Fields, u *user) { Field(l, &u.IDs, List(3, Int(LE))) }), "wire: encode .IDs ([]int): the number of elements differs from the number in the layout: 2, not 3"},
		{"a time out of range", encoded(user{At: time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC)}, func(l *Fields, u *user) { Field(l, &u.At, TimeUTC) }), "wire: encode .At (time.Time): not a time in 64 bits of nanoseconds, whose range is from 1677-09-21 to 2262-04-11"},
		{"a model that is not registered", failed(m.Append(nil, 5)), "wire: model int: not registered; call RegisterModel with this registry, type and id first"},
		{"an unknown id", unknown, "wire: model with id 9: not registered; call RegisterModel with this registry, type and id first"},
		{"an unknown id to append", failed(m.AppendAs(nil, 9, &other)), "wire: model with id 9: not registered; call RegisterModel with this registry, type and id first"},
		{"an id of another type to append", failed(m.AppendAs(nil, 1, 5)), "wire: model int with id 1: the id is registered for another type; Models.Decode returns the value of any model"},
		{"an id of another type to decode", failed(DecodeModel(m, []byte("\x01"), new(int))), "wire: model int with id 1: the id is registered for another type; Models.Decode returns the value of any model"},
		{"a type with two ids", failed(m.Append(nil, &other)), "wire: model user: registered under several ids; choose one with AppendAs"},
		{"an id that is taken", RegisterModel(m, 1, wire.Must(wire.For[int]())), "wire: model int with id 1: registered already; choose another id"},
		{"a model without a codec", RegisterModel(m, 9, (*wire.Codec[int])(nil)), "wire: model int with id 9: the codec is nil; make it with New or wire.For"},
		{"nothing to append", failed(m.Append(nil, nil)), "wire: encode: v is nil; pass the address of a value"},
		{"ids without a layout", failed(NewModels(Type[uint8]{})), "wire: cannot encode uint8: the zero Type lays out nothing; use a type of package layout, such as Uint8"},
	} {
		if test.err == nil {
			t.Errorf("%s is accepted", test.name)
		} else if got := strings.ReplaceAll(test.err.Error(), "layout.user", "user"); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}
