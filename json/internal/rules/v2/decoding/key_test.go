package decoding

import (
	"reflect"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/internal/test/testkit/kinds"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// TestCompiledFlags compiles types with and without each flag. A flag that changes a node must be
// in the cache key, so that calls with other flags do not use the node. A flag that changes no node
// must not be in the key.
func TestCompiledFlags(t *testing.T) {
	compile := func(flags option.Flag) string {
		m := decode.Mode{Key: rules.Key{Flags: flags}, Rules: compiler{}}
		return testkit.Dump(m.NodeOf(reflect.TypeFor[*kinds.Struct]()), reflect.TypeFor[shape.Shape](), "number")
	}
	plain := compile(0)
	if compile(0) != plain {
		t.Fatal("compiling twice with the same flags gives different nodes")
	}
	for bit := range 62 {
		flag := option.Flag(1) << bit
		changes, inKey := compile(flag) != plain, rules.DecodeFlags&flag != 0
		if changes != inKey {
			t.Errorf("flag 1<<%d changes nodes: %v, is in rules.DecodeFlags: %v", bit, changes, inKey)
		}
	}
}
