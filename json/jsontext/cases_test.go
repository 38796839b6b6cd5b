package jsontext

import (
	"errors"
	"fmt"
	"strings"
)

// flags are the boolean options.
var flags = []func(bool) Options{
	AllowDuplicateNames, AllowInvalidUTF8, EscapeForHTML, EscapeForJS, PreserveRawStrings, CanonicalizeRawInts,
	CanonicalizeRawFloats, ReorderRawObjects, SpaceAfterColon, SpaceAfterComma, Multiline,
}

// optionsOf returns the options whose bits are set.
func optionsOf(bits uint32) (list []Options) {
	for i, f := range flags {
		if bits>>i&1 != 0 {
			list = append(list, f(true))
		}
	}
	if bits>>16&1 != 0 {
		list = append(list, WithIndent("  "))
	}
	if bits>>17&1 != 0 {
		list = append(list, WithIndentPrefix(" "))
	}
	return list
}

// say describes an error. Two errors of the same kind have the same description.
func say(err error) string {
	if err == nil {
		return "nil"
	}
	if s, ok := errors.AsType[*SyntacticError](err); ok {
		return fmt.Sprintf("%s | %d %q %v", err, s.ByteOffset, s.JSONPointer, s.Err)
	}
	return err.Error()
}

var documents = []string{
	`{"a":1,"b":[true,false,null,"x\u00e9\n"],"c":{"d":-1.5e3,"e":""}}`, `[1,2,3]`, ` [ ] `, `{}`, `"\ud83d\ude00"`, `"\ud800"`,
	"\"\xff\"", `{"a":1,"a":2}`, `{"a":{"b":1,"b":2}}`, `[[[[]]]]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[1 2]`, `{1:2}`, `{"a" 1}`, `nul`, `nulx`,
	`-`, `01`, `1.`, `1e`, `1e+`, `"abc`, `"\x"`, `"\u12`, "\"\x01\"", `1 2 3`, `[}`, `{]`, `]`, `}`, `,`, `:`, `[,1]`, `{"a":1]`, `[1}`, `{"~/":[0,{"":1}]}`,
	`{"\u0061":1,"a":2}`, `[-0,0.0,1E400,123456789012345678901234567890]`, `"\/\b\u0041\u001F"`, `"</script>&` + "\u2028" + `"`, "", " ", "\n\t ",
	`{"b":1,"a":2,"` + "\U0001f600" + `":3,"` + "\uffee" + `":4}`, `{"a":[{"b":1},{"b":1,"b":2}]}`, `[[1,2,[3,{"a":!}]]]`, `{{"a":]`, `10000000000000000000000e0`, `-10000000000000000000000.5`, `{"x":1,{"b":]`, `[{{"":]`, `{"a":1}x`, `[1]]`, `"a""b"`, `tru`, `{"a":tru}`,
	`[1,}`, `{"a":]`, `[[],}`, `[{"a":1,]`, `{"` + strings.Repeat("long", 20) + `":1,"` + strings.Repeat("long", 20) + `":2}`,
}
