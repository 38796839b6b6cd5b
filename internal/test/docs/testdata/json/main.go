package main

import (
	"encoding/json"
	"fmt"
)

func main() {
	text, err := json.Marshal("a")
	fmt.Println(string(text), err)
}
