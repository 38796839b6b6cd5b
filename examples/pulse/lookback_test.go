package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/hone-go/hone/examples/pulse/store"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// checkAccess fails if axe, a checker for accessibility, finds a fault in the page.
func checkAccess(t *testing.T, tab context.Context, name string) {
	t.Helper()
	script, err := os.ReadFile("../../.ci/node/node_modules/axe-core/axe.min.js")
	if err != nil {
		if os.Getenv("HONE_REQUIRE_SERVICES") != "" {
			t.Fatalf("axe is missing, and HONE_REQUIRE_SERVICES is set: .ci/run tools installs it (%v)", err)
		}
		t.Skipf("axe is missing: .ci/run tools installs it (%v)", err)
	}
	evaluate[bool](t, tab, string(script)+"\n;true")
	evaluate[bool](t, tab, `window.found = undefined, axe.run().then((r) => (window.found = (r.passes.length < 10 ? [{ id: "axe ran no rules", nodes: [{ html: "", any: [] }] }] : r.violations).flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html.slice(0, 200) + " " + (n.any[0]?.message ?? ""))))), true`)
	waitUntil(t, tab, `window.found`)
	for _, fault := range evaluate[[]string](t, tab, `window.found`) {
		t.Errorf("%s: %s", name, fault)
	}
}

// TestLookBack selects a span of time by the address, the fields, the keyboard and by dragging, and
// returns to the present.
func TestLookBack(t *testing.T) {
	testkit.SkipInVariant(t)
	tab, complaints := browser(t)
	file := filepath.Join(t.TempDir(), "pulse.db")
	end := time.Now().Add(-time.Minute).Truncate(time.Minute)
	s, err := store.Open(t.Context(), file, store.Options{History: true})
	if err != nil {
		t.Fatal(err)
	}
	// The machine has a reading for each minute of two days. It had more memory on the first day.
	var readings []telemetry.Reading
	for at := end.Add(-48 * time.Hour); !at.After(end); at = at.Add(time.Minute) {
		r := telemetry.Reading{Host: "a", At: at, CPU: mo.Some(50 + 40*math.Sin(float64(at.Unix())/3600)), MemoryUsed: mo.Some[uint64](1 << 30), MemoryTotal: mo.Some[uint64](4 << 30)}
		if end.Sub(at) > 24*time.Hour {
			r.MemoryTotal = mo.Some[uint64](16 << 30)
		}
		readings = append(readings, r)
	}
	if _, err := s.Write(t.Context(), [][]telemetry.Reading{readings, {{Host: "b", At: end}}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	p := start(t, "127.0.0.1:0", file, "-no-agent", "-retention", "72h")
	// span returns the shown span of time, from the page's address.
	span := func() (from, to time.Time) {
		t.Helper()
		u, err := url.Parse(evaluate[string](t, tab, "location.href"))
		if err != nil {
			t.Fatal(err)
		}
		from, err1 := time.Parse(time.RFC3339, u.Query().Get("from"))
		to, err2 := time.Parse(time.RFC3339, u.Query().Get("to"))
		if err1 != nil || err2 != nil {
			t.Fatalf("the address is %s", u)
		}
		return from, to
	}
	shows := func(what string, from, to time.Time) {
		t.Helper()
		gotFrom, gotTo := span()
		if gotFrom.Sub(from).Abs() > 2*time.Second || gotTo.Sub(to).Abs() > 2*time.Second {
			t.Errorf("%s: %s to %s, want %s to %s", what, gotFrom, gotTo, from, to)
		}
	}
	address := func(from, to time.Time) string {
		return p.url + "/?" + url.Values{"host": {"a"}, "from": {from.UTC().Format(time.RFC3339)}, "to": {to.UTC().Format(time.RFC3339)}}.Encode()
	}
	label := `document.querySelector("#chart-cpu").ariaLabel`
	wait := func(text string) {
		t.Helper()
		waitUntil(t, tab, label+`.includes(`+fmt.Sprintf("%q", text)+`) && document.querySelector("#chart-cpu canvas")`)
	}
	clock := func(at time.Time) string {
		return evaluate[string](t, tab, fmt.Sprintf(`new Intl.DateTimeFormat([], { hourCycle: "h23", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" }).format(%d)`, at.UnixMilli()))
	}

	from, to := end.Add(-36*time.Hour), end.Add(-30*time.Hour)
	open(t, tab, address(from, to), 1280)
	wait(clock(from) + " to " + clock(to))
	scale := func(want string) {
		t.Helper()
		waitUntil(t, tab, `document.querySelector("#chart-memory").ariaLabel.endsWith("The scale ends at `+want+`\u00a0GiB.")`)
	}
	scale("16.0")

	// The keys move the span by half, zoom in and zoom out. The browser's back button restores the
	// earlier span.
	if err := chromedp.Do(tab, chromedp.Focus("#chart-cpu")); err != nil {
		t.Fatal(err)
	}
	press := func(key string) {
		t.Helper()
		evaluate[bool](t, tab, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "`+key+`", bubbles: true, cancelable: true }))`)
	}
	press("ArrowLeft")
	shows("earlier", from.Add(-3*time.Hour), to.Add(-3*time.Hour))
	wait(clock(from.Add(-3 * time.Hour)))
	press("ArrowRight")
	shows("later", from, to)
	press("+")
	shows("closer", from.Add(90*time.Minute), to.Add(-90*time.Minute))
	press("-")
	shows("wider", from, to)
	evaluate[bool](t, tab, `history.back(), true`)
	waitUntil(t, tab, `new URL(location).searchParams.get("from").startsWith("`+from.Add(90*time.Minute).UTC().Format("2006-01-02T15:04")+`")`)
	wait(clock(from.Add(90 * time.Minute)))
	evaluate[bool](t, tab, `history.forward(), true`)
	wait(clock(from) + " to " + clock(to))

	// Dragging over a chart selects the middle third.
	box := evaluate[[]float64](t, tab, `(() => { const r = document.querySelector("#chart-cpu .u-over").getBoundingClientRect(); return [r.left, r.top, r.width, r.height] })()`)
	y := box[1] + box[3]/2
	for _, event := range []chromedp.Action[chromedp.Void]{
		chromedp.MouseEvent(chromedp.MouseMoved, box[0]+box[2]/3, y),
		chromedp.MouseEvent(chromedp.MousePressed, box[0]+box[2]/3, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, box[0]+box[2]/2, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseMoved, box[0]+2*box[2]/3, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(chromedp.MouseReleased, box[0]+2*box[2]/3, y, chromedp.ButtonLeft),
	} {
		if err := chromedp.Do(tab, event); err != nil {
			t.Fatal(err)
		}
	}
	waitUntil(t, tab, `Date.parse(new URL(location).searchParams.get("from")) > `+fmt.Sprint(from.Add(time.Hour).UnixMilli()))
	gotFrom, gotTo := span()
	if gotFrom.Sub(from.Add(2*time.Hour)).Abs() > 5*time.Minute || gotTo.Sub(to.Add(-2*time.Hour)).Abs() > 5*time.Minute {
		t.Errorf("dragging shows %s to %s, want about %s to %s", gotFrom, gotTo, from.Add(2*time.Hour), to.Add(-2*time.Hour))
	}

	// The fields set a span. An end before the beginning is refused.
	set := func(id string, at time.Time) {
		t.Helper()
		evaluate[bool](t, tab, fmt.Sprintf(`(() => { const e = document.getElementById(%q); const d = new Date(%d); e.value = new Date(d - d.getTimezoneOffset() * 60000).toISOString().slice(0, 19); e.dispatchEvent(new Event("input", { bubbles: true })); return true })()`, id, at.UnixMilli()))
	}
	set("from", end.Add(-4*time.Hour))
	set("to", end.Add(-5*time.Hour))
	evaluate[bool](t, tab, `document.getElementById("show").click(), true`)
	if bad := evaluate[bool](t, tab, `!document.getElementById("look").checkValidity()`); !bad {
		t.Error("an end before the beginning is accepted")
	}
	set("to", end.Add(-2*time.Hour))
	evaluate[bool](t, tab, `document.activeElement.blur(), document.getElementById("show").click(), true`)
	shows("the fields", end.Add(-4*time.Hour), end.Add(-2*time.Hour))

	// The table has the values of the chart.
	evaluate[bool](t, tab, `document.querySelector("#chart-cpu + details summary").click(), true`)
	waitUntil(t, tab, `document.querySelectorAll("#chart-cpu + details tbody tr").length > 100`)
	if head := text(t, tab, "#chart-cpu + details thead"); head != "TimeAll cores, meanAll cores, highestAll cores, lowest" {
		t.Errorf("the table has the columns %q", head)
	}
	checkAccess(t, tab, "the page of a machine in the past")

	// The memory's scale ends at the largest total in view. A button returns to the present.
	set("from", end.Add(-48*time.Hour))
	set("to", end.Add(-time.Hour))
	evaluate[bool](t, tab, `document.activeElement.blur(), document.getElementById("show").click(), true`)
	wait(clock(end.Add(-48 * time.Hour)))
	scale("16.0")
	evaluate[bool](t, tab, `document.getElementById("now").click(), true`)
	waitUntil(t, tab, label+`.includes("last 5 minutes")`)
	scale("4")
	if evaluate[string](t, tab, "location.search") != "?host=a&minutes=5" {
		t.Error(evaluate[string](t, tab, "location.search"))
	}
	for _, width := range []int64{390, 1280, 1920} {
		for _, scheme := range []string{"light", "dark"} {
			emulate(t, tab, "prefers-color-scheme", scheme)
			open(t, tab, address(from, to), width)
			wait(clock(from))
			checkWidths(t, tab, fmt.Sprint("a span at ", width))
			checkTexts(t, tab)
			checkAccess(t, tab, fmt.Sprintf("a span at %d, %s", width, scheme))
		}
	}
	checkComplaints(t, complaints)
}

// TestAccess runs axe on each view of the page, on a phone and on a desktop, light and dark.
func TestAccess(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	tab, complaints := browser(t)
	db := filepath.Join(t.TempDir(), "pulse.db")
	p := start(t, "127.0.0.1:0", db, "-no-agent", "-rule", "critical cpu > 90", "-rule", "high cpu > 50", "-rule", "maintenance daily 00:00-24:00 Europe/Berlin on web-* because the backups run", "-alert-webhook", "http://127.0.0.1:1/hook")
	if err := run(t.Context(), []string{"silence", "add", "-db", db, "-for", "2h", "-host", "db-*", "-rule", "high cpu > 50", "-reason", "the disks are replaced"}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	empty := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	locked := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent", "-read-token", "secret")
	report := func() {
		t.Helper()
		var batch []telemetry.Reading
		for i, cpu := range []float64{99, 60, 10} {
			batch = append(batch, telemetry.Reading{
				Host: fmt.Sprint("host-", i), At: time.Now(), CPU: mo.Some(cpu), Load1: mo.Some(1.0), MemoryUsed: mo.Some[uint64](96), MemoryTotal: mo.Some[uint64](100),
				Disks:        []telemetry.Disk{{Mount: "/", Device: "sda", Total: mo.Some[uint64](100), Used: mo.Some[uint64](95)}},
				Temperatures: []telemetry.Temperature{{Sensor: "a", Celsius: 40}},
			})
		}
		if status, err := post(p.url, batch...); status != 200 || err != nil {
			t.Fatal(status, err)
		}
	}
	if status, err := post(p.url, telemetry.Reading{Host: "silent", At: time.Now().Add(-time.Hour), CPU: mo.Some(5.0)}); status != 200 || err != nil {
		t.Fatal(status, err)
	}
	time.Sleep(11 * time.Second)
	report()
	time.Sleep(6 * time.Second) // the hosts are judged
	for _, width := range []int64{390, 1280, 1920} {
		for _, scheme := range []string{"light", "dark"} {
			emulate(t, tab, "prefers-color-scheme", scheme)
			report()
			for _, view := range []struct{ url, shown string }{
				{p.url + "/?overview", `document.querySelectorAll("#firing tbody tr").length >= 3 && document.querySelector("tr[data-level=silent]") && document.querySelectorAll("#silences tbody tr").length === 2`},
				{p.url + "/?overview&dense=1", `document.querySelector("#hosts[data-dense]")`},
				{p.url + "/?host=host-0", `document.querySelector("#chart-cpu canvas")`},
				{p.url + "/?host=silent", `document.body.dataset.state === "silent"`},
				{p.url + "/?host=nobody", `document.body.dataset.view === "unknown"`},
				{empty.url, `document.body.dataset.view === "empty"`},
				{locked.url, `document.body.dataset.view === "token"`},
			} {
				open(t, tab, view.url, width)
				waitUntil(t, tab, view.shown)
				evaluate[bool](t, tab, `document.querySelectorAll("details").forEach((d) => (d.open = true)), true`)
				name := fmt.Sprintf("%s at %d, %s", view.url, width, scheme)
				checkWidths(t, tab, name)
				checkTexts(t, tab)
				checkAccess(t, tab, name)
			}
		}
	}
	// The server stops: the page is dimmed.
	open(t, tab, p.url+"/?overview", 1280)
	waitUntil(t, tab, `document.querySelectorAll("#hosts tbody tr").length === 4`)
	_ = p.Process.Kill()
	_ = p.end(t)
	waitUntil(t, tab, `document.body.dataset.state === "lost"`)
	checkAccess(t, tab, "the overview of a stopped server")
	checkComplaints(t, complaints, "401")
}
