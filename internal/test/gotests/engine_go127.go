//go:build go1.27 && goexperiment.jsonv2

package main

const (
	engine = "version2" // the engine of the linked encoding/json; the list of failures has this name
	least  = 2300
)

// packages are the folders below encoding/json whose tests are run.
var packages = []string{".", "v2", "jsontext"}
