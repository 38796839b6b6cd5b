//go:build purego

package mo

import "github.com/hone-go/hone/internal/memory/mem"

// In builds with the tag purego, the engines access the unexported fields of mo's types with this
// function, because package reflect cannot set them.
func init() {
	mem.Open(func(pointer any) []any {
		if o, ok := pointer.(interface{ open() []any }); ok {
			return o.open()
		}
		return nil
	})
}

func (o *Option[T]) open() []any { return []any{&o.isPresent, &o.value} }

func (n *Nullable[T]) open() []any { return []any{&n.state, &n.value} }

func (r *Result[T]) open() []any { return []any{&r.isErr, &r.value, &r.err} }

func (e *Either[L, R]) open() []any { return []any{&e.isLeft, &e.left, &e.right} }

func (e *Either3[T1, T2, T3]) open() []any { return []any{&e.argId, &e.arg1, &e.arg2, &e.arg3} }

func (e *Either4[T1, T2, T3, T4]) open() []any {
	return []any{&e.argId, &e.arg1, &e.arg2, &e.arg3, &e.arg4}
}

func (e *Either5[T1, T2, T3, T4, T5]) open() []any {
	return []any{&e.argId, &e.arg1, &e.arg2, &e.arg3, &e.arg4, &e.arg5}
}
