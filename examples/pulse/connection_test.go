//go:build unix

package main

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/hone-go/hone/internal/test/testkit"
)

// wrongClock makes the clock of a page two days wrong.
const wrongClock = `{
	const Real = Date, ahead = 2 * 86400000;
	Date = class extends Real {
		constructor(...args) { if (args.length) super(...args); else super(Real.now() + ahead); }
		static now() { return Real.now() + ahead; }
	};
}`

// TestPageNeverLies opens the overview and the page of a host, and disturbs the server. Within 10
// seconds both pages show since when they have no data, and both recover without a reload. The
// browser's clock is two days ahead.
func TestPageNeverLies(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	t.Parallel() // it mostly waits
	signal := func(s syscall.Signal) func(*testing.T, *process, *disturbance) {
		return func(t *testing.T, p *process, _ *disturbance) {
			t.Helper()
			if err := p.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	set := func(m mode) func(*testing.T, *process, *disturbance) {
		return func(_ *testing.T, _ *process, d *disturbance) { d.mode.Store(int32(m)); d.CloseClientConnections() }
	}
	for _, test := range []struct {
		name           string
		begin, end     func(*testing.T, *process, *disturbance)
		status, allows string
	}{
		{"stopped", signal(syscall.SIGSTOP), signal(syscall.SIGCONT), "No answer since ", ""},
		{"refuses", set(refuse), set(pass), "No connection since ", "ERR_"},
		{"answers 503", set(unavailable), set(pass), "Server error 503 since ", "503"},
		{"slow", set(slow), set(pass), "No answer since ", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			overview, complaints := browser(t)
			p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-host", "here", "-interval", "200ms")
			d := newDisturbance(t, p.url)
			if _, err := post(p.url, readingsFrom("other", time.Now(), 1)...); err != nil {
				t.Fatal(err)
			}
			host, cancel := chromedp.NewContext(overview)
			defer cancel()
			pages := map[string]context.Context{"/?overview": overview, "/?host=here": host}
			for path, tab := range pages {
				script := page.AddScriptToEvaluateOnNewDocumentParams{Source: wrongClock}
				if _, err := chromedp.Call(tab, page.AddScriptToEvaluateOnNewDocument, script); err != nil {
					t.Fatal(err)
				}
				open(t, tab, d.URL+path, 1280)
				waitUntil(t, tab, live+` && document.title.length > 3`)
			}
			began := time.Now()
			test.begin(t, p, d)
			for path, tab := range pages {
				waitUntil(t, tab, `document.body.dataset.state === "lost" && document.querySelector("#status").textContent.startsWith("`+test.status+`")`)
				t.Logf("%s: shown after %s", path, time.Since(began).Round(100*time.Millisecond))
				if since := time.Since(began); since > 10*time.Second {
					t.Errorf("%s: the page looked alive for %s", path, since)
				}
				status := text(t, tab, "#status")
				_, clock, _ := strings.Cut(status, " since ")
				at, err := time.ParseInLocation(time.TimeOnly, clock, time.Local)
				now := time.Date(0, 1, 1, began.Hour(), began.Minute(), began.Second(), 0, time.Local)
				if diff := now.Sub(at); err != nil || diff < -2*time.Second || diff > 6*time.Second {
					t.Errorf("%s: status %q at %s (%v)", path, status, now.Format(time.TimeOnly), err)
				}
				if title := evaluate[string](t, tab, "document.title"); !strings.HasPrefix(title, status) {
					t.Errorf("%s: title %q, status %q", path, title, status)
				}
				dimmed := `getComputedStyle(document.querySelector("main section:not([hidden]) table, .tiles:not([hidden])")).filter === "grayscale(1)"`
				waitUntil(t, tab, dimmed)
				checkTexts(t, tab)
			}
			test.end(t, p, d)
			for _, tab := range pages {
				waitUntil(t, tab, live+` && !document.title.includes("since") && !document.querySelector("#notice").textContent`)
			}
			waitUntil(t, host, `Number(document.body.dataset.readings) > 3`)
			checkComplaints(t, complaints, test.allows, "ERR_EMPTY_RESPONSE")
		})
	}
}

// A mode selects the way in which a disturbance treats requests.
type mode int32

const (
	pass mode = iota
	refuse
	unavailable
	slow
)

// A disturbance is a proxy between the browser and pulse. Its mode can be changed while it runs.
type disturbance struct {
	*httptest.Server
	mode atomic.Int32
}

func newDisturbance(t *testing.T, target string) *disturbance {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(u) }, ErrorLog: log.New(io.Discard, "", 0)}
	d := &disturbance{}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch mode(d.mode.Load()) {
		case refuse:
			panic(http.ErrAbortHandler) // closes the connection
		case unavailable:
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case slow:
			select {
			case <-time.After(8 * time.Second):
			case <-r.Context().Done():
				return
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(d.Close)
	t.Cleanup(d.CloseClientConnections)
	return d
}

// TestSlowReportersAreNotSilent opens the pages of a host that reports every 12 seconds, which is
// longer than the minimum time of silence. Neither page ever shows the host as silent. The pages
// show another host as silent after 10 seconds.
func TestSlowReportersAreNotSilent(t *testing.T) {
	testkit.SkipUnlessSlow(t)
	testkit.SkipInVariant(t)
	t.Parallel() // it mostly waits
	overview, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	report := func(host, every, tag string, clock time.Time) time.Time {
		t.Helper()
		at := time.Now()
		body := `{"readings":[{"host":"` + host + `","at":"` + at.Format(time.RFC3339Nano) + `"}]}`
		request, err := http.NewRequestWithContext(t.Context(), "POST", p.url+"/v1/readings", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = http.Header{"Content-Type": {"application/json"}, "Pulse-Agent": {"a"}, "Pulse-Every": {every}, "Pulse-Clock": {clock.Format(time.RFC3339Nano)}}
		if tag != "" {
			request.Header.Set("Pulse-Tag", tag)
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return at
	}
	reported := report("slow", "12000000000", "role=db", time.Now())
	posted := report("other", "0", "", time.Now().Add(6*time.Minute))
	host, cancel := chromedp.NewContext(overview)
	defer cancel()
	open(t, host, p.url+"/?host=slow", 1280)
	open(t, overview, p.url, 1280)
	waitUntil(t, host, live+` && document.querySelector("#about").textContent === "role=db"`)
	waitUntil(t, overview, live+` && document.querySelectorAll("#hosts tbody tr").length === 2`)
	const level = `document.querySelector('a[href="?host=slow"]').closest("tr").dataset.level`
	waitUntil(t, overview, level+` !== undefined`)
	for time.Since(posted) < 27*time.Second {
		if time.Since(reported) > 12*time.Second {
			reported = report("slow", "12000000000", "role=db", time.Now())
		}
		if got := evaluate[string](t, overview, level); got == "silent" {
			t.Fatalf("silent on the overview after %s", time.Since(posted))
		}
		if got := evaluate[string](t, host, `document.body.dataset.state`); got != "live" {
			t.Fatalf("%s on its page after %s", got, time.Since(posted))
		}
		silent := evaluate[bool](t, overview, `document.querySelector('a[href="?host=other"]').closest("tr").dataset.level === "silent"`)
		if since := time.Since(posted); silent && since < 10*time.Second || !silent && since > 15*time.Second {
			t.Fatalf("the other host is silent: %v, after %s", silent, since)
		}
		time.Sleep(200 * time.Millisecond)
	}
	if note := text(t, overview, `th:has(a[href="?host=other"]) small`); !strings.HasPrefix(note, "its clock is 6 min") && !strings.HasPrefix(note, "its clock is 5 min 59") {
		t.Errorf("the page says %q about a clock that is 6 minutes ahead", note)
	}
	checkComplaints(t, complaints)
}
