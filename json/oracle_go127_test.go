//go:build go1.27 && goexperiment.jsonv2

package json

// secondEngine says which encoding/json is the tests' oracle: Go 1.27's. A point that
// docs/migrating/encoding-json.md lists as different there is left out of account.
const secondEngine = true
