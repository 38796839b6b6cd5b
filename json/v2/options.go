package json

import "github.com/hone-go/hone/json/internal/option"

// JoinOptions returns all options as one. Of those that say different things the last
// counts.
func JoinOptions(srcs ...Options) Options {
	var set option.Set
	set.Join(srcs...)
	return set.Options()
}

// LimitLengths bounds the slices and maps of fields with a tag such as `length:"1..100"`, if
// v is set: one element more than the tag allows is decoded, and the rest is checked to be
// JSON and left out. It is for who refuses a value that is too long, which should not take
// memory before. The standard library has no such option, and panics where it is given one.
func LimitLengths(v bool) Options { return option.Own(option.LimitLengths, v) }

// GetOption returns what the options have for the option that setter makes, and whether they
// say so at all.
//
//	v, ok := json.GetOption(opts, json.Deterministic)
func GetOption[T any](opts Options, setter func(T) Options) (T, bool) {
	return option.Get(opts, setter)
}
