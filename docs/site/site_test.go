package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// require skips a test without a program that it needs, or fails in CI, which has all of them.
func require(t *testing.T, missing string) {
	t.Helper()
	if os.Getenv("HONE_REQUIRE_SERVICES") == "1" {
		t.Fatal(missing)
	}
	t.Skip(missing)
}

// queries maps queries of Go programmers to the page that is to be the first or second result.
var queries = map[string]string{
	"rollback":              "docs/migrating/migrate.html",
	"getting started":       "docs/quickstart.html",
	"install":               "docs/quickstart.html",
	"nil slice":             "docs/faq.html#can-a-nil-slice-be-",
	"omitempty":             "docs/migrating/json-v2.html",
	"JWT":                   "docs/authentication.html",
	"session":               "docs/authentication.html",
	"middleware":            "docs/middleware.html",
	"websocket":             "docs/websocket.html",
	"upload":                "docs/uploads.html",
	"logging":               "docs/logging.html",
	"unit testing":          "docs/testing.html",
	"deploy":                "docs/deploying.html",
	"timeout":               "docs/deploying.html",
	"cors":                  "docs/middleware.html",
	"error handling":        "docs/errors.html",
	"gob":                   "docs/migrating/binary.html",
	"msgpack":               "docs/migrating/binary.html",
	"prometheus":            "docs/integrations.html#prometheus",
	"tracing":               "docs/observability.html",
	"openapi":               "docs/faq.html#can-the-framework-write-the-openapi-document-from-handlers",
	"validation":            "docs/api.html",
	"graceful shutdown":     "docs/web.html#serving",
	"pagination":            "examples/cookbook/",
	"gin":                   "docs/migrating/gin.html",
	"echo":                  "docs/migrating/echo.html",
	"unknown fields":        "docs/json.html#unknown-members",
	"DisallowUnknownFields": "pkg/json.html#Decoder.DisallowUnknownFields",
	"required fields":       "docs/json.html#required-members",
	"struct tags":           "docs/faq.html",
	"null":                  "docs/api.html#required-optional-and-null",
	"typescript client":     "docs/clients.html#typescript",
	"sse":                   "docs/api.html#streams-of-events",
	"benchmarks":            "docs/performance.html",
}

// TestSite renders the site for a folder of a host, as it is published, and shows it in a browser.
func TestSite(t *testing.T) {
	if testing.Short() || os.Getenv("HONE_VARIANT") != "" {
		t.Skip("renders all pages, which is the same in each variant")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		require(t, "npm not found on PATH: the site is not rendered")
	}
	if !installed(".") && os.Getenv("HONE_REQUIRE_SERVICES") != "1" {
		t.Skip("go run ./docs/site has not installed VitePress: the site is not rendered")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	public, err := render(t.Context(), root, "/hone/", "/hone/versions.json")
	if err != nil {
		t.Fatal(err)
	}
	page := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(public, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}

	for name, want := range map[string][]string{
		"index.html":                                   {`href="/hone/pkg/json/jsontext.html"`, `href="https://github.com/hone-go/hone/blob/main/LICENSE"`},
		"docs/migrating/echo-v4.html":                  {`echo.PathValues{{Name: &quot;a&quot;`},
		"docs/adr/index.html":                          {`href="/hone/docs/adr/0002-flat-programs.html"`},
		"pkg/json.html":                                {`id="Decoder.Decode"`, `href="#Config"`, "<summary>Example</summary>", "Output:"},
		"pkg/mo.html":                                  {`id="Option.OrElse"`},
		"pkg/integrations/grpc.html":                   {`import`},
		"pkg/cmd/hone.html":                            {"hone migrate"},
		"docs/benchmarks/2026-11-23-go1.27/index.html": {"<table"},
		"llms.txt":                                     {"# Hone\n\n> ", "- [Quickstart](/hone/docs/quickstart.html): Five minutes"},
		"llms-full.txt":                                {"# Quickstart\n", "# Frequent questions\n", "func (s store) add("},
	} {
		text := page(name)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s lacks %s", name, w)
			}
		}
	}
	if text := page("index.html") + page("llms-full.txt"); strings.Contains(text, "snippet:") || strings.Contains(text, "shell:") || strings.Contains(text, "do not edit") {
		t.Error("the home page or llms-full.txt shows comments that are instructions to tests")
	}

	versions := page("versions.json")
	mux := http.NewServeMux()
	mux.Handle("/hone/", http.StripPrefix("/hone", http.FileServer(http.Dir(public))))
	mux.HandleFunc("/hone/versions.json", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, versions) })
	mux.HandleFunc("/hone/v0.1/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "the older version") })
	server := httptest.NewServer(mux)
	defer server.Close()
	tab := browser(t)
	home := server.URL + "/hone/"
	for _, name := range []string{"", "docs/safety.html", "docs/migrating/encoding-json.html", "docs/architecture.html", "pkg/web.html", "docs/pulse.html", "docs/quickstart.html", "docs/middleware.html"} {
		showsAt(t, tab, home+name, 390)
		showsAt(t, tab, home+name, 1280)
	}

	open(t, tab, home, 1280)
	if got := search(t, tab, "MarshalWrite")[0]; got != "/hone/pkg/json.html#MarshalWrite" {
		t.Errorf("the first result for MarshalWrite is %s", got)
	}
	openFirst(t, tab)
	until(t, tab, `document.querySelector("h1").textContent.startsWith("json")`)
	open(t, tab, home, 390)
	if got := search(t, tab, "gorilla")[0]; !strings.HasPrefix(got, "/hone/") {
		t.Errorf("the first result for gorilla is %s", got)
	}
	openFirst(t, tab)
	until(t, tab, `document.querySelector(".vp-doc").textContent.toLowerCase().includes("gorilla")`)
	open(t, tab, home, 1280)
	for query, want := range queries {
		results := search(t, tab, query)
		if !slices.ContainsFunc(results[:min(2, len(results))], func(r string) bool { return strings.HasPrefix(r, "/hone/"+want) }) {
			t.Errorf("the first results for %q are %q, want %s", query, results[:min(4, len(results))], want)
		}
	}

	open(t, tab, home+"docs/quickstart.html", 1280)
	until(t, tab, `document.querySelector(".pager-link.next").getAttribute("href") === "/hone/docs/which-package.html"`)
	until(t, tab, `document.querySelector(".pager-link.prev").getAttribute("href").startsWith("/hone/")`)
	until(t, tab, `document.querySelector(".VPNav") && !document.querySelector(".versions")`) // there is one version
	versions = `[{"name": "main", "base": "/hone/"}, {"name": "v0.1", "base": "/hone/v0.1/"}]`
	open(t, tab, home+"docs/quickstart.html", 390)
	until(t, tab, `document.querySelectorAll(".versions option").length === 2 && !document.querySelector("a .versions")`)
	evaluate[bool](t, tab, `(() => { const s = document.querySelector(".versions"); s.value = "/hone/v0.1/"; return s.dispatchEvent(new Event("change")) })()`)
	until(t, tab, `location.pathname === "/hone/v0.1/"`) // it lacks the page

	open(t, tab, home+"docs/architecture.html", 1280)
	until(t, tab, `document.querySelector(".drawing svg text, .drawing svg .nodeLabel").textContent.includes("web/echotest")`)
	evaluate[bool](t, tab, `(document.querySelector(".VPSwitchAppearance").click(), true)`)
	until(t, tab, `document.documentElement.classList.contains("dark") && getComputedStyle(document.body).backgroundColor !== "rgb(255, 255, 255)"`)
}

// TestCheck checks small sites with and without broken links.
func TestCheck(t *testing.T) {
	for _, test := range []struct{ html, want string }{
		{`<h1 id="top"></h1><a href="#top">x</a><a href="/hone/b/#bottom">x</a><a href="b/index.html">x</a><a href="https://example.org/c">x</a>`, ""},
		{`<a href="#bottom">x</a>`, "index.html: the link to #bottom is broken: there is no such anchor"},
		{`<a href="/hone/c.html">x</a>`, "index.html: the link to /hone/c.html is broken: there is no such file"},
		{`<a href="/hone/b/#top">x</a>`, "index.html: the link to /hone/b/#top is broken: there is no such anchor"},
		{`<img src="/b.png">`, "index.html: the link to /b.png is broken: it is not below /hone/"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"index.html": test.html, "b/index.html": `<p id="bottom"><a href="../index.html">x</a></p>`} {
			if err := write(filepath.Join(dir, name), []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if err := check(dir, "/hone/"); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.html, got, test.want)
		}
	}
}

// TestNavigation stages repositories with pages that the navigation lists, and with a page that it
// does not list.
func TestNavigation(t *testing.T) {
	dir := t.TempDir()
	if err := write(filepath.Join(dir, "docs/adr/0001-a.md"), []byte("# 1. The `first`\n")); err != nil {
		t.Fatal(err)
	}
	s := site{
		Navigation: []group{{Name: "Design", Groups: []group{{Name: "Decisions", Folder: "docs/adr"}}}},
		Sources:    map[string]string{"docs/adr/0001-a.md": "docs/adr/0001-a.md"},
	}
	if err := s.complete(dir); err != nil {
		t.Fatal(err)
	}
	if got := s.Navigation[0].Groups[0].Items; len(got) != 1 || got[0] != (item{"docs/adr/0001-a.md", "1. The first"}) {
		t.Errorf("the decisions are %v", got)
	}
	s.Sources["docs/new.md"] = "docs/new.md"
	if err := s.complete(dir); err == nil || !strings.Contains(err.Error(), "docs/new.md is not in the navigation") {
		t.Errorf("a page that is not in the navigation: %v", err)
	}
}
