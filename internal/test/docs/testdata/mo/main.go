package main

import (
	"fmt"

	"github.com/samber/mo"
)

func main() {
	fmt.Println(mo.Some(1).OrElse(2))
}
