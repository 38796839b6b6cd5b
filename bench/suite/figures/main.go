// Figures contains the commands of the bench that only read results and measure nothing. It is a
// program of its own because the suite links all peers, which take minutes to build.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/hone-go/hone/bench/suite/publication"
)

func main() {
	if err := command(os.Args[1:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func command(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "docs":
			return publication.Docs(args[1:])
		case "page":
			return publication.Page(args[1:])
		case "publish":
			return publication.Publish(args[1:])
		}
	}
	return errors.New("the commands are docs, page and publish")
}
