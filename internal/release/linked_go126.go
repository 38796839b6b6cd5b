//go:build !(go1.27 && goexperiment.jsonv2)

package release

// Linked is the release of Go that the program is built with. It determines the linked
// encoding/json.
const Linked = Go126
