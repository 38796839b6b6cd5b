package main

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// TestOverviewOf200 searches and sorts 200 machines, and shows all of them on one screen.
func TestOverviewOf200(t *testing.T) {
	testkit.SkipInVariant(t)
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	var batch []telemetry.Reading
	for i := range 200 {
		r := telemetry.Reading{
			Host: fmt.Sprintf("host-%03d", i), At: time.Now(), CPU: mo.Some(float64(i * 37 % 200 / 2)), Load1: mo.Some(1.0),
			Networks: []telemetry.Network{{Name: "eth0", Received: mo.Some(1000.0 * float64(i)), Sent: mo.Some(24.0)}, {Name: "lo", Sent: mo.Some(1e9)}},
		}
		if i != 7 {
			r.Temperatures = []telemetry.Temperature{{Sensor: "a", Celsius: 20}, {Sensor: "b", Celsius: 30 + float64(i)/10}}
		}
		batch = append(batch, r)
	}
	if status, err := post(p.url, batch...); status != 200 || err != nil {
		t.Fatal(status, err)
	}
	first := func() string {
		return text(t, tab, "#hosts tbody tr:not([hidden]) th a") + " " + text(t, tab, "#hosts tbody tr:not([hidden]) .network") + " " + text(t, tab, "#hosts tbody tr:not([hidden]) .temperature")
	}
	sorted := func(column, direction, want string) {
		t.Helper()
		if err := chromedp.Do(tab, chromedp.Click(`[data-sort="`+column+`"]`, chromedp.NodeVisible)); err != nil {
			t.Fatal(err)
		}
		if got := evaluate[string](t, tab, `document.querySelector('[data-sort="`+column+`"]').parentElement.ariaSort`); got != direction {
			t.Errorf("%s is sorted %q, want %q", column, got, direction)
		}
		if got := first(); got != want {
			t.Errorf("sorted by %s, %s: %q is first, want %q", column, direction, got, want)
		}
	}
	open(t, tab, p.url, 1280)
	waitUntil(t, tab, live+` && document.querySelectorAll("#hosts tbody tr").length === 200`)
	sorted("network", "descending", "host-199 194 KiB/s 50 °C")
	sorted("network", "ascending", "host-000 24 B/s 30 °C")
	sorted("temperature", "descending", "host-199 194 KiB/s 50 °C")
	if last := text(t, tab, "#hosts tbody tr:last-child th a"); last != "host-007" {
		t.Errorf("%s is last, want the machine without a sensor", last)
	}
	sorted("host", "ascending", "host-000 24 B/s 30 °C")

	evaluate[bool](t, tab, `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }))`)
	waitUntil(t, tab, `document.activeElement.id === "search"`)
	if err := chromedp.Do(tab, chromedp.SendKeys("#search", "HOST 19")); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, tab, `document.querySelectorAll("#hosts tbody tr:not([hidden])").length === 12`) // 019, 119, 190 to 199
	if address := evaluate[string](t, tab, `location.search`); address != "?sort=host&q=HOST+19" {
		t.Errorf("the address has %q", address)
	}

	if err := chromedp.Do(tab, chromedp.EmulateViewport(1920, 1080), chromedp.Navigate(p.url+"/?dense=1")); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, tab, live+` && document.querySelectorAll("#hosts[data-dense] tbody tr").length === 200`)
	if bottom := evaluate[float64](t, tab, `document.querySelector("#hosts tbody tr:last-child").getBoundingClientRect().bottom`); bottom > 1080 {
		t.Errorf("200 machines need %.0f pixels", bottom)
	}
	if narrow := evaluate[int](t, tab, `[...document.querySelectorAll("#hosts th a")].filter((a) => a.getBoundingClientRect().width < 40).length`); narrow > 0 {
		t.Errorf("%d names cannot be read", narrow)
	}
	for _, path := range []string{"/", "/?dense=1"} {
		open(t, tab, p.url+path, 390)
		waitUntil(t, tab, live+` && document.querySelectorAll("#hosts tbody tr").length === 200`)
		checkWidths(t, tab, path)
		checkTexts(t, tab)
	}
	checkComplaints(t, complaints)
}
