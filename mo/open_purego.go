//go:build purego

package mo

import "github.com/hone-go/hone/internal/mem"

// The safe build of the engines reaches an Option's fields through this, since
// reflection alone may not set what is not exported.
func init() {
	mem.Open(func(pointer any) []any {
		if o, ok := pointer.(interface{ open() []any }); ok {
			return o.open()
		}
		return nil
	})
}

func (o *Option[T]) open() []any { return []any{&o.isPresent, &o.value} }
