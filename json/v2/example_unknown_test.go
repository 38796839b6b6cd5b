package json_test

import (
	"errors"
	"fmt"

	"github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/json/v2"
)

// A field with the tag option embed stores the unknown members, and encoding writes them again. A
// map stores them by name.
func ExampleUnmarshal_unknownMembers() {
	type settings struct {
		Name  string         `json:"name"`
		Other map[string]any `json:",embed"`
	}
	var s settings
	err := json.Unmarshal([]byte(`{"name":"lamp","color":"red","level":7}`), &s)
	fmt.Println(s.Name, s.Other["color"], s.Other["level"], err)

	s.Name = "light"
	data, err := json.Marshal(s, json.Deterministic(true))
	fmt.Println(string(data), err)
	// Output:
	// lamp red 7 <nil>
	// {"name":"light","color":"red","level":7} <nil>
}

// A jsontext.Value stores the members unchanged, in their order and with all digits. Use it to pass
// on data from newer programs.
func ExampleUnmarshal_unknownMembersAsWritten() {
	type event struct {
		ID   int            `json:"id"`
		Rest jsontext.Value `json:",embed"`
	}
	var e event
	err := json.Unmarshal([]byte(`{"z":12345678901234567890,"id":1,"a":[1.50]}`), &e)
	fmt.Println(e.Rest, err)

	e.ID = 2
	data, err := json.Marshal(e)
	fmt.Println(string(data), err)
	// Output:
	// {"z":12345678901234567890,"a":[1.50]} <nil>
	// {"id":2,"z":12345678901234567890,"a":[1.50]} <nil>
}

// If all unknown members have the same type, use a map with this element type.
func ExampleUnmarshal_unknownMembersOfOneType() {
	type prices struct {
		Currency string             `json:"currency"`
		Of       map[string]float64 `json:",embed"`
	}
	var p prices
	err := json.Unmarshal([]byte(`{"currency":"EUR","ink":2.5,"pen":1.5}`), &p)
	fmt.Println(p.Currency, p.Of, err)

	err = json.Unmarshal([]byte(`{"currency":"EUR","ink":"much"}`), &p)
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		fmt.Println(semantic.JSONPointer)
	}
	// Output:
	// EUR map[ink:2.5 pen:1.5] <nil>
	// /ink
}

// If unknown members are not allowed, the error contains the name of the member.
func ExampleLocate() {
	data := []byte("{\n\t\"name\": \"lamp\",\n\t\"colour\": \"red\"\n}")
	var v struct {
		Name  string `json:"name"`
		Color string `json:"color"`
	}
	err := json.Unmarshal(data, &v, json.RejectUnknownMembers(true))
	fmt.Println(errors.Is(err, json.ErrUnknownName))
	if at, ok := json.Locate(data, err); ok {
		fmt.Println(at)
	}
	// Output:
	// true
	// line 3, column 2, .colour
	// 	 "colour": "red"
	// 	 ^
}
