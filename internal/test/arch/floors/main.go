// Floors draws which file of a package uses names of which other, in the order of files with
// the fewest arrows upward that it finds:
//
//	go run ./internal/test/arch/floors ./json/internal/decode
//
// A file that stands on those below it can be read after them, and changed without a look at
// those above. An arrow upward is a place where that is not so. The test holds the rooms of the
// core to a number of files and of such arrows.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: floors directory...")
		os.Exit(2)
	}
	for _, dir := range os.Args[1:] {
		d, err := draw(dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, "floors:", err)
			os.Exit(1)
		}
		d.print(os.Stdout, dir)
	}
}
