package mo_test

import (
	"encoding/json"
	"fmt"

	"github.com/hone-go/hone/mo"
)

func ExampleOption() {
	type user struct {
		Name  string
		Email mo.Option[string]
	}
	var u user
	if err := json.Unmarshal([]byte(`{"Name": "Ada", "Email": null}`), &u); err != nil {
		fmt.Println(err)
	}
	fmt.Println(u.Email, u.Email.OrElse("nobody@example.org"))

	u.Email = mo.Some("ada@example.org")
	if mail, ok := u.Email.Get(); ok {
		fmt.Println(mail)
	}
	data, _ := json.Marshal(u)
	fmt.Println(string(data))
	// Output:
	// None nobody@example.org
	// ada@example.org
	// {"Name":"Ada","Email":"ada@example.org"}
}

func ExampleOption_AppendJSON() {
	line, _ := mo.Some("x").AppendJSON([]byte(`{"name":`))
	fmt.Println(string(append(line, '}')))
	// Output: {"name":"x"}
}

func ExampleNullable() {
	type patch struct {
		Name  mo.Nullable[string] `json:"name,omitzero"`
		Email mo.Nullable[string] `json:"email,omitzero"`
		Age   mo.Nullable[int]    `json:"age,omitzero"`
	}
	var p patch
	if err := json.Unmarshal([]byte(`{"email": null, "age": 0}`), &p); err != nil {
		fmt.Println(err)
	}
	fmt.Println(p.Name, p.Email, p.Age)
	// Output: Absent Null Value(0)
}
