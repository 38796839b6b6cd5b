// Gotests runs the standard library's own tests on Hone: the tests of encoding/json, and on Go 1.27
// also of encoding/json/v2 and encoding/json/jsontext. It takes the tests from the source tree of
// the Go release that builds it, and compares the failed tests with the list for that release.
//
// Usage, in the root of the repository:
//
//	go run ./internal/test/gotests
//
// GOTOOLCHAIN selects another release, and GOEXPERIMENT=nojsonv2 the tests of the engine without
// version 2. The exit status is 1 if a test fails that is not listed, or a listed test passes. With
// -keep the temporary module is not removed.
package main

import (
	"embed"
	"flag"
	"log"
	"runtime"

	"github.com/hone-go/hone/internal/test/foreign"
)

//go:embed expected
var expected embed.FS

func main() {
	log.SetFlags(0)
	log.SetPrefix("gotests: ")
	keep := flag.Bool("keep", false, "keep the temporary module, and print its folder")
	flag.Parse()
	log.Println("the tests of", runtime.Version())
	list, err := expected.ReadFile("expected/" + engine + ".txt")
	if err != nil {
		log.Fatal(err)
	}
	s := foreign.Suite{
		Name:     "encoding/json of " + runtime.Version(),
		Prepare:  makeModule,
		Packages: packages,
		Expected: string(list),
		Least:    least,
	}
	if err := foreign.Main(s, *keep); err != nil {
		log.Fatal(err)
	}
}
