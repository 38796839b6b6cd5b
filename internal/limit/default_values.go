package limit

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/hone-go/hone/internal/literal"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// A fieldNode is a field with the node that checks its values.
type fieldNode struct {
	field *shape.Field
	node  *node
}

// checkDefaults returns an error for the first field in c.defaults whose default breaks a limit. Every request
// without the field would be refused.
func (c *compiler) checkDefaults() error {
	for _, d := range c.defaults {
		text, err := literal.Default(d.field)
		if err != nil {
			return err
		}
		if text == nil {
			continue
		}
		v := reflect.New(d.field.Shape.Type)
		if err := json.Unmarshal(text, v.Interface()); err != nil {
			return d.field.TagError("default", err)
		}
		if found := d.node.walk(mem.OfPointer(v), 0, Unlimited()); found != nil {
			return d.field.TagError("default", errors.New("the value breaks a limit: "+found[0].Detail))
		}
	}
	return nil
}
