package json

import (
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
)

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

// CheckMembers holds objects to what the tags of struct fields say beside their names, if v
// is set, and implies [LimitLengths]: members that are missing, null or, with
// [RejectUnknownMembers], not known do not end the decode. If there is no other error it
// returns a [*MembersError] that lists them. See CheckMembers of package json's Config for
// the tags. Types that decode themselves are not looked into. The standard library has no
// such option, and panics where it is given one.
func CheckMembers(v bool) Options { return option.Own(option.CheckMembers, v) }

// OmitWriteOnly leaves out the members of structs that are tagged writeOnly:"true", if v is set,
// as a server does that sends a value back. A type that encodes itself is not looked into. The
// standard library has no such option, and panics where it is given one.
func OmitWriteOnly(v bool) Options { return option.Own(option.OmitWriteOnly, v) }

// A MembersError lists members that are not as the tags of struct fields ask for.
type MembersError = decode.MembersError

// A MemberError is one of them.
type MemberError = decode.MemberError

// DefaultOptionsV2 returns the options that hold where a call gives none.
func DefaultOptionsV2() Options { return option.DefaultsV2() }
