package json

import (
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
)

// JoinOptions combines options into one. If several of them set the same option, the last one wins.
func JoinOptions(srcs ...Options) Options {
	var set option.Set
	set.Join(srcs...)
	return set.Options()
}

// LimitLengths, if v is true, limits how many elements are decoded into slices and maps whose
// fields have a tag such as `length:"1..100"`. It decodes one element more than the tag allows, and
// checks only the syntax of the remaining elements. Use it if the program checks lengths after
// decoding: it bounds the memory of a value that is too long and that the check will reject.
// Functions of the standard library panic if they receive this option.
func LimitLengths(v bool) Options { return option.Own(option.LimitLengths, v) }

// GetOption returns the value of the option that setter sets, and whether opts contains this
// option.
//
//	v, ok := json.GetOption(opts, json.Deterministic)
func GetOption[T any](opts Options, setter func(T) Options) (T, bool) {
	return option.Get(opts, setter)
}

// CheckMembers, if v is true, checks the members of objects against the tags of the struct fields,
// and implies [LimitLengths]. Decoding continues after missing members, null members and, with
// [RejectUnknownMembers], unknown members. Unless it fails with another error, the call returns all
// these faults as a [*MembersError]. The field CheckMembers of package json's Config documents the
// tags. The option does not apply inside types that have their own unmarshal methods. Functions of
// the standard library panic if they receive this option.
func CheckMembers(v bool) Options { return option.Own(option.CheckMembers, v) }

// OmitWriteOnly, if v is true, omits struct members with the tag writeOnly:"true" from the output.
// Such a member, for example a password, is only for input. With this option a server can encode a
// struct that it has decoded from a request, and the output does not contain the password. The
// option does not apply inside types that have their own marshal methods. Functions of the standard
// library panic if they receive this option.
func OmitWriteOnly(v bool) Options { return option.Own(option.OmitWriteOnly, v) }

// SeparateStrings, if v is true, allocates each decoded string, each map key and each float in an
// interface separately. By default short strings of several calls are allocated from shared blocks
// of up to 512 bytes, and equal strings share memory. Use it if a program retains a few strings of
// each document. Functions of the standard library panic if they receive this option.
func SeparateStrings(v bool) Options { return option.Own(option.SeparateStrings, v) }

// A MembersError lists the members that violate the tags of their fields.
type MembersError = decode.MembersError

// A MemberError is one member of a [MembersError].
type MemberError = decode.MemberError

// DefaultOptionsV2 returns the default options.
func DefaultOptionsV2() Options { return option.DefaultsV2() }
