package main

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

var update = flag.Bool("update", false, "take the pictures of the documentation anew")

// pictures are the pictures that docs/pulse.md shows.
var pictures = []string{
	"pulse-overview-1280-light", "pulse-host-1280-dark", "pulse-week-1280-light",
	"pulse-overview-390-light", "pulse-overview-390-dark", "pulse-host-390-light",
}

// TestPictures compares the pictures in docs/images with the list.
func TestPictures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "images", "*.png"))
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, file := range files {
		have = append(have, strings.TrimSuffix(filepath.Base(file), ".png"))
	}
	if want := slices.Sorted(slices.Values(pictures)); !slices.Equal(have, want) {
		t.Errorf("docs/images has %q, the pages show %q", have, want)
	}
}

// TestScreenshots takes the pictures in docs/images, with -update.
func TestScreenshots(t *testing.T) {
	if !*update {
		t.Skip("runs with -update")
	}
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent", "-retention", "0")
	names := []string{"archive", "backup", "build-1", "build-2", "db-1", "db-2", "mail", "proxy", "web-1", "web-2"}
	now := time.Now()
	send := func(readings ...telemetry.Reading) {
		t.Helper()
		for len(readings) > 0 {
			n := min(len(readings), telemetry.MaxBatch)
			if status, err := post(p.url, readings[:n]...); status != 200 || err != nil {
				t.Fatal(status, err)
			}
			readings = readings[n:]
		}
	}
	var past []telemetry.Reading
	for at := now.Add(-7 * 24 * time.Hour); at.Before(now.Add(-time.Hour)); at = at.Add(2 * time.Minute) {
		past = append(past, drawn("db-1", 4, at))
	}
	for number, name := range names {
		for at := now.Add(-time.Hour); at.Before(now) && (name != "db-1" || at.Before(now.Add(-5*time.Minute))); at = at.Add(20 * time.Second) {
			past = append(past, drawn(name, number, at))
		}
	}
	for at := now.Add(-5 * time.Minute); at.Before(now); at = at.Add(time.Second) {
		past = append(past, drawn("db-1", 4, at))
	}
	send(past...)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	defer func() { cancel(); <-done }()
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			for number, name := range names {
				if name != "mail" { // mail is silent
					_, _ = post(p.url, drawn(name, number, time.Now()))
				}
			}
			time.Sleep(time.Second)
		}
	}()

	open(t, tab, p.url, 1280)
	waitUntil(t, tab, live+` && document.querySelector('tr[data-level="silent"]')`)
	for _, scheme := range []string{"light", "dark"} {
		emulate(t, tab, "prefers-color-scheme", scheme)
		for width, name := range map[int64]string{1280: "1280", 390: "390"} {
			for _, view := range []struct{ name, path, ready string }{
				{"overview", "/", `document.querySelectorAll("#hosts tbody tr").length === 10`},
				{"host", "/?host=db-1", `Number(document.body.dataset.readings) > 250`},
				{"week", "/?host=db-1&minutes=10080", `document.querySelector("#chart-cpu canvas")`},
			} {
				if !slices.Contains(pictures, "pulse-"+view.name+"-"+name+"-"+scheme) {
					continue
				}
				open(t, tab, p.url+view.path, width)
				waitUntil(t, tab, live+" && "+view.ready)
				if err := chromedp.Do(tab, chromedp.Sleep(500*time.Millisecond)); err != nil {
					t.Fatal(err)
				}
				whole := true
				picture, err := chromedp.Call(tab, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: &whole, Clip: &page.Viewport{
					Width: float64(width), Height: evaluate[float64](t, tab, `document.documentElement.scrollHeight`), Scale: 1,
				}})
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join("..", "..", "docs", "images", "pulse-"+view.name+"-"+name+"-"+scheme+".png")
				small := reduce(t, picture.Data)
				if err := os.WriteFile(path, small, 0o644); err != nil {
					t.Fatal(err)
				}
				t.Logf("%s: %d KiB", path, len(small)>>10)
				checkWidths(t, tab, path)
				checkTexts(t, tab)
			}
		}
	}
	checkComplaints(t, complaints)
}

// reduce keeps the 256 most frequent colours of a picture.
func reduce(t *testing.T, data []byte) []byte {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	bounds, count := picture.Bounds(), map[color.Color]int{}
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			count[picture.At(x, y)]++
		}
	}
	colors := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return count[b] - count[a] })
	small := image.NewPaletted(bounds, color.Palette(colors[:min(256, len(colors))]))
	nearest := map[color.Color]uint8{}
	for y := range bounds.Dy() {
		for x := range bounds.Dx() {
			c := picture.At(x, y)
			if _, known := nearest[c]; !known {
				nearest[c] = uint8(small.Palette.Index(c))
			}
			small.SetColorIndex(x, y, nearest[c])
		}
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// drawn makes realistic readings for the pictures: each host has its own level, days and nights
// differ, and the load changes.
func drawn(host string, number int, at time.Time) telemetry.Reading {
	s := float64(at.UnixMilli()) / 1000
	wave := func(period, shift float64) float64 {
		return 0.5 + 0.5*math.Sin(2*math.Pi*s/period+shift+float64(number))
	}
	busy := [...]float64{0.05, 0.2, 0.93, 0.5, 0.45, 0.3, 0.1, 0.15, 0.35, 0.3}[number]
	jitter := 0.5 + 0.3*wave(7.3, 0) + 0.2*wave(2.9, 1)
	use := busy * (0.35 + 0.3*wave(86400, 2) + 0.2*wave(600, 0) + 0.15*wave(47, 1)) * (0.7 + 0.3*jitter)
	if number == 2 {
		use = 0.9 + 0.08*jitter
	}
	cores := make([]float64, 8)
	for i := range cores {
		cores[i] = math.Round(10000*min(1, use*(0.6+0.8*wave(31+float64(i)*7, float64(i))))) / 100
	}
	const gib = 1 << 30
	full := [...]float64{0.94, 0.82, 0.41, 0.38, 0.66, 0.67, 0.3, 0.12, 0.25, 0.27}[number]
	return telemetry.Reading{
		Host: host, At: at.UTC().Truncate(time.Millisecond), CPU: mo.Some(math.Round(10000*use) / 100), Cores: cores,
		Load1: mo.Some(8 * use * 1.15), Load5: mo.Some(7.8 * use), Load15: mo.Some(7.2 * use),
		MemoryUsed: mo.Some(uint64((0.3 + 0.4*busy + 0.08*wave(3600, 0)) * 32 * gib)), MemoryTotal: mo.Some[uint64](32 * gib),
		SwapUsed: mo.Some[uint64](gib / 5), SwapTotal: mo.Some[uint64](4 * gib), Uptime: mo.Some(uint64(s) % 8_000_000),
		Disks: []telemetry.Disk{
			{Mount: "/", Device: "/dev/nvme0n1p2", Used: mo.Some(uint64(full * 200 * gib)), Total: mo.Some[uint64](200 * gib), Read: mo.Some(2e6 * use * jitter), Write: mo.Some(9e6 * use * wave(90, 0))},
			{Mount: "/var/lib/postgresql", Device: "/dev/nvme1n1p1", Used: mo.Some(uint64(full * 1620 * gib)), Total: mo.Some[uint64](1800 * gib), Read: mo.Some(4e7 * use * wave(200, 1)), Write: mo.Some(2.2e7 * use * jitter)},
		},
		Networks:     []telemetry.Network{{Name: "lo", Received: mo.Some(2e5), Sent: mo.Some(2e5)}, {Name: "enp3s0", Received: mo.Some(6e6 * use * jitter), Sent: mo.Some(1.4e7 * use * wave(120, 2))}},
		Temperatures: []telemetry.Temperature{{Sensor: "coretemp_package_id_0", Celsius: 38 + 45*use}, {Sensor: "nvme_composite", Celsius: 41}},
	}
}
