package limit

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/hone-go/hone/internal/literal"
	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/zero"
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

func init() { zero.Register(zeroFaults) }

// zeroFaults returns the limits that the zero value of f breaks; see package zero.
func zeroFaults(f *shape.Field) (faults []zero.Fault) {
	limits, err := limitsOf(f)
	if err != nil {
		return nil
	}
	n, err := newCompiler(writableTime).limited(f.Shape, limits, true)
	if err != nil {
		return nil
	}
	for _, v := range n.ofZero() {
		faults = append(faults, zero.Fault{Path: v.Path, Detail: v.Detail})
	}
	return faults
}

// ofZero returns the violations of the zero value.
func (n *node) ofZero() []Violation {
	return n.walk(mem.OfPointer(reflect.New(n.shape.Type)), 0, Unlimited())
}

// setMayLack decides, for all fields that are reached from n, whether a check skips a zero value.
// It does if the member or parameter may be absent and its zero value breaks a limit.
func (n *node) setMayLack(visited map[*node]bool) {
	if n == nil || visited[n] {
		return
	}
	visited[n] = true
	for _, list := range [][]field{n.fields, n.cases} {
		for i := range list {
			f := &list[i]
			f.node.setMayLack(visited)
			f.mayLack = f.mayLack && f.node.ofZero() != nil
		}
	}
	n.elem.setMayLack(visited)
}
