// Echotests runs the tests of Echo v5 on Hone. It takes the test files from the module cache, in the release that
// package web names. It copies them and the shim to a temporary module, and compares the tests that fail with the
// list in expected.txt.
//
// Some tests use a name that Echo does not export where an exported one does the same: the test files then get the
// exported name. A test that uses another such name cannot be compiled. It counts as failed, with the name as the
// cause.
//
// Usage, in the module of conformance:
//
//	GOWORK=off go run ./echotests
//
// The exit status is 1 if an unlisted test fails or a listed test passes. With -keep the temporary
// module is not removed.
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/hone-go/hone/internal/test/foreign"
	"github.com/hone-go/hone/web"
)

const echoPath = "github.com/labstack/echo/v5"

//go:embed expected.txt
var expected string

func main() {
	log.SetFlags(0)
	log.SetPrefix("echotests: ")
	keep := flag.Bool("keep", false, "keep the temporary module, and print its folder")
	flag.Parse()
	err := foreign.Main(foreign.Suite{
		Name:     "Echo " + web.Version,
		Prepare:  makeModule,
		Packages: []string{".", "middleware", "echotest"},
		Expected: expected,
		Least:    2000,
	}, *keep)
	if err != nil {
		log.Fatal(err)
	}
}

// makeModule creates a module with the shim, Echo's tests and the files that the tests read.
func makeModule(dir string) error {
	echo, err := download(echoPath + "@v" + web.Version)
	if err != nil {
		return err
	}
	hone, err := filepath.Abs("../../..")
	if err != nil {
		return err
	}
	if err := foreign.CopyFiles(dir, echo, func(path string) bool {
		return !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go")
	}); err != nil {
		return err
	}
	if err := useExportedNames(dir); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "helpers_test.go"), []byte(helpers), 0o644); err != nil {
		return err
	}
	if err := foreign.CopyFiles(dir, filepath.Join(hone, "integrations/echoshim/v5"), func(path string) bool {
		return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "internal")
	}); err != nil {
		return err
	}
	// Echo's go.mod lists the modules that its tests use.
	for _, args := range [][]string{
		{"mod", "edit", "-require=github.com/hone-go/hone@v0.1.0", "-replace=github.com/hone-go/hone=" + hone, "-go=1.26.0"},
		{"mod", "tidy"},
	} {
		if err := foreign.Run(dir, args...); err != nil {
			return err
		}
	}
	return nil
}

// exported has expressions of Echo's tests that use names that Echo does not export, each with an expression of the
// same value. A store of the number of parameters only prepares Echo's own memory.
var exported = strings.NewReplacer(
	"e.contextPathParamAllocSize.Store(1)", "_ = e",
	"e.contextPathParamAllocSize.Store(2)", "_ = e",
	"e.router = router", "e = NewWithConfig(Config{Router: router})",
	"e.router", "e.Router()",
	"*c.pathValues", "c.PathValues()",
	"c.pathValues", "c.PathValues()",
	"c2.pathValues", "c2.PathValues()",
	"c.request.TLS", "c.Request().TLS",
	"c.orgResponse.Committed = true", "{ r, _ := UnwrapResponse(c.Response()); r.Committed = true }",
	"= newContext(req, rec, nil)", "= NewContext(req, rec)",
	"&Context{\n\t\t\t\trequest: ", "contextOf(\n\t\t\t\t",
	"\t\t\t\t},\n\t\t\t},\n\t\t\tassert.", "\t\t\t\t},\n\t\t\t),\n\t\t\tassert.",
	"http.Request{},\n\t\t\t},\n\t\t\tassert.", "http.Request{},\n\t\t\t),\n\t\t\tassert.",
	`"/", notFoundHandler)`, `"/", `+notFound+`)`,
	`"/static", notFoundHandler)`, `"/static", `+notFound+`)`,
	"Handler:     notFoundHandler,", "Handler:     "+notFound+",",
	`b.errors = []error{errors.New("previous error")}`, "setErrors(b, errors.New(\"previous error\"))",
	"b.errors = tc.givenBindErrors", "setErrors(b, tc.givenBindErrors...)",
	"assert.Nil(t, b.errors)", "assert.Nil(t, b.BindErrors())",
	"bErr.err)", "bErr.Unwrap())",
	`bindData(&dest, exampleData, "param", nil)`, `BindQueryParams(createTestContext("/?"+query(exampleData), nil, nil), &dest)`,
	", gzipScheme)", `, "gzip")`,
	"(t, gzipScheme,", `(t, "gzip",`,
	"{basic + ", `{"basic" + `,
	"\tbasic + ", "\t"+`"basic" + `,
	"expectHeader: basic + ", `expectHeader: "basic" + `,
	"ToUpper(basic)", `ToUpper("basic")`,
	"token := randomString(16)", `token := strings.Repeat("a", 16)`,
)

// notFound is the handler that Echo's notFoundHandler is.
const notFound = "func(*Context) error { return ErrNotFound }"

// helpers are functions that the replacements use, in a test file of Echo's root package.
const helpers = `package echo

import (
	"net/http"
	"net/url"
)

func contextOf(r *http.Request) *Context { return NewContext(r, nil) }

func query(values map[string][]string) string { return url.Values(values).Encode() }

// setErrors makes errs the errors of b.
func setErrors(b *ValueBinder, errs ...error) {
	newError := b.ErrorFunc
	for _, err := range errs {
		b.ErrorFunc = func(string, []string, string, error) error { return err }
		b.MustString("a parameter that no request has", new(string))
	}
	b.ErrorFunc = newError
}
`

// useExportedNames replaces names in the test files of a folder and of the folders below it.
func useExportedNames(dir string) error {
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(name, []byte(exported.Replace(string(text))), 0o644)
	})
}

// download returns the folder of a module in the module cache.
func download(module string) (dir string, err error) {
	out, err := foreign.Command("", "mod", "download", "-json", module).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", module, err, out)
	}
	var found struct{ Dir string }
	err = json.Unmarshal(out, &found)
	return found.Dir, err
}
