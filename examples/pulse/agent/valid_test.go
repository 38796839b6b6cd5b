package agent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// TestPrintable lists names and their printable forms.
func TestPrintable(t *testing.T) {
	long := strings.Repeat("é", 300)
	for name, want := range map[string]string{
		"/mnt/données": "/mnt/données", "eth0": "eth0", "a b": "a b", "": "?", `C:\`: `C:\`,
		"/mnt/donn\xe9es": `/mnt/donn\xe9es`, "a\u200db": `a\u200db`, "a\tb\n": `a\u0009b\u000a`, "\ufffd": `\ufffd`, "\x00": `\u0000`,
		"a\u00a0b": `a\u00a0b`, "\U000e0001": `\U000e0001`, "\ue000": `\ue000`,
	} {
		if got := printable(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	a, b := printable(long+"a"), printable(long+"b")
	if utf8.RuneCountInString(a) != maxName || a == b || a != printable(long+"a") {
		t.Errorf("long names: %q and %q", a, b)
	}
}

// TestValid makes readings with random names and extreme numbers valid. A server accepts each result,
// and values that were within the limits are unchanged.
func TestValid(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	name := func() string {
		b := make([]byte, random.IntN(400))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		if random.IntN(2) == 0 {
			return string([]rune{rune(random.IntN(0x110000)), rune(random.IntN(0x3000))})
		}
		return string(b)
	}
	number := func() mo.Option[float64] {
		return mo.Some([]float64{0, 1, 100, 100.1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 1e13, 1e14, -math.SmallestNonzeroFloat64}[random.IntN(12)])
	}
	whole := func() mo.Option[uint64] {
		return mo.Some([]uint64{0, 1, maxBytes, maxBytes + 1, math.MaxUint64}[random.IntN(5)])
	}
	for i := range 300 {
		r := telemetry.Reading{
			Host: "host", At: time.Unix(1_700_000_000, 0), CPU: number(), Load1: number(), Load5: number(), Load15: number(),
			MemoryUsed: whole(), MemoryTotal: whole(), SwapUsed: whole(), SwapTotal: whole(), Uptime: whole(),
		}
		for range random.IntN(6) {
			r.Cores = append(r.Cores, number().OrEmpty())
			r.Disks = append(r.Disks, telemetry.Disk{Mount: name(), Device: name(), Type: name(), Used: whole(), Total: whole(), Read: number(), Write: number()})
			r.Networks = append(r.Networks, telemetry.Network{Name: name(), Received: number(), Sent: number()})
			r.Temperatures = append(r.Temperatures, telemetry.Temperature{Sensor: name(), Celsius: number().OrEmpty()})
		}
		if i == 0 {
			r.Cores, r.Disks, r.Networks, r.Temperatures = make([]float64, 2000), make([]telemetry.Disk, 2000), make([]telemetry.Network, 2000), make([]telemetry.Temperature, 2000)
		}
		disks := len(r.Disks)
		makeValid(&r)
		if answer := post(t, telemetry.Batch{Readings: []telemetry.Reading{r}}); answer.Code != http.StatusNoContent {
			t.Fatalf("a server refuses reading %d: %s", i, answer.Body)
		}
		if len(r.Disks) != min(disks, maxList) {
			t.Errorf("%d of %d disks are left", len(r.Disks), disks)
		}
	}
	// A whole reading stays as it is.
	good := telemetry.Reading{Host: "host", CPU: mo.Some(50.0), Cores: []float64{50}, Uptime: mo.Some(uint64(1)), Disks: []telemetry.Disk{{Mount: "/", Device: "/dev/sda", Type: "fuse.sshfs", Used: mo.Some(uint64(1)), Total: mo.Some(uint64(2))}}, Temperatures: []telemetry.Temperature{{Sensor: "cpu", Celsius: 40}}}
	before := fmt.Sprintf("%+v", good)
	if makeValid(&good); fmt.Sprintf("%+v", good) != before {
		t.Errorf("%+v, was %s", good, before)
	}
}
