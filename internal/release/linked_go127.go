//go:build go1.27 && goexperiment.jsonv2

package release

// Linked is the release whose encoding/json the program is built with.
const Linked = Go127
