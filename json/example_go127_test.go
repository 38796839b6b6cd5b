//go:build go1.27 && goexperiment.jsonv2

package json_test

import (
	"fmt"

	"github.com/hone-go/hone/json"
)

// From Go 1.27 on the tag option embed stores unknown members, as in encoding/json. Package v2
// supports it on Go 1.26 too.
func ExampleUnmarshal_unknownMembers() {
	type settings struct {
		Name  string                     `json:"name"`
		Other map[string]json.RawMessage `json:",embed"`
	}
	var s settings
	err := json.Unmarshal([]byte(`{"name":"lamp","level":7.50,"on":true}`), &s)
	fmt.Printf("%s %s %v\n", s.Name, s.Other["level"], err)

	data, err := json.Marshal(s)
	fmt.Println(string(data), err)
	// Output:
	// lamp 7.50 <nil>
	// {"name":"lamp","level":7.50,"on":true} <nil>
}
