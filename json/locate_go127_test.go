//go:build go1.27 && goexperiment.jsonv2

package json_test

import stdv2 "encoding/json/v2"

func init() {
	decoders["encoding/json/v2"] = func(data []byte, v any) error { return stdv2.Unmarshal(data, v) }
}
