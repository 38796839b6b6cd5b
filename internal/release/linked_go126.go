//go:build !(go1.27 && goexperiment.jsonv2)

package release

// Linked has the rules of the encoding/json that the program is built with.
const Linked = Go126
