package api

import (
	"slices"
)

// withDefaults returns the operation with defaults for its unset fields. Tags, errors, formats and
// middleware of both are combined; the defaults come first.
func (op Operation) withDefaults(defaults *Operation) Operation {
	out := op
	out.Tags = slices.Concat(defaults.Tags, op.Tags)
	out.Errors = slices.Concat(defaults.Errors, op.Errors)
	out.Formats = slices.Concat(defaults.Formats, op.Formats)
	out.Middlewares = slices.Concat(defaults.Middlewares, op.Middlewares)
	out.Deprecated = op.Deprecated || defaults.Deprecated
	out.ETag = op.ETag || defaults.ETag
	out.Unchecked = op.Unchecked || defaults.Unchecked
	if op.Security == nil {
		out.Security = defaults.Security
	}
	if op.JSON == nil {
		out.JSON = defaults.JSON
	}
	if op.Validator == nil {
		out.Validator = defaults.Validator
	}
	if op.Events == nil {
		out.Events = defaults.Events
	}
	orElse(&out.Unknown, defaults.Unknown)
	orElse(&out.BodyLimit, defaults.BodyLimit)
	orElse(&out.StreamTimeout, defaults.StreamTimeout)
	orElse(&out.StreamRate, defaults.StreamRate)
	orElse(&out.OpenWait, defaults.OpenWait)
	orElse(&out.ContentType, defaults.ContentType)
	orElse(&out.Heartbeat, defaults.Heartbeat)
	return out
}

// orElse sets *v to fallback if *v is zero.
func orElse[T comparable](v *T, fallback T) {
	if *v == *new(T) {
		*v = fallback
	}
}
