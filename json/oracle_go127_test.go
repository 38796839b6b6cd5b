//go:build go1.27 && goexperiment.jsonv2

package json

// secondEngine says which encoding/json the tests are held to: that of Go 1.27. What
// docs/migrating/encoding-json.md lists as different there is left out of account.
const secondEngine = true
