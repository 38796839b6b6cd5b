package document_test

import (
	"fmt"

	"github.com/hone-go/hone/json/document"
)

func ExampleValue_Select() {
	doc, err := document.Parse([]byte(`{"books":[
		{"title":"Sayings of the Century","price":8.95},
		{"title":"Moby Dick","price":8.99,"isbn":"0-553-21311-3"},
		{"title":"The Lord of the Rings","price":22.99}
	]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	cheap := document.MustCompilePath("$.books[?@.price < 10 && !@.isbn].title")
	for title := range doc.Root().Select(cheap) {
		fmt.Println(title.NormalizedPath(), title.Raw())
	}
	// Output: $['books'][0]['title'] "Sayings of the Century"
}

func ExampleCompilePath() {
	_, err := document.CompilePath("$.books[?@.price <].title")
	fmt.Println(err)
	// Output: JSONPath "$.books[?@.price <].title": at byte 18: unexpected ']' in an expression
}
