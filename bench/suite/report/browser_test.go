package report

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestPageInBrowser opens the page in a headless Chromium with the sizes of a phone and of a
// desktop, light and dark.
func TestPageInBrowser(t *testing.T) {
	tab := browser(t)
	path := filepath.Join(t.TempDir(), "index.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Page(f, sample(), map[string]string{"json": "changed"}, "../../"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}

	grounds := map[string]bool{}
	for _, width := range []int{320, 390, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
			if _, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
				t.Fatal(err)
			}
			if err := chromedp.Do(tab, chromedp.EmulateViewport(int64(width), 800), chromedp.Navigate("file://"+path)); err != nil {
				t.Fatal(err)
			}
			evaluate[any](t, tab, `document.querySelectorAll("details").forEach((d) => d.open = true)`)
			name := fmt.Sprintf("%d %s", width, scheme)
			if extra := evaluate[int](t, tab, `document.documentElement.scrollWidth - innerWidth`); extra > 0 {
				t.Errorf("%s: the page is %d pixels too wide: %v", name, extra, evaluate[[]string](t, tab,
					`[...document.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.tagName + "." + e.getAttribute("class"))`))
			}
			for _, label := range evaluate[[]string](t, tab, cut) {
				t.Errorf("%s: a label is cut: %s", name, label)
			}
			for _, labels := range evaluate[[]string](t, tab, overlapping) {
				t.Errorf("%s: numbers of an axis overlap: %s", name, labels)
			}
			grounds[scheme+evaluate[string](t, tab, `getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color`)] = true
		}
	}
	if len(grounds) != 2 {
		t.Errorf("light and dark are not two sets of colours: %v", grounds)
	}
	if title := evaluate[string](t, tab, `document.title`); !strings.HasPrefix(title, "Hone") {
		t.Errorf("the title is %q", title)
	}
	if loaded := evaluate[[]string](t, tab, `performance.getEntriesByType("resource").map((e) => e.name)`); len(loaded) > 0 {
		t.Errorf("the page loads %q", loaded)
	}
	// The position of each dot corresponds to its ratio: the square of a ratio is twice as far
	// from 1.
	at := evaluate[map[string]float64](t, tab, `Object.fromEntries([...document.querySelectorAll("#json .strip")].flatMap((s) =>
		[...s.querySelectorAll("g")].map((g) => [s.ariaLabel.split(":")[0] + " " + g.querySelector("title").textContent.split(":")[0], parseFloat(g.querySelector("circle").getAttribute("cx"))])))`)
	one, four, half := at["json/won/encode hone"], at["json/won/encode encoding/json"], at["json/lost/encode other"]
	if one == 0 || four <= one || half >= one || (four-one)/(one-half) < 1.9 || (four-one)/(one-half) > 2.1 {
		t.Errorf("4 × is drawn at %v, 1 × at %v, 0.5 × at %v", four, one, half)
	}
	// Hone and the best peer have colours. The others get a colour when the pointer is on them.
	colours := evaluate[map[string]string](t, tab, `Object.fromEntries([...document.querySelectorAll("#json .strip")].flatMap((s) =>
		[...s.querySelectorAll("g")].map((g) => [s.ariaLabel.split(":")[0] + " " + g.querySelector("title").textContent.split(":")[0], getComputedStyle(g.querySelector("line")).stroke])))`)
	hone, best, rest := colours["json/lost/encode hone"], colours["json/lost/encode other"], colours["json/lost/encode encoding/json"]
	if hone == best || hone == rest || best == rest || rest == "" || colours["json/won/encode encoding/json"] != best || colours["json/won/encode hone Marshal"] != hone {
		t.Errorf("the colours are %v", colours)
	}
	place := evaluate[[]float64](t, tab, `(() => { const e = [...document.querySelectorAll("#json .peers li")].find((e) => e.textContent == "encoding/json");
		e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return [r.x + 5, r.y + 5]; })()`)
	if err := chromedp.Do(tab, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, place[0], place[1])); err != nil {
		t.Fatal(err)
	}
	pointed := evaluate[string](t, tab, `getComputedStyle([...document.querySelectorAll("#json .strip")].find((s) => s.ariaLabel.startsWith("json/lost")).querySelector("g:not(.hone, .own, .best) line")).stroke`)
	if pointed == rest {
		t.Errorf("a peer's dots stay %s with the pointer on its name", pointed)
	}
	for _, id := range evaluate[[]string](t, tab, `[...document.querySelectorAll('a[href^="#"]')].map((a) => decodeURIComponent(a.getAttribute("href"))).filter((id) => !document.getElementById(id.slice(1)))`) {
		t.Errorf("%s leads nowhere", id)
	}
}

// cut returns the labels that are wider than their place.
const cut = `[...document.querySelectorAll(".name, .figure, .counts span, .legend li, .losses span")].filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display != "inline" || e.getBoundingClientRect().right > innerWidth).map((e) => e.textContent)`

// overlapping returns the axes on which two numbers overlap.
const overlapping = `[...document.querySelectorAll(".scale")].filter((s) => { const t = [...s.querySelectorAll("text")].map((e) => e.getBoundingClientRect());
	return t.some((r, i) => i > 0 && r.left < t[i - 1].right + 1); }).map((s) => s.textContent)`

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
		const message = "no Chromium on PATH, nor named by HONE_CHROMIUM: the page is not tested"
		if os.Getenv("HONE_REQUIRE_SERVICES") == "1" {
			t.Fatal(message)
		}
		t.Skip(message)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.DisableGPU)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's sandbox does not run as root
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	tab, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return tab
}

func evaluate[T any](t *testing.T, tab context.Context, script string) T {
	t.Helper()
	v, err := chromedp.Run(tab, chromedp.Evaluate[T](script))
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return v
}
