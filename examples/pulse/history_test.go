package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// An answer is a response to GET /v1/readings, as the page received it.
type answer struct {
	url, kind string
	size      int
}

// startProxy starts a proxy in front of pulse that can change pulse's responses. It returns the
// proxy's address. It also returns the forwarded responses that have readings.
func startProxy(t *testing.T, to string, ask func(http.Header), spoil func(http.Header, []byte) []byte) (address string, answers func() []answer) {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var list []answer
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			if r.In.URL.Path == "/v1/readings" {
				ask(r.Out.Header)
				r.Out.Header.Del("Accept-Encoding") // so that the response is not compressed
			}
		},
		ModifyResponse: func(r *http.Response) error {
			if r.Request.URL.Path != "/v1/readings" {
				return nil
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			kind := r.Header.Get("Content-Type")
			if kind == api.MediaTypeWire {
				body = spoil(r.Header, body)
			}
			mu.Lock()
			list = append(list, answer{r.Request.URL.String(), kind, len(body)})
			mu.Unlock()
			r.Body = io.NopCloser(bytes.NewReader(body))
			r.Header.Set("Content-Length", fmt.Sprint(len(body)))
			return nil
		},
	})
	t.Cleanup(proxy.Close)
	t.Cleanup(proxy.CloseClientConnections) // the live stream
	return proxy.URL, func() []answer {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(list)
	}
}

// TestPageReadsWire shows the same history in a browser twice: the page reads it in the wire format,
// and in JSON.
func TestPageReadsWire(t *testing.T) {
	tab, complaints := browser(t)
	p := start(t, "127.0.0.1:0", filepath.Join(t.TempDir(), "pulse.db"), "-no-agent")
	readings := readingsFrom("café", time.Now().Add(-2*time.Minute), 59)
	for i := range readings {
		r := &readings[i]
		r.At = r.At.Add(time.Duration(i) * time.Millisecond) // fractions of all lengths
		r.CPU = mo.Some(float64(i))
		r.Load1, r.Load5, r.Load15 = mo.Some(1/float64(i+1)), mo.Some(0.0), mo.Some(0.1)
		r.Uptime, r.MemoryUsed, r.MemoryTotal = mo.Some(uint64(4000+i)), mo.Some(uint64(i)<<28), mo.Some[uint64](1<<34)
		if i > 20 {
			r.Cores = []float64{float64(i), 0.1}
			r.Disks = []telemetry.Disk{disk("/")}
			r.Networks = []telemetry.Network{{Name: "eth0", Received: mo.Some(1e-7), Sent: mo.Some(2e9)}}
			r.Temperatures = []telemetry.Temperature{{Sensor: "oven", Celsius: -0.5}}
		}
	}
	if status, err := post(p.url, readings...); status != 200 || err != nil {
		t.Fatal(status, err)
	}

	asIs := func(http.Header) {}
	whole := func(_ http.Header, body []byte) []byte { return body }
	const w, j = api.MediaTypeWire, "application/json"
	var shown string // the history that the first page shows; the other pages must show the same
	for _, test := range []struct {
		name  string
		ask   func(http.Header)
		spoil func(http.Header, []byte) []byte
		kinds []string // media types of the answers to the page's first request and, after a click, to its second
	}{
		{"wire", asIs, whole, []string{w, w}},
		{"a proxy without Accept", func(h http.Header) { h.Del("Accept") }, whole, []string{j, j}},
		{"bytes are missing", asIs, func(_ http.Header, b []byte) []byte { return b[:len(b)-1] }, []string{w, j, j}},
		{"another schema", asIs, func(h http.Header, b []byte) []byte { h.Set("Wire-Schema", "0123456789abcdef"); return b }, []string{w, j, j}},
		{"no schema", asIs, func(h http.Header, b []byte) []byte { h.Del("Wire-Schema"); return b }, []string{w, j, j}},
	} {
		address, answers := startProxy(t, p.url, test.ask, test.spoil)
		if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
		loaded := func(minutes string) {
			t.Helper()
			waitUntil(t, tab, `document.body.dataset.readings === "59" && document.querySelector("#chart-cpu").ariaLabel?.includes("last `+minutes+` minutes")`)
			if alarm := evaluate[bool](t, tab, `!document.querySelector("#notice").hidden`); alarm {
				t.Errorf("%s: the page says %q", test.name, evaluate[string](t, tab, `document.querySelector("#notice").textContent`))
			}
		}
		loaded("5")
		picture := evaluate[string](t, tab, pixels+` + document.querySelector(".tiles").innerText + document.querySelector(".tables").innerText`)
		if shown == "" {
			shown = picture
		}
		if picture != shown {
			t.Errorf("%s: the page looks different", test.name)
		}

		line := evaluate[string](t, tab, `document.querySelector("#sizes").hidden ? "" : [document.querySelector("#sizes").textContent, document.querySelector("#sizes").title].join(": ")`)
		want := ""
		if first := answers()[0]; test.name == "wire" {
			response, err := client.Get(first.url)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			text, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			text = bytes.TrimSuffix(text, []byte("\n"))
			t.Logf("%d readings: %d bytes in wire, %d as JSON", len(readings), first.size, len(text))
			want = fmt.Sprintf("History: %.2f KiB in wire, %.1f KiB as JSON: %d and %d bytes, without compression",
				float64(first.size)/1024, float64(len(text))/1024, first.size, len(text))
		}
		if line = strings.ReplaceAll(line, "\u00a0", " "); line != want {
			t.Errorf("%s: the page says %q, want %q", test.name, line, want)
		}

		evaluate[any](t, tab, `document.querySelector("#window input[value='15']").click()`)
		loaded("15")
		var kinds []string
		for _, a := range answers() {
			kinds = append(kinds, a.kind)
		}
		if !slices.Equal(kinds, test.kinds) {
			t.Errorf("%s: answers of %q, want %q", test.name, kinds, test.kinds)
		}
	}
	for _, c := range complaints() {
		t.Errorf("the page complains: %s", c)
	}
}
