package document_test

import (
	"errors"
	"fmt"

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
