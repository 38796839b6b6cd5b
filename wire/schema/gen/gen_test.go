package gen

import (
	"encoding/json"

	"github.com/hone-go/hone/wire/schema"
)

func parse(text string) (*schema.Schema, error) {
	s := new(schema.Schema)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		return nil, err
	}
	return s, s.Check()
}
