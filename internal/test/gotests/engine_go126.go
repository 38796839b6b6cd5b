//go:build !(go1.27 && goexperiment.jsonv2)

package main

const (
	engine = "version1" // the engine of the linked encoding/json; the list of failures has this name
	least  = 500
)

// packages are the folders below encoding/json whose tests are run.
var packages = []string{"."}
