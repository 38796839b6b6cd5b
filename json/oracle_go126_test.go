//go:build !(go1.27 && goexperiment.jsonv2)

package json

// goesIntoItself says that encoding/json decodes into an interface that holds its own
// address until the stack is full.
const goesIntoItself = false
