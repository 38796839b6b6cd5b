// Floors draws an arrow from each file of a package to each file that it uses names of. It orders
// the files so that few arrows point upward:
//
//	go run ./internal/test/arch/floors ./json/internal/decode
//
// A file that uses only names of lower files can be read after those files, and can be changed
// without reading the files above it. An arrow upward is an exception to this. The test of this
// package limits the number of files and the number of such arrows in each of the
// core's packages.
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
	c := newChecker()
	for _, dir := range os.Args[1:] {
		d, err := c.draw(dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, "floors:", err)
			os.Exit(1)
		}
		d.print(os.Stdout, dir)
	}
}
