package shadow_test

import (
	"fmt"

	json "github.com/hone-go/hone/json/shadow"
)

// Every call is compared here. The two engines agree, so nothing is reported.
func Example() {
	defer json.Set(json.Settings{})
	json.Set(json.Settings{Share: 1, Report: func(d json.Difference) { fmt.Println("differs:", d.Call, d.What) }})

	data, err := json.Marshal(map[string]int{"a": 1})
	fmt.Println(string(data), err)

	var v struct {
		A int `json:"a"`
	}
	err = json.Unmarshal(data, &v)
	fmt.Println(v.A, err)
	// Output:
	// {"a":1} <nil>
	// 1 <nil>
}
