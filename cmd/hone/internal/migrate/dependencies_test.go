package migrate

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

const sharedFiles = `
-- go.mod --
module example.com/app

go 1.26.0

require example.com/lib v0.0.0

replace example.com/lib => ./lib
-- app.go --
package app

import (
	"encoding/json"

	"example.com/lib"
)

func f(d *json.Decoder) { lib.Read(d) }
-- lib/go.mod --
module example.com/lib

go 1.26.0
-- lib/lib.go --
package lib

import "example.com/lib/deep"

var Read = deep.Read
-- lib/deep/deep.go --
package deep

func Read(v any) {}
-- lib/deep/json.go --
package deep

import "encoding/json"

type decoder = json.Decoder
`

// TestSharedDependencies migrates a module twice with one cache. Between the runs an indirect
// dependency of the module changes, so that the import can no longer move.
func TestSharedDependencies(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	dir, _ := unpack(t, txtar.Parse([]byte(sharedFiles)))
	c := prepare(t, Options{Dir: dir})
	if c.moves() != 1 {
		t.Fatalf("%d imports move\n%s", c.moves(), summary(c, false))
	}
	edit1(t, filepath.Join(dir, "lib", "deep", "deep.go"), "v any", "v *decoder")
	if c := prepare(t, Options{Dir: dir}); c.moves() != 0 {
		t.Errorf("the types of a changed dependency are from before its change\n%s", c.Diff())
	}
	edit1(t, filepath.Join(dir, "lib", "deep", "deep.go"), "v *decoder", "v any")
	if c := prepare(t, Options{Dir: dir}); c.moves() != 1 {
		t.Errorf("%d imports move after the dependency was restored", c.moves())
	}
}
