package json

import (
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
)

// JoinOptions combines all options into one. If two of them set the same option, the last one
// counts.
func JoinOptions(srcs ...Options) Options {
	var set option.Set
	set.Join(srcs...)
	return set.Options()
}

// LimitLengths limits the decoded slices and maps of fields with a tag such as `length:"1..100"`,
// if v is true. One element more than the tag allows is decoded. The syntax of the other elements
// is checked, and they are dropped. Use it if a later check refuses values that are too long, so
// that they do not take memory before the check. Functions of the standard library panic if they
// are given this option.
func LimitLengths(v bool) Options { return option.Own(option.LimitLengths, v) }

// GetOption returns the value of the option that setter sets, and whether opts set it.
//
//	v, ok := json.GetOption(opts, json.Deterministic)
func GetOption[T any](opts Options, setter func(T) Options) (T, bool) {
	return option.Get(opts, setter)
}

// CheckMembers checks the members of objects by the tags of the struct fields, if v is true, and
// implies [LimitLengths]. Missing members, null members and, with [RejectUnknownMembers], unknown
// members do not end the decode. They are listed in a [*MembersError], which is returned if there
// is no other error. The field CheckMembers of package json's Config documents the tags. It has no
// effect inside of types that decode themselves. Functions of the standard library panic if they
// are given this option.
func CheckMembers(v bool) Options { return option.Own(option.CheckMembers, v) }

// OmitWriteOnly omits struct members with the tag writeOnly:"true", if v is true, for a server that
// returns a value that it has received. It has no effect inside of types that encode themselves.
// Functions of the standard library panic if they are given this option.
func OmitWriteOnly(v bool) Options { return option.Own(option.OmitWriteOnly, v) }

// A MembersError lists the members that violate the tags of their fields.
type MembersError = decode.MembersError

// A MemberError is one member of a [MembersError].
type MemberError = decode.MemberError

// DefaultOptionsV2 returns the options that apply if a call has none.
func DefaultOptionsV2() Options { return option.DefaultsV2() }
