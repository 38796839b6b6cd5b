package json

import "github.com/hone-go/hone/json/internal/option"

// JoinOptions returns all options as one. Of those that say different things the last
// counts.
func JoinOptions(srcs ...Options) Options {
	var set option.Set
	set.Join(srcs...)
	return set.Options()
}

// GetOption returns what the options have for the option that setter makes, and whether they
// say so at all.
//
//	v, ok := json.GetOption(opts, json.Deterministic)
func GetOption[T any](opts Options, setter func(T) Options) (T, bool) {
	return option.Get(opts, setter)
}
