package migrate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/hone-go/hone/internal/test/testkit"
)

// The list and the page have the same items.
func TestBehavioursOnPage(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/migrating/echo.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), "**Before you deploy**")
	list, _, _ = strings.Cut(list, "\n\n")
	var want, got []string
	for _, m := range regexp.MustCompile(`(?m)^> - \*\*(.*?)\*\*`).FindAllStringSubmatch(list, -1) {
		want = append(want, m[1])
	}
	for _, b := range echoBehaviours {
		got = append(got, b.text)
	}
	if len(want) == 0 || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the code has\n%s\nthe page has\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const behaviourFiles = `-- go.mod --
module example.com/app

go 1.26.0

require github.com/labstack/echo/v5 v5.0.0

replace github.com/labstack/echo/v5 => ./echo
-- main.go --
package main

import (
	"net/http"
	"os"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
)

func main() {
	e := echo.New()
	e.IPExtractor = echo.ExtractIPFromXFFHeader()
	e.Use(middleware.RequestLogger(), middleware.MethodOverride(), middleware.BodyLimit(8<<20))
	e.GET("/", func(c *echo.Context) error { return c.String(http.StatusOK, c.RealIP()) })
	if err := e.Start(":8080"); err != nil {
		os.Exit(1)
	}
}
-- main_test.go --
package main

import "github.com/labstack/echo/v5"

var _ = echo.Config{TrustedProxies: nil}
`

// Each item says whether the code sets it, and where, or the line that sets it.
func TestBehaviours(t *testing.T) {
	dir, _ := unpack(t, txtar.Parse([]byte(behaviourFiles)))
	tree := arranged(t, dir, Rules(false, ""))
	for _, s := range tree.sources {
		s.units["echo"].change = true
	}
	c := &Change{Behaviours: behaviours(tree.sources, (*source).rewritten)}
	var out bytes.Buffer
	c.m = &module{}
	c.runtime(&out, false)
	for _, want := range []string{
		"RealIP is the address of the TCP peer: your code sets it (main.go:13)\n",
		"The access log omits the query and the client's request ID: your code does not set it. This line does: middleware.RequestLoggerWithConfig(",
		"Request bodies are limited to 4 MiB: your code sets it (main.go:14)\n",
		"in at most 30 s each: your code does not set it. This line does: echo.StartConfig{",
		"MethodOverride belongs in Echo.Pre: your code does not set it. This line does: e.Pre(middleware.MethodOverride())\n",
		"Name proxies that have a public address in Config.TrustedProxies: your code does not use it\n",
		"Static serves files by their plain names only: your code does not use it\n",
		"A handler must not keep its *Context in a goroutine: your code does not use it\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// The lines that set a behaviour compile with package web.
func TestBehaviourLinesCompile(t *testing.T) {
	testkit.SkipInVariant(t)
	t.Parallel()
	var b strings.Builder
	b.WriteString("package app\n\nimport (\n\t\"net\"\n\t\"net/http\"\n\t\"os\"\n\n\techo \"" + Hone + "/web\"\n\t\"" + Hone + "/web/middleware\"\n)\n\n" +
		"func set(e *echo.Echo, proxies *net.IPNet, log func(*echo.Context, middleware.RequestLoggerValues) error) {\n\tvar _ *http.Server\n")
	for _, x := range echoBehaviours {
		line := x.keep
		if !strings.HasPrefix(line, "e.") {
			line = "_ = " + line
		}
		fmt.Fprintf(&b, "\t%s\n", line)
	}
	b.WriteString("\t_ = os.Args\n}\n")
	dir := t.TempDir()
	mod := fmt.Sprintf("module example.com/app\n\ngo 1.26.0\n\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", Hone, checkout(t))
	for name, text := range map[string]string{"go.mod": mod, "app.go": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, errs, err := (&module{ctx: t.Context()}).start(dir, "vet", "./..."); err != nil {
		t.Errorf("%s%s\n%s", out, errs, &b)
	}
}
