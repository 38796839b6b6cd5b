package web_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hone-go/hone/bench/suite/contestants/exported"

	// A package that is loaded by its name must be a dependency of the module.
	_ "github.com/labstack/echo/v5/echotest"
	_ "github.com/labstack/echo/v5/middleware"
)

const (
	echoPath = "github.com/labstack/echo/v5"
	webPath  = "github.com/hone-go/hone/web"

	// problemPath is the path of the type that web.ProblemError is an alias of.
	problemPath = "github.com/hone-go/hone/internal/http/problem.Error"
)

// deviations are the differences from Echo's API, with the words of docs/migrating/echo.md
// about each.
var deviations = map[string]string{
	echoPath + "/middleware.Visitor":      "`Visitor`",
	echoPath + "/middleware.Decompressor": "`Decompressor`",
}

// TestWebAPI compares the exported names of Echo with web's: after the import path is replaced
// no name is missing, and no signature differs. A struct of web may have additional fields and
// methods.
func TestWebAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages from source")
	}
	var paths []string
	for _, sub := range []string{"", "/middleware", "/echotest"} {
		paths = append(paths, echoPath+sub, webPath+sub)
	}
	apis, err := exported.Load(paths...)
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../../../../docs/migrating/echo.md")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for path, theirs := range apis {
		if !strings.HasPrefix(path, echoPath) {
			continue
		}
		ours := apis[strings.Replace(path, echoPath, webPath, 1)]
		for name, want := range theirs {
			compared++
			full := path + "." + name
			got, ok := ours[name]
			got = strings.ReplaceAll(got, problemPath, webPath+".ProblemError")
			same := ok && sameAPI(got, strings.ReplaceAll(want, echoPath, webPath))
			owner, _, _ := strings.Cut(name, ".")
			if words, listed := deviations[path+"."+owner]; listed {
				if !strings.Contains(string(guide), words) {
					t.Errorf("%s: the guide does not name %s", full, words)
				}
				continue
			}
			switch {
			case !ok:
				t.Errorf("%s is missing: %s", full, want)
			case !same:
				t.Errorf("%s differs:\n got %s\nwant %s", full, got, want)
			}
		}
	}
	if compared < 600 {
		t.Errorf("only %d names were compared: does this test look in the right place?", compared)
	}
	t.Logf("%d names compared", compared)
}

var structType = regexp.MustCompile(`^type struct\{(.*)\}$`)

// sameAPI compares two descriptions. A struct of web must have the fields of Echo's.
func sameAPI(got, want string) bool {
	if got == want {
		return true
	}
	ours, theirs := structType.FindStringSubmatch(got), structType.FindStringSubmatch(want)
	if ours == nil || theirs == nil {
		return false
	}
	have := "; " + ours[1] + ";"
	for _, field := range strings.Split(theirs[1], "; ") {
		if field != "" && !strings.Contains(have, "; "+field+";") {
			return false
		}
	}
	return true
}
