package json_test

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/mo"
)

type User struct {
	Name  string            `json:"name"`
	Email mo.Option[string] `json:"email"`
	Tags  []string          `json:"tags,omitempty"`
}

func Example() {
	data, err := json.Marshal(User{Name: "Ada", Email: mo.Some("ada@example.org")})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", data)

	var u User
	if err := json.Unmarshal([]byte(`{"name":"Alan","email":null,"tags":["go"]}`), &u); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(u.Name, u.Email.IsPresent(), u.Tags)
	// Output:
	// {"name":"Ada","email":"ada@example.org"}
	// Alan false [go]
}

// A reused buffer encodes many values without allocating.
func ExampleAppend() {
	var buf []byte
	for _, name := range []string{"Ada", "Alan"} {
		var err error
		if buf, err = json.Append(buf[:0], &User{Name: name}); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s\n", buf)
	}
	// Output:
	// {"name":"Ada","email":null}
	// {"name":"Alan","email":null}
}

// Errors have the types of encoding/json.
func ExampleUnmarshal_errors() {
	var users []User
	err := json.Unmarshal([]byte(`[{"name":"Ada"},{"name":7},{"name":"Alan"}]`), &users)

	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		fmt.Println(mismatch.Value, mismatch.Offset)
	}
	fmt.Println(len(users), users[2].Name) // the other elements are decoded in spite of the error

	err = json.Unmarshal([]byte(`[{"name":"Ada"},]`), &users)
	fmt.Println(err)
	// Output:
	// number 25
	// 3 Alan
	// invalid character ']' looking for beginning of value
}

func ExampleDecoder() {
	stream := json.NewDecoder(strings.NewReader(`{"name":"Ada"} {"name":"Alan"}`))
	for {
		var u User
		if err := stream.Decode(&u); err != nil {
			break
		}
		fmt.Println(u.Name)
	}
	// Output:
	// Ada
	// Alan
}

// Programs that use the same rules produce the same output, whichever Go release builds them.
func ExampleConfig_rules() {
	const broken = "caf\xe9" // not valid UTF-8
	for _, rules := range []json.Rules{json.Go126, json.Go127} {
		fleet := json.Config{Rules: rules}
		data, err := fleet.Marshal(broken)
		fmt.Printf("%v: %q %v\n", rules, data, err)

		var level struct{ Value float64 }
		err = fleet.Unmarshal([]byte(`{"Value":"high"}`), &level)
		var mismatch *json.UnmarshalTypeError
		if errors.As(err, &mismatch) {
			fmt.Println(mismatch.Value, mismatch.Field, mismatch.Offset)
		}
		var byLevel map[float64]string
		fmt.Println(fleet.Unmarshal([]byte(`{"0.5":"half"}`), &byLevel) == nil, byLevel)
	}
	// Output:
	// Go 1.26: "\"caf\\ufffd\"" <nil>
	// string Value 15
	// false map[]
	// Go 1.27: "\"caf�\"" <nil>
	// string Value 15
	// true map[0.5:half]
}

func ExampleEncoder() {
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "  ")
	if err := e.Encode(User{Name: "Ada"}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {
	//   "name": "Ada",
	//   "email": null
	// }
}
