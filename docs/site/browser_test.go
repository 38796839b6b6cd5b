package main

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// browser returns a tab of a headless Chromium.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := os.Getenv("HONE_CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path == "" {
			path, _ = exec.LookPath(name)
		}
	}
	if path == "" {
		require(t, "no Chromium on PATH, nor named by HONE_CHROMIUM: the site is not shown")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.DisableGPU, chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox refuses root
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	tab, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return tab
}

// open shows a page on a screen of some width.
func open(t *testing.T, tab context.Context, url string, width int64) {
	t.Helper()
	if err := chromedp.Do(tab, chromedp.EmulateViewport(width, 800), chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	until(t, tab, `document.querySelector("#app").__vue_app__`) // the page reacts to its keys and buttons
}

func evaluate[T any](t *testing.T, tab context.Context, script string) T {
	t.Helper()
	v, err := chromedp.Run(tab, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// until waits for a JavaScript condition.
func until(t *testing.T, tab context.Context, condition string) {
	t.Helper()
	script := "(() => { try { return !!(" + condition + ") } catch { return false } })()"
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		// A script fails while the page is being loaded, so an error only counts at the deadline.
		holds, err := chromedp.Run(tab, chromedp.Evaluate[bool](script))
		if err == nil && holds {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("never true: %s (%v)\n%s", condition, err, evaluate[string](t, tab, "location.href"))
		}
	}
}

// showsAt checks that a page fits the width of a phone or a screen, so that only its code scrolls sideways, and on a
// screen its widest tables.
func showsAt(t *testing.T, tab context.Context, url string, width int64) {
	t.Helper()
	open(t, tab, url, width)
	if got := evaluate[int64](t, tab, `document.documentElement.scrollWidth`); got > width {
		t.Errorf("%s is %d px wide on a screen of %d px", url, got, width)
	}
	if n := evaluate[int](t, tab, `[...document.querySelectorAll(".vp-doc p, .vp-doc li, .vp-doc h1, .vp-doc h2, .vp-doc h3, .vp-doc h4")]
		.filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".table, .drawing")).length`); n > 0 {
		t.Errorf("%s has %d texts that a screen of %d px cuts off", url, n, width)
	}
	if n := evaluate[int](t, tab, `[...document.querySelectorAll(".vp-doc .table, .vp-doc .drawing")].filter(e => e.scrollWidth > e.clientWidth + 1).length`); n > 0 && width < 640 {
		t.Errorf("%s has %d tables or drawings that are wider than a screen of %d px", url, n, width)
	}
}

// search pastes a query into the search box and returns the addresses of the results. The box remembers the last
// query, so search clears it.
func search(t *testing.T, tab context.Context, query string) []string {
	t.Helper()
	if evaluate[bool](t, tab, `!document.querySelector(".VPLocalSearchBox")`) {
		until(t, tab, `document.querySelector("#local-search button, .VPNavBarSearch button")`)
		evaluate[bool](t, tab, `(sessionStorage.clear(), document.querySelector("#local-search button, .VPNavBarSearch button").click(), true)`)
		until(t, tab, `document.querySelector(".VPLocalSearchBox input")`)
	}
	write := func(text, done string) {
		evaluate[bool](t, tab, `(() => {
			const input = document.querySelector(".VPLocalSearchBox input")
			input.value = `+strconv.Quote(text)+`
			return input.dispatchEvent(new Event("input", {bubbles: true}))
		})()`)
		until(t, tab, done)
	}
	write("", `!document.querySelector(".VPLocalSearchBox .result[href]")`)
	write(query, `document.querySelector(".VPLocalSearchBox .result[href], .VPLocalSearchBox .no-results")`)
	results := evaluate[string](t, tab, `[...document.querySelectorAll(".VPLocalSearchBox .result[href]")].map(e => e.getAttribute("href")).join("\n")`)
	return strings.Split(results, "\n")
}

// openFirst opens the first result of the search.
func openFirst(t *testing.T, tab context.Context) {
	t.Helper()
	evaluate[bool](t, tab, `(document.querySelector(".VPLocalSearchBox .result[href]").click(), true)`)
	until(t, tab, `!document.querySelector(".VPLocalSearchBox")`)
}
