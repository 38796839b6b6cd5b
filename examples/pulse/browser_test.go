package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// browser returns a tab of a headless Chromium, and the errors that the page has
// reported so far.
func browser(t *testing.T) (tab context.Context, complaints func() []string) {
	t.Helper()
	path := os.Getenv("HONE_CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path == "" {
			path, _ = exec.LookPath(name)
		}
	}
	if path == "" {
		const message = "no Chromium on PATH, nor named by HONE_CHROMIUM: the page is not tested"
		if os.Getenv("HONE_REQUIRE_SERVICES") == "1" {
			t.Fatal(message)
		}
		t.Skip(message)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox refuses root
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	tab, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)

	var mu sync.Mutex
	var list []string
	messages := chromedp.Console(tab)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			mu.Lock()
			list = append(list, m.String())
			mu.Unlock()
		}
	}()
	return tab, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), list...)
	}
}

func evaluate[T any](t *testing.T, tab context.Context, script string) T {
	t.Helper()
	v, err := chromedp.Run(tab, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}

// waitUntil waits until a JavaScript expression is true.
func waitUntil(t *testing.T, tab context.Context, condition string) {
	t.Helper()
	script := "(() => { try { return !!(" + condition + ") } catch { return false } })()"
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		// A script fails while the page reloads, so an error only counts at the deadline.
		holds, err := chromedp.Run(tab, chromedp.Evaluate[bool](script))
		switch {
		case err == nil && holds:
			return
		case !time.Now().After(deadline):
		case err != nil:
			t.Fatalf("%s: %v", condition, err)
		default:
			t.Fatalf("never true: %s\n%s\n%s", condition, evaluate[string](t, tab, "location.href"), evaluate[string](t, tab, "document.body.innerText"))
		}
	}
}

const pixels = `document.querySelector("#chart-cpu canvas").toDataURL()`

// open shows a page on a screen of the given width.
func open(t *testing.T, tab context.Context, url string, width int64) {
	t.Helper()
	if err := chromedp.Do(tab, chromedp.EmulateViewport(width, 800), chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, tab context.Context, selector string) string {
	t.Helper()
	return strings.ReplaceAll(evaluate[string](t, tab, `document.querySelector(`+strconv.Quote(selector)+`)?.textContent ?? ""`), "\u00a0", " ")
}

// emulate makes the browser prefer a colour scheme, or less motion.
func emulate(t *testing.T, tab context.Context, feature, value string) {
	t.Helper()
	features := []*emulation.MediaFeature{{Name: feature, Value: value}}
	if _, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
		t.Fatal(err)
	}
}

// checkWidths fails if elements are wider than the screen.
func checkWidths(t *testing.T, tab context.Context, what string) {
	t.Helper()
	if extra := evaluate[int](t, tab, `document.documentElement.scrollWidth - innerWidth`); extra > 0 {
		t.Errorf("%s: the page is %d pixels wider than the screen: %v", what, extra, evaluate[[]string](t, tab, `[...document.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.tagName + "." + e.className + "#" + e.id)`))
	}
}

// checkTexts fails if the page shows text such as NaN or undefined.
func checkTexts(t *testing.T, tab context.Context) {
	t.Helper()
	shown := evaluate[string](t, tab, `document.body.innerText + document.title + [...document.querySelectorAll("[aria-label]")].map((e) => e.ariaLabel).join(" ")`)
	for _, word := range []string{"undefined", "NaN", "null", "Infinity", "Invalid Date", "[object"} {
		if strings.Contains(shown, word) {
			t.Errorf("the page says %q:\n%s", word, shown)
		}
	}
}

// checkComplaints fails if the browser has reported errors, except for the expected errors of a stopped
// server.
func checkComplaints(t *testing.T, complaints func() []string, but ...string) {
	t.Helper()
	for _, c := range complaints() {
		known := false
		for _, part := range append(but, "ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_RESET") {
			known = known || strings.Contains(c, part)
		}
		if !known {
			t.Errorf("the page complains: %s", c)
		}
	}
}

func disk(mount string) telemetry.Disk {
	return telemetry.Disk{Mount: mount, Device: "/dev/sda1", Used: mo.Some[uint64](9), Total: mo.Some[uint64](10)}
}

// TestDocsPage opens the API's documentation page on a screen as small as a phone's, and calls the
// API from it.
func TestDocsPage(t *testing.T) {
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	if err := chromedp.Do(tab, chromedp.EmulateViewport(360, 740), chromedp.Navigate(p.url+"/docs")); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, tab, `document.querySelectorAll("details.operation").length === 19`)
	if title := evaluate[string](t, tab, `document.title`); title != "Pulse" {
		t.Errorf("title %q", title)
	}
	evaluate[bool](t, tab, `document.querySelector("#getHealthz").open = true`)
	waitUntil(t, tab, `document.querySelector("#getHealthz form")`)
	evaluate[bool](t, tab, `document.querySelector("#getHealthz form").requestSubmit() === undefined`)
	waitUntil(t, tab, `document.querySelector("#getHealthz pre").textContent.includes("200 OK")`)
	// A nested type is shown when its element is opened.
	evaluate[bool](t, tab, `document.querySelector("#postV1Readings").open = true`)
	waitUntil(t, tab, `document.querySelector("#postV1Readings summary.ref")`)
	evaluate[bool](t, tab, `document.querySelector("#postV1Readings summary.ref").parentElement.open = true`)
	waitUntil(t, tab, `document.querySelector("#postV1Readings li li code")`)
	evaluate[bool](t, tab, `(() => { const s = document.querySelector("#search"); s.value = "post"; return s.dispatchEvent(new Event("input")); })()`)
	waitUntil(t, tab, `[...document.querySelectorAll("details.operation")].filter((e) => !e.hidden).length < 12`)
	if wide := evaluate[bool](t, tab, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page is wider than a phone")
	}
	checkComplaints(t, complaints)
}
