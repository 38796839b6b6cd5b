package mo_test

import (
	"strings"
	"testing"

	"github.com/hone-go/hone/bench/suite/contestants/exported"
)

const (
	samberPath = "github.com/samber/mo"
	honePath   = "github.com/hone-go/hone/mo"
)

// leftOut are the names that samber/mo exports and mo does not.
var leftOut = map[string]string{
	samberPath + "/result.TestPipeTypeTransformations": "a test that samber/mo exports from a file that is not one",
	samberPath + "/either.TestPipeTypeTransformations": "a test that samber/mo exports from a file that is not one",
}

// TestMoAPI compares the exported names of samber/mo and mo: after the import path is replaced no
// name is missing, and no signature differs.
func TestMoAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages from source")
	}
	var paths []string
	for _, sub := range []string{"", "/option", "/result", "/either", "/either3", "/either4", "/either5", "/typeclass"} {
		paths = append(paths, samberPath+sub, honePath+sub)
	}
	apis, err := exported.Load(paths...)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for path, theirs := range apis {
		if !strings.HasPrefix(path, samberPath) {
			continue
		}
		ours := apis[strings.Replace(path, samberPath, honePath, 1)]
		for name, want := range theirs {
			compared++
			want = strings.ReplaceAll(want, samberPath, honePath)
			got, ok := ours[name]
			full := path + "." + name
			switch _, out := leftOut[full]; {
			case out && ok:
				t.Errorf("%s is there, and listed as left out", full)
			case out:
			case !ok:
				t.Errorf("%s is missing: %s", full, want)
			case got != want:
				t.Errorf("%s differs:\n got %s\nwant %s", full, got, want)
			}
		}
	}
	if compared < 300 {
		t.Errorf("only %d names were compared: does this test look in the right place?", compared)
	}
	t.Logf("%d names compared", compared)
}
