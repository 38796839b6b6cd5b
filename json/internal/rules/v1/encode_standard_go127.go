//go:build go1.27 && goexperiment.jsonv2

package v1

import (
	"encoding/json"
	"encoding/json/jsontext"
)

// restError returns the error for a field of unknown members whose JSON text is not an object.
func restError(text []byte) error {
	_, err := json.Marshal(struct {
		Rest jsontext.Value `json:",embed"`
	}{text})
	return err
}
