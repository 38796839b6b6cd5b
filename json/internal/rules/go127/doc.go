// Package go127 contains the rules of encoding/json in Go 1.27. Package v1 contains what these rules
// share with the rules of other releases. Most rules follow from the fact that this release implements
// version 1 by version 2 with other options.
package go127
