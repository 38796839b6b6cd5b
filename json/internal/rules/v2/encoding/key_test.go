package encoding

import (
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/kinds"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// TestCompiledFlags compiles types with and without each flag. A flag that changes a program must
// be in the cache key, so that calls with other flags do not use the program. A flag that changes
// no program must not be in the key.
func TestCompiledFlags(t *testing.T) {
	compile := func(flags option.Flag) string {
		m := encode.Mode{Key: rules.Key{Flags: flags}, Rules: compiler{}}
		return testkit.Dump(m.ProgramOf(reflect.TypeFor[*kinds.Struct](), false), reflect.TypeFor[shape.Shape](), "scratch")
	}
	plain := compile(0)
	if compile(0) != plain {
		t.Fatal("compiling twice with the same flags gives different programs")
	}
	for bit := range 62 {
		flag := option.Flag(1) << bit
		changes, inKey := compile(flag) != plain, rules.EncodeFlags&flag != 0
		if changes != inKey {
			t.Errorf("flag 1<<%d changes programs: %v, is in rules.EncodeFlags: %v", bit, changes, inKey)
		}
	}
}
