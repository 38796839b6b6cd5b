// Package go126 contains the rules of encoding/json in Go 1.26, and in Go 1.27 with
// GOEXPERIMENT=nojsonv2. Package v1 contains what these rules share with the rules of Go 1.27. When
// no supported release of Go has these rules, this package is deleted.
package go126
