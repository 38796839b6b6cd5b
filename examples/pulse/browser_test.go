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

// browser returns a tab of a headless Chromium, and what the page complained
// about so far.
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
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
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

// until waits for a JavaScript condition.
func until(t *testing.T, tab context.Context, condition string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !evaluate[bool](t, tab, "!!("+condition+")"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never true: %s\n%s", condition, evaluate[string](t, tab, "document.body.innerText"))
		}
	}
}

const pixels = `document.querySelector("#chart-cpu canvas").toDataURL()`

// TestPageMoves opens the page of a running pulse and watches its charts.
func TestPageMoves(t *testing.T) {
	needSignals(t)
	tab, complaints := browser(t)
	db := filepath.Join(t.TempDir(), "pulse.db")
	p := start(t, "127.0.0.1:0", db, "-host", "here", "-interval", "200ms")
	if err := chromedp.Do(tab, chromedp.Navigate(p.url)); err != nil {
		t.Fatal(err)
	}

	until(t, tab, `document.querySelector("#status").dataset.state === "live" && document.querySelector("#chart-cpu canvas") && document.querySelector("#chart-memory canvas")`)
	for tile, want := range map[string]string{"cpu": "%", "memory": "%", "uptime": " "} {
		value := evaluate[string](t, tab, `document.querySelector("#`+tile+`-value").textContent`)
		if !strings.Contains(strings.ReplaceAll(value, "\u00a0", " "), want) {
			t.Errorf("the tile %s shows %q", tile, value)
		}
	}

	shown := func() int { return evaluate[int](t, tab, `Number(document.body.dataset.readings)`) }
	before, picture := shown(), evaluate[string](t, tab, pixels)
	until(t, tab, `Number(document.body.dataset.readings) >= `+strconv.Itoa(before+3))
	if evaluate[string](t, tab, pixels) == picture {
		t.Error("three readings later the chart looks the same")
	}
	for _, label := range evaluate[[]string](t, tab, `[...document.querySelectorAll(".chart:not([hidden]) .plot")].map((p) => p.ariaLabel)`) {
		if !strings.Contains(label, "last 5 minutes") {
			t.Errorf("a chart is described as %q", label)
		}
	}

	// A restart of the server shows, and heals by itself, without a gap in what
	// the database knows.
	addr := strings.TrimPrefix(p.url, "http://")
	if err := p.interrupt(t); err != nil {
		t.Fatalf("with the page open: %v\n%s", err, p.log)
	}
	until(t, tab, `document.querySelector("#status").dataset.state === "lost"`)
	start(t, addr, db, "-host", "here", "-interval", "200ms")
	until(t, tab, `document.querySelector("#status").dataset.state === "live"`)
	before = shown()
	until(t, tab, `Number(document.body.dataset.readings) >= `+strconv.Itoa(before+2))

	for _, c := range complaints() {
		if !strings.Contains(c, "ERR_CONNECTION_REFUSED") && !strings.Contains(c, "ERR_INCOMPLETE_CHUNKED_ENCODING") {
			t.Errorf("the page complains: %s", c)
		}
	}
}

// TestPageChoosesMachines also looks at the page as a phone shows it, and at
// what a hostile agent could do to it.
func TestPageChoosesMachines(t *testing.T) {
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	if err := chromedp.Do(tab, chromedp.EmulateViewport(360, 740), chromedp.Navigate(p.url)); err != nil {
		t.Fatal(err)
	}
	until(t, tab, `document.querySelector("#status").textContent.includes("first reading")`)

	const hostile = `<img src=x onerror="document.title='owned'">`
	recent := time.Now().Add(-2 * time.Minute)
	laptop := readingsFrom("laptop", recent, 60)
	odd := readingsFrom(hostile, recent, 59)
	odd[58].Disks = append(odd[58].Disks, disk(hostile))
	if status, err := post(p.url, append(laptop, odd...)...); status != 200 || err != nil {
		t.Fatal(status, err)
	}
	until(t, tab, `document.querySelectorAll("#host option").length === 2 && document.body.dataset.readings === "60"`)
	if name := evaluate[string](t, tab, `document.querySelector("#host").value`); name != "laptop" {
		t.Errorf("the page begins with %q, want the machine heard last", name)
	}
	evaluate[any](t, tab, `(() => { const s = document.querySelector("#host"); s.selectedIndex = 0; s.dispatchEvent(new Event("change")) })()`)
	until(t, tab, `document.body.dataset.readings === "59" && document.querySelector("#disks th[scope=row]")`)
	if title := evaluate[string](t, tab, `document.title`); strings.HasPrefix(title, "owned") {
		t.Error("a machine's name was run as code")
	}
	if name := evaluate[string](t, tab, `new URL(location).searchParams.get("host")`); name != hostile {
		t.Errorf("the address names %q", name)
	}

	for _, scheme := range []string{"light", "dark"} {
		features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
		if _, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
			t.Fatal(err)
		}
		if extra := evaluate[int](t, tab, `document.documentElement.scrollWidth - innerWidth`); extra > 0 {
			t.Errorf("%s: the page is %d pixels wider than the phone: %v", scheme, extra, evaluate[[]string](t, tab, `[...document.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.tagName + "." + e.className + "#" + e.id)`))
		}
	}
	for _, c := range complaints() {
		t.Errorf("the page complains: %s", c)
	}
}

func disk(mount string) telemetry.Disk {
	return telemetry.Disk{Mount: mount, Device: "/dev/sda1", Used: mo.Some[uint64](9), Total: mo.Some[uint64](10)}
}

// TestDocsPage reads the page of the API as a phone shows it, and calls the API
// from it.
func TestDocsPage(t *testing.T) {
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	if err := chromedp.Do(tab, chromedp.EmulateViewport(360, 740), chromedp.Navigate(p.url+"/docs")); err != nil {
		t.Fatal(err)
	}
	until(t, tab, `document.querySelectorAll("details.operation").length === 6`)
	if title := evaluate[string](t, tab, `document.title`); title != "Pulse" {
		t.Errorf("title %q", title)
	}
	evaluate[bool](t, tab, `document.querySelector("#getHealthz").open = true`)
	until(t, tab, `document.querySelector("#getHealthz form")`)
	evaluate[bool](t, tab, `document.querySelector("#getHealthz form").requestSubmit() === undefined`)
	until(t, tab, `document.querySelector("#getHealthz pre").textContent.includes("200 OK")`)
	// A type within a type is shown when it is opened.
	evaluate[bool](t, tab, `document.querySelector("#postV1Readings").open = true`)
	until(t, tab, `document.querySelector("#postV1Readings summary.ref")`)
	evaluate[bool](t, tab, `document.querySelector("#postV1Readings summary.ref").parentElement.open = true`)
	until(t, tab, `document.querySelector("#postV1Readings li li code")`)
	evaluate[bool](t, tab, `(() => { const s = document.querySelector("#search"); s.value = "post"; return s.dispatchEvent(new Event("input")); })()`)
	until(t, tab, `[...document.querySelectorAll("details.operation")].filter((e) => !e.hidden).length < 6`)
	if wide := evaluate[bool](t, tab, `document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("the page is wider than a phone")
	}
	for _, c := range complaints() {
		t.Errorf("the page complains: %s", c)
	}
}
