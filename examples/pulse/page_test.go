package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

const live = `document.body.dataset.state === "live"`

// TestPageWalk uses the page as a person does.
func TestPageWalk(t *testing.T) {
	testkit.SkipInVariant(t)
	walkPage(t, "-db", filepath.Join(t.TempDir(), "pulse.db"))
}

// walkPage opens the overview, then a host, then a longer range. It keeps the page open while the
// server is down. args are pulse's flags for the database.
func walkPage(t *testing.T, args ...string) {
	needSignals(t)
	tab, complaints := browser(t)
	args = append(args, "-host", "here", "-interval", "200ms")
	p := started(t, launch(t, append(args, "-addr", "127.0.0.1:0")...))
	busy := readingsFrom("busy <b>host", time.Now().Add(-999*time.Second), 1000)
	for i := range busy {
		last := &busy[i]
		last.CPU, last.Cores, last.Load1 = mo.Some(96.0), []float64{96, 96}, mo.Some(2.5)
		last.MemoryUsed, last.MemoryTotal, last.Disks = mo.Some[uint64](88), mo.Some[uint64](100), []telemetry.Disk{disk("/")}
	}
	if status, err := post(p.url, busy...); status/100 != 2 || err != nil {
		t.Fatal(status, err)
	}
	waitFor(t, func() bool { return get(t, p.url+"/v1/hosts/here", nil) == 200 })

	// The overview shows the hosts in order.
	open(t, tab, p.url, 1280)
	waitUntil(t, tab, live+` && document.querySelectorAll("#hosts tbody tr").length === 2`)
	row := func(n int) string { return text(t, tab, `#hosts tbody tr:nth-child(`+strconv.Itoa(n)+`)`) }
	for _, want := range []string{"busy <b>host", "Critical", "96 %", "High", "88 %", "90 %", "2.50"} {
		if !strings.Contains(row(1), want) {
			t.Errorf("the row of the busy host lacks %q: %s", want, row(1))
		}
	}
	if got := text(t, tab, "#summary"); !strings.HasPrefix(got, "2 machines: ") || !strings.Contains(got, "critical") {
		t.Errorf("summary %q", got)
	}
	if !evaluate[bool](t, tab, `!!document.querySelector("#hosts .spark path").getAttribute("d")`) {
		t.Error("no sparkline")
	}
	// The host becomes silent without a reload. Hosts with problems are first, until the order of
	// names is selected.
	waitUntil(t, tab, `document.querySelector("#hosts tbody tr").dataset.level === "silent"`)
	checkTexts(t, tab)
	if err := chromedp.Do(tab, chromedp.Click("#problems-first", chromedp.NodeVisible)); err != nil {
		t.Fatal(err)
	}
	if address := evaluate[string](t, tab, `location.search`); address != "?sort=host" {
		t.Errorf("the address has %q", address)
	}

	// A host is selected with the keyboard.
	evaluate[bool](t, tab, `document.querySelector('#hosts a[href="?host=here"]').focus() === undefined`)
	if err := chromedp.Do(tab, chromedp.KeyEvent("\r")); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, tab, live+` && document.querySelector("#chart-cpu canvas") && document.querySelector("#chart-memory canvas")`)
	for tile, want := range map[string]string{"cpu": "%", "memory": "%", "uptime": " ", "load": "."} {
		if value := text(t, tab, "#"+tile+"-value"); !strings.Contains(value, want) {
			t.Errorf("the tile %s shows %q", tile, value)
		}
	}
	shown := func() int { return evaluate[int](t, tab, `Number(document.body.dataset.readings)`) }
	more := func(n int) {
		t.Helper()
		waitUntil(t, tab, `Number(document.body.dataset.readings) >= `+strconv.Itoa(n))
	}
	before, picture := shown(), evaluate[string](t, tab, pixels)
	more(before + 3)
	if evaluate[string](t, tab, pixels) == picture {
		t.Error("three readings later the chart looks the same")
	}
	described := func(span string) {
		t.Helper()
		waitUntil(t, tab, `[...document.querySelectorAll(".chart:not([hidden]) .plot")].every((p) => p.ariaLabel.includes("last `+span+`"))`)
		checkTexts(t, tab)
	}
	described("5 minutes")

	// Longer ranges are selected, and then the shortest range again.
	for _, r := range []struct{ minutes, span string }{{"360", "6 hours"}, {"1440", "24 hours"}, {"10080", "7 days"}, {"43200", "30 days"}, {"525600", "year"}, {"60", "hour"}} {
		evaluate[any](t, tab, `document.querySelector("#window input[value='`+r.minutes+`']").click()`)
		described(r.span)
		waitUntil(t, tab, `!document.querySelector("#chart-cpu").parentElement.hidden && document.querySelector("#chart-cpu canvas")`)
	}

	checkComplaints(t, complaints)

	// The server is killed and started again. On a slow machine a server that has just started may
	// answer a query with 503. The page then repeats the query.
	addr := strings.TrimPrefix(p.url, "http://")
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-p.exited; err == nil {
		t.Error("pulse was killed, but the page shows no problem")
	}
	waitUntil(t, tab, `document.body.dataset.state === "lost" && document.title.includes("No connection") && getComputedStyle(document.querySelector(".tiles")).filter === "grayscale(1)"`)
	checkTexts(t, tab)
	started(t, launch(t, append(args, "-addr", addr)...))
	waitUntil(t, tab, live+` && !document.title.includes("connection") && getComputedStyle(document.querySelector(".tiles")).filter === "none"`)
	more(shown() + 2)
	if alarm := text(t, tab, "#notice"); alarm != "" {
		t.Errorf("the page still says %q", alarm)
	}
	checkComplaints(t, complaints, "503 (Service Unavailable)")
}

// TestPageTells opens hosts with unusual data, such as a clock that was set back.
func TestPageTells(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	hour := time.Now().Add(-time.Hour)
	const hostile = `<img src=x onerror="document.title='owned'">`
	single := telemetry.Reading{Host: "single", At: hour, CPU: mo.Some(50.0)}
	odd := telemetry.Reading{Host: hostile, At: hour, Load1: mo.Some(3.0), Disks: []telemetry.Disk{disk(hostile), {Mount: "/empty", Device: "x", Used: mo.Some[uint64](0), Total: mo.Some[uint64](0)}},
		Networks: []telemetry.Network{{Name: hostile}}}
	ahead := readingsFrom("stepped", time.Now().Add(4*time.Minute-30*time.Second), 30)
	if status, err := post(p.url, append(ahead, single, odd, telemetry.Reading{Host: "empty", At: hour})...); status/100 != 2 || err != nil {
		t.Fatal(status, err)
	}
	address := func(host string) string {
		return p.url + "/?host=" + strings.NewReplacer("<", "%3C", " ", "%20", `"`, "%22").Replace(host)
	}

	// The clock of a host is set back by minutes while the page is open.
	open(t, tab, address("stepped"), 1280)
	waitUntil(t, tab, `document.body.dataset.readings === "30"`)
	back := readingsFrom("stepped", time.Now(), 1)
	back[0].CPU = mo.Some(77.0)
	if status, err := post(p.url, back...); status/100 != 2 || err != nil {
		t.Fatal(status, err)
	}
	waitUntil(t, tab, `document.querySelector("#cpu-value").textContent.includes("77") && document.querySelector("#notice").textContent.includes("stepped back by")`)
	if n := evaluate[string](t, tab, `document.body.dataset.readings`); n != "1" {
		t.Errorf("%s readings are shown after the step", n)
	}
	open(t, tab, address("stepped"), 1280) // the reading that arrived last counts, not the one with the latest time
	waitUntil(t, tab, `document.querySelector("#cpu-value").textContent.includes("77")`)

	// The hosts have been silent since they posted, even if the times in their posts differ.
	for time.Since(back[0].At) < 11*time.Second {
		time.Sleep(100 * time.Millisecond)
	}
	for _, host := range []string{"single", hostile, "empty"} {
		open(t, tab, address(host), 1280)
		waitUntil(t, tab, `document.body.dataset.readings === "1" && document.body.dataset.state === "silent"`)
		if status, want := text(t, tab, "#status"), evaluate[string](t, tab, `new Intl.DateTimeFormat([], { month: "short", day: "numeric" }).format()`); !strings.HasPrefix(status, "Silent since "+want) {
			t.Errorf("%s: %q, want the date %s", host, status, want)
		}
		if title := evaluate[string](t, tab, `document.title`); title != "Silent · "+host+" · pulse" {
			t.Errorf("title %q", title)
		}
		checkTexts(t, tab)
	}
	// A single reading is drawn as a visible point.
	for _, minutes := range []string{"5", "10080"} {
		open(t, tab, address("single")+"&minutes="+minutes, 1280)
		waitUntil(t, tab, `document.querySelector("#chart-cpu canvas")`)
		const colored = `(() => {
			const canvas = document.querySelector("#chart-cpu canvas");
			const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
			let n = 0;
			for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i + 2] - data[i] > 100) n++;
			return n;
		})()`
		if n := evaluate[int](t, tab, colored); n < 9 {
			t.Errorf("%s minutes: a single reading colours %d pixels", minutes, n)
		}
	}

	open(t, tab, p.url+"/?host=nobody", 390)
	waitUntil(t, tab, `document.body.dataset.view === "unknown" && document.querySelector("#notice").textContent.includes("nobody")`)
	checkWidths(t, tab, "unknown")
	for _, scheme := range []string{"light", "dark"} {
		emulate(t, tab, "prefers-color-scheme", scheme)
		for _, path := range []string{"/", "/?host=stepped", strings.TrimPrefix(address(hostile), p.url)} {
			open(t, tab, p.url+path, 390)
			waitUntil(t, tab, `["host", "overview"].includes(document.body.dataset.view) && (document.body.dataset.readings || document.querySelector("#hosts tr"))`)
			checkWidths(t, tab, scheme+" "+path)
			checkTexts(t, tab)
		}
	}
	background := evaluate[string](t, tab, `getComputedStyle(document.body).backgroundColor`)
	if background != "rgb(15, 18, 23)" {
		t.Errorf("in the dark the page is %s", background)
	}
	checkComplaints(t, complaints)
}

// TestPageBegins opens the page of a server without readings, and waits for the first readings.
func TestPageBegins(t *testing.T) {
	testkit.SkipInVariant(t)
	tab, complaints := browser(t)
	db := filepath.Join(t.TempDir(), "pulse.db")
	p := start(t, "127.0.0.1:0", db, "-no-agent", "-write-token", "tell", "-read-token", "look")
	open(t, tab, p.url, 390)
	waitUntil(t, tab, `document.body.dataset.view === "token" && document.activeElement.id === "token" && document.querySelector("#wrong").hidden`)
	checkWidths(t, tab, "token")
	give := func(token string) {
		t.Helper()
		if err := chromedp.Do(tab, chromedp.SendKeys("#token", token+"\n", chromedp.NodeVisible)); err != nil {
			t.Fatal(err)
		}
	}
	give("another")
	waitUntil(t, tab, `document.body.dataset.view === "token" && !document.querySelector("#wrong").hidden`)
	give("look")
	waitUntil(t, tab, `document.body.dataset.view === "empty"`)
	command := "PULSE_WRITE_TOKEN=… pulse -agent-only -server " + p.url
	if got := text(t, tab, "#command"); got != command {
		t.Errorf("the command is %q, want %q", got, command)
	}
	if err := chromedp.Do(tab, chromedp.Click("#copy", chromedp.NodeVisible)); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, tab, `document.querySelector("#copied").textContent === "Copied"`)
	checkWidths(t, tab, "empty")
	checkTexts(t, tab)

	agent := launch(t, "-agent-only", "-server", p.url, "-host", "first", "-interval", "100ms", "-write-token", "tell")
	waitUntil(t, tab, live+` && document.body.dataset.view === "host" && Number(document.body.dataset.readings) > 2`)
	if got := text(t, tab, "#host-name"); got != "first" {
		t.Errorf("the page shows %q", got)
	}
	// The page of a single host has a link to the overview.
	if err := chromedp.Do(tab, chromedp.Click(`a[href="/?overview"]`, chromedp.NodeVisible)); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, tab, live+` && document.body.dataset.view === "overview" && document.querySelector("#summary").textContent.startsWith("1 machine")`)

	// Somebody changes the token while a host is shown.
	open(t, tab, p.url+"/?host=first", 390)
	waitUntil(t, tab, live)
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-p.exited; err == nil {
		t.Error("the token was changed, but the page shows no problem")
	}
	started(t, launch(t, "-addr", strings.TrimPrefix(p.url, "http://"), "-db", db, "-no-agent", "-write-token", "tell", "-read-token", "peek"))
	waitUntil(t, tab, `document.body.dataset.view === "token" && !document.querySelector("#wrong").hidden`)
	give("peek")
	waitUntil(t, tab, live+` && document.body.dataset.view === "host"`)
	if strings.Contains(p.log.String()+agent.log.String(), "look") {
		t.Error("the log has a token")
	}
	checkComplaints(t, complaints, "401")
}

// TestPageSilences adds a silence and ends it, on a phone and on a desktop. A change needs a token of the
// right admin. A maintenance window has no button.
func TestPageSilences(t *testing.T) {
	testkit.SkipInVariant(t)
	for _, width := range []int64{390, 1280} {
		tab, complaints := browser(t)
		db := filepath.Join(t.TempDir(), "pulse.db")
		p := start(t, "127.0.0.1:0", db, "-no-agent", "-rule", "critical disk:/srv > 95 for 5m", "-rule", "maintenance daily 00:00-24:00 on old because it is <b>old</b>")
		var admin strings.Builder
		if err := run(t.Context(), []string{"token", "add", "-right", "admin", "-db", db, "boss"}, &admin, io.Discard); err != nil {
			t.Fatal(err)
		}
		if status, err := post(p.url, telemetry.Reading{Host: "a", At: time.Now()}); status != 200 || err != nil {
			t.Fatal(status, err)
		}
		type silence struct{ Hosts, Tag, Rule, Reason, Who, Until, Schedule string }
		silences := func() []silence {
			t.Helper()
			var got struct{ Silences []silence }
			if status := get(t, p.url+"/v1/silences", &got); status != 200 {
				t.Fatal(status)
			}
			return got.Silences
		}
		do := func(actions ...chromedp.Action[struct{}]) {
			t.Helper()
			if err := chromedp.Do(tab, actions...); err != nil {
				t.Fatal(err)
			}
		}
		answers := func(text string) {
			t.Helper()
			waitUntil(t, tab, `document.querySelector("#silence-answer").textContent.includes(`+strconv.Quote(text)+`)`)
		}

		open(t, tab, p.url+"/?overview", width)
		waitUntil(t, tab, live+` && document.querySelectorAll("#silences tbody tr").length === 1`)
		do(chromedp.Click("#silences-title", chromedp.NodeVisible))
		waitUntil(t, tab, `document.querySelector("#silence-rule option[value='critical disk:/srv > 95 for 5m']") && document.querySelector("#silence-rule option[value='disk']")`)
		if row := text(t, tab, "#silences tbody"); !strings.Contains(row, "it is <b>old</b>") || !strings.Contains(row, "daily 00:00-24:00") || evaluate[bool](t, tab, `!!document.querySelector("#silences button")`) {
			t.Errorf("the maintenance window is %q", row)
		}
		do(chromedp.SendKeys("#silence-hosts", "[", chromedp.NodeVisible), chromedp.SendKeys("#silence-tag", "role=db"), chromedp.SendKeys("#silence-reason", "the disks are replaced"))
		evaluate[string](t, tab, `document.querySelector("#silence-rule").value = "disk"`)
		do(chromedp.Click("#silence button"))
		answers("A change needs a token")
		if len(silences()) != 1 {
			t.Error("a silence without a token")
		}
		do(chromedp.SendKeys("#admin-token", "wrong\n", chromedp.NodeVisible))
		answers("not one of the right admin")
		evaluate[string](t, tab, `document.querySelector("#admin-token").value = ""`)
		do(chromedp.SendKeys("#admin-token", strings.TrimSpace(admin.String())+"\n"))
		answers("patterns such as web-*")
		evaluate[string](t, tab, `document.querySelector("#silence-hosts").value = "db-*"`)
		do(chromedp.Click("#silence button"))
		answers("The silence has begun")
		waitUntil(t, tab, `document.querySelectorAll("#silences tbody tr").length === 2 && document.querySelector("#silences-title").textContent === "Silences (2)"`)
		got := silences()
		until, err := time.Parse(time.RFC3339, got[0].Until)
		if left := time.Until(until); err != nil || left < 100*time.Minute || left > 121*time.Minute {
			t.Errorf("the silence lasts until %s: %v", got[0].Until, err)
		}
		if got[0].Until = ""; got[0] != (silence{Hosts: "db-*", Tag: "role=db", Rule: "disk", Reason: "the disks are replaced", Who: "token boss"}) {
			t.Errorf("%+v", got)
		}
		checkWidths(t, tab, "silences")
		checkTexts(t, tab)
		checkAccess(t, tab, "silences")
		do(chromedp.Click("#silences button", chromedp.NodeVisible))
		answers("The silence has ended")
		waitUntil(t, tab, `document.querySelectorAll("#silences tbody tr").length === 1`)
		if len(silences()) != 1 {
			t.Error("the silence lasts")
		}
		checkComplaints(t, complaints, "401", "422")
	}
}

// TestPageDeliveries opens the list of deliveries to each receiver of alerts. Neither the page nor the metrics
// have the secrets in the addresses.
func TestPageDeliveries(t *testing.T) {
	testkit.SkipInVariant(t)
	accepting, refusing := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})), httptest.NewServer(http.NotFoundHandler())
	defer accepting.Close()
	defer refusing.Close()
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent", "-rule", "critical cpu > 90",
		"-alert-webhook", strings.Replace(accepting.URL, "http://", "http://user:hunter2@", 1)+"/hunter2", "-alert-webhook", refusing.URL+"/hunter2?token=hunter2")
	metrics := func() string {
		t.Helper()
		response, err := client.Get(p.url + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	if n := strings.Count(metrics(), "pulse_alert_deliveries_total{"); n != 4 {
		t.Errorf("%d counters of deliveries before the first one, want two for each receiver", n)
	}
	if status, err := post(p.url, telemetry.Reading{Host: "a", At: time.Now(), CPU: mo.Some(99.0)}); status != 200 || err != nil {
		t.Fatal(status, err)
	}
	waitFor(t, func() bool {
		var got struct{ Incidents []struct{ Hosts int } }
		return get(t, p.url+"/v1/alerts", &got) == http.StatusOK && len(got.Incidents) == 1 && got.Incidents[0].Hosts == 1
	})
	failed := regexp.MustCompile(`result="error",.*} [1-9]`)
	waitFor(t, func() bool { return failed.MatchString(metrics()) }) // the report waits 15 seconds for other machines
	open(t, tab, p.url+"/?overview", 390)
	waitUntil(t, tab, live+` && document.querySelector("#targets-title").textContent === "Deliveries (1 receiver fails)"`)
	if err := chromedp.Do(tab, chromedp.Click("#targets-title", chromedp.NodeVisible)); err != nil {
		t.Fatal(err)
	}
	row := func(server *httptest.Server) string {
		return evaluate[string](t, tab, `[...document.querySelectorAll("#targets tbody tr")].find((r) => r.textContent.includes(`+strconv.Quote(strings.TrimPrefix(server.URL, "http://"))+`)).innerText`)
	}
	for server, want := range map[*httptest.Server]string{accepting: "works", refusing: "fails\tnone"} {
		if got := row(server); !strings.Contains(got, want) {
			t.Errorf("the row is %q, want %q", got, want)
		}
	}
	if got := row(refusing); !strings.HasSuffix(got, "\t1") {
		t.Errorf("the row is %q, want one report that waits", got)
	}
	checkWidths(t, tab, "deliveries")
	checkTexts(t, tab)
	checkAccess(t, tab, "deliveries")
	if shown := evaluate[string](t, tab, `document.documentElement.outerHTML`) + metrics(); strings.Contains(shown, "hunter2") {
		t.Error("the page or the metrics have a secret")
	}
	checkComplaints(t, complaints)
}

// TestPageOldAlerts: the page says that it has old data if only the alerts or the silences cannot be requested.
func TestPageOldAlerts(t *testing.T) {
	testkit.SkipInVariant(t)
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	if status, err := post(p.url, telemetry.Reading{Host: "a", At: time.Now()}); status != 200 || err != nil {
		t.Fatal(status, err)
	}
	open(t, tab, p.url+"/?overview", 1280)
	for _, path := range []string{"/v1/alerts", "/v1/silences"} {
		waitUntil(t, tab, live)
		evaluate[bool](t, tab, `window.real ??= fetch, window.fetch = (url, o) => (url.startsWith("`+path+`") ? Promise.reject(new TypeError("Failed to fetch")) : real(url, o)), true`)
		waitUntil(t, tab, `document.body.dataset.state === "lost" && document.querySelector("#status").textContent.startsWith("No connection since")`)
		evaluate[bool](t, tab, `window.fetch = real, true`)
	}
	waitUntil(t, tab, live)
	checkComplaints(t, complaints)
}
