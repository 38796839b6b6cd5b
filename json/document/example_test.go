package document_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hone-go/hone/json/document"
)

const order = `{
  "id": 1042,
  "user": {"name": "Ada", "address": {"city": "London"}},
  "items": [{"sku": "a-1", "price": 9.5}, {"sku": "b-2", "price": "soon"}]
}`

func Example() {
	doc, err := document.Parse([]byte(order))
	if err != nil {
		fmt.Println(err)
		return
	}
	root := doc.Root()
	id, _ := root.Get("id").Int64()
	city, _ := root.Pointer("/user/address/city").String()
	fmt.Println(id, city)

	for i, item := range root.Get("items").Elements() {
		price, err := item.Get("price").Float64()
		fmt.Println(i, price, err)
	}
	// Output:
	// 1042 London
	// 0 9.5 <nil>
	// 1 0 document: /items/1/price: the value is a string, not a number
}

// A chain of calls needs one check at its end. The error says where the chain failed.
func ExampleValue_Get() {
	doc, err := document.Parse([]byte(order))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = doc.Root().Get("items").Index(2).Get("sku").String()
	fmt.Println(err)
	fmt.Println(errors.Is(err, document.ErrNotFound))
	// Output:
	// document: /items/2: no such element; the array has 2
	// true
}

// Decode decodes a part of the text, by the rules of package json.
func ExampleValue_Decode() {
	doc, err := document.Parse([]byte(order))
	if err != nil {
		fmt.Println(err)
		return
	}
	var user struct {
		Name    string
		Address struct{ City string }
	}
	if err := doc.Root().Get("user").Decode(&user); err != nil {
		fmt.Println(err)
	}
	fmt.Println(user.Name, user.Address.City)
	// Output: Ada London
}

// An edit keeps the order of members, white space and digits.
func ExampleEdit() {
	doc, err := document.Parse([]byte(`{ "port": 8080, "ratio": 1.50, "hosts": ["a"] }`))
	if err != nil {
		fmt.Println(err)
		return
	}
	edit := doc.Edit()
	err = errors.Join(edit.Set("/port", 8443), edit.Insert("/hosts/-", "b"))
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := edit.Append(nil)
	fmt.Printf("%s %v\n", text, err)
	// Output: { "port": 8443, "ratio": 1.50, "hosts": ["a","b"] } <nil>
}

func ExamplePatch() {
	text := []byte(`{"name": "Ada", "tags": ["x"]}`)
	text, err := document.Patch(text, []byte(`[
		{"op": "test", "path": "/name", "value": "Ada"},
		{"op": "add", "path": "/tags/0", "value": "new"},
		{"op": "move", "from": "/name", "path": "/title"}
	]`))
	fmt.Printf("%s %v\n", text, err)

	_, err = document.Patch(text, []byte(`[{"op": "remove", "path": "/name"}]`))
	fmt.Println(err)
	// Output:
	// {"tags": ["new","x"], "title": "Ada"} <nil>
	// document: patch operation 0 (remove): /name: no such member
}

func ExampleMergePatch() {
	text, err := document.MergePatch([]byte(`{"a": {"b": 1, "c": 2}, "d": 3}`), []byte(`{"a": {"b": null}, "d": 4}`))
	fmt.Printf("%s %v\n", text, err)
	// Output: {"a": {"c": 2}, "d": 4} <nil>
}

// Documents reads JSON lines.
func ExampleDocuments() {
	lines := strings.NewReader("{\"level\":\"info\"}\n{\"level\":\"error\",\"code\":7}\n")
	for doc, err := range document.Documents(lines) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if code, ok := doc.Root().Lookup("code"); ok {
			n, err := code.Int64()
			fmt.Println(n, err)
		}
	}
	// Output: 7 <nil>
}
