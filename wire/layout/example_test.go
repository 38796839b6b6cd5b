package layout_test

import (
	"fmt"

	"github.com/hone-go/hone/wire"
	"github.com/hone-go/hone/wire/layout"
)

type User struct {
	Name  string
	Age   uint8
	Tags  []string
	Email *string
}

// A layout is made once, when the program starts.
var user = wire.Must(layout.New(func(l *layout.Fields, u *User) {
	layout.Field(l, &u.Name, layout.Varchar)
	layout.Field(l, &u.Age, layout.Uint8)
	layout.Field(l, &u.Tags, layout.Slice(layout.LenU8, layout.SmallVarchar))
	layout.Field(l, &u.Email, layout.Optional(layout.Varchar))
	l.Skip(2)
}))

func ExampleNew() {
	buf, err := user.Append(nil, &User{Name: "ann", Age: 42, Tags: []string{"a"}})
	fmt.Printf("% x %v\n", buf, err)

	var u User
	err = user.Unmarshal(buf, &u)
	fmt.Println(u.Name, u.Age, u.Tags, u.Email == nil, err)
	// Output:
	// 03 00 61 6e 6e 2a 01 01 61 00 00 00 <nil>
	// ann 42 [a] true <nil>
}

// An address outside the prototype is an error when the layout is made.
func ExampleNew_mistake() {
	var other User
	_, err := layout.New(func(l *layout.Fields, _ *User) {
		layout.Field(l, &other.Age, layout.Uint8)
	})
	fmt.Println(err)
	// Output: wire: cannot encode layout_test.User: uint8: the address is not one of the prototype's fields, such as &u.Name; elements and targets of pointers are parts of the type of a field (Slice, Map, Optional)
}

func ExampleNewModels() {
	models := wire.Must(layout.NewModels(layout.Uint8))
	if err := layout.RegisterModel(models, 1, user); err != nil {
		fmt.Println(err)
	}
	if err := layout.RegisterModel(models, 2, wire.Must(wire.For[[]int]())); err != nil {
		fmt.Println(err)
	}
	buf, _ := layout.AppendModel(models, nil, &User{Name: "ann"})
	buf, _ = models.Append(buf, []int{1, 2})

	for rest := buf; len(rest) > 0; {
		var id uint8
		var v any
		var err error
		if id, v, rest, err = models.Decode(rest); err != nil {
			fmt.Println(err)
			return
		}
		switch v := v.(type) {
		case *User:
			fmt.Println(id, "user", v.Name)
		case *[]int:
			fmt.Println(id, "numbers", *v)
		}
	}
	_, err := models.Append(nil, 1.5)
	fmt.Println(err)
	// Output:
	// 1 user ann
	// 2 numbers [1 2]
	// wire: model float64: not registered; call RegisterModel with this registry, type and id first
}
