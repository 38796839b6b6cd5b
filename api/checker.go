package api

import (
	"context"
	"reflect"

	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/shape"
)

// A Checker checks values of type T like the body of a request: against the limits in T's tags,
// and by its Validate methods. It is for values that do not arrive as a checked body, such as
// the rows of a file, or the elements of a body of an [Operation] with Unchecked.
//
// A Checker does not know which members a value was made from. The zero value of a member that may be
// absent and has no default counts as absent, and breaks no limit.
//
// A Checker also refuses values that JSON cannot represent, such as NaN, because a binary body can
// contain them.
//
// The time for matching patterns is bounded: each call of Check may take as many steps as a request
// with the default body limit.
//
// A Checker may be used concurrently.
type Checker[T any] struct{ limits *limit.Program }

// NewChecker returns the Checker of T. The error reports an invalid tag.
func NewChecker[T any]() (*Checker[T], error) {
	limits, err := limit.Binary(shape.Of(reflect.TypeFor[T]()), false)
	if err != nil {
		return nil, err
	}
	return &Checker[T]{limits}, nil
}

// Check returns nil if v is allowed. Otherwise the error is a [*Problem] with the status 422, which
// lists up to a hundred faults by their paths in v, such as ".disks[2].used". An error of a Validate
// method is returned unchanged if it has another status or is the error of a context. If the type has
// no Validate methods, checking an allowed value allocates nothing.
func (c *Checker[T]) Check(ctx context.Context, v *T) error {
	budget := limit.NewBudget(0)
	if found := c.limits.Check(v, &budget); found != nil {
		return notAllowed("", found, nil)
	}
	return invalid("", c.limits.Validate(ctx, v))
}
