package transfer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

var at = time.Date(2026, 3, 1, 12, 0, 0, 123e6, time.UTC)

// readings returns a reading with every field, one without any, and readings with names that have
// a meaning in a format or a spreadsheet.
func readings() []telemetry.Reading {
	full := telemetry.Reading{
		Host: "full", At: at, CPU: mo.Some(12.37), Cores: []float64{0, 99.99, 1e-7}, Load1: mo.Some(0.0), Load5: mo.Some(0.1), Load15: mo.Some(1e6),
		MemoryUsed: mo.Some[uint64](0), MemoryTotal: mo.Some[uint64](1 << 60), SwapUsed: mo.Some[uint64](1), SwapTotal: mo.Some[uint64](2), Uptime: mo.Some[uint64](3),
		Disks:        []telemetry.Disk{{Mount: "/", Device: "a", Used: mo.Some[uint64](1), Total: mo.Some[uint64](2), Read: mo.Some(3.5), Write: mo.Some(4.5)}, {Mount: `",;=`, Device: "'"}},
		Networks:     []telemetry.Network{{Name: "eth0", Received: mo.Some(0.5)}, {Name: "=1+1", Sent: mo.Some(1e13)}},
		Temperatures: []telemetry.Temperature{{Sensor: "a, b", Celsius: -40.5}},
	}
	list := []telemetry.Reading{full, {Host: "nothing", At: at}}
	for _, name := range []string{`a "quoted" one`, "a,b;c", "=1+1", "+1", "-1", "@a", "'", "'=1", " blank ", "部屋", `\n`} {
		r := full
		r.Host = name
		list = append(list, r)
	}
	return list
}

func encode(t *testing.T, format Format, readings []telemetry.Reading) []byte {
	t.Helper()
	var out bytes.Buffer
	buffer := bufio.NewWriter(&out)
	write, err := NewWriter(buffer, format, telemetry.Columns)
	if err != nil {
		t.Fatal(err)
	}
	for i := range readings {
		if err := write(&readings[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := buffer.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A memory is a queue.Writer that keeps the imported readings, one for each host and time.
type memory struct {
	readings []telemetry.Reading
	known    map[string]bool
}

func (m *memory) Write(_ context.Context, batches [][]telemetry.Reading) (fresh [][]telemetry.Reading, err error) {
	if m.known == nil {
		m.known = map[string]bool{}
	}
	for _, batch := range batches {
		var stored []telemetry.Reading
		for _, r := range batch {
			if key := fmt.Sprint(r.Host, r.At.UnixMilli()); !m.known[key] {
				m.known[key] = true
				stored = append(stored, r)
			}
		}
		m.readings = append(m.readings, stored...)
		fresh = append(fresh, stored)
	}
	return fresh, nil
}

func load(t *testing.T, m *memory, format Format, data []byte, skip bool) (Account, error) {
	t.Helper()
	next, err := NewReader(bytes.NewReader(data), format)
	if err != nil {
		return Account{}, err
	}
	return Import(t.Context(), m, next, skip, func(Account) {})
}

func TestRoundTrip(t *testing.T) {
	for _, format := range []Format{Wire, Lines, CSV} {
		want := readings()
		data := encode(t, format, want)
		t.Logf("%s: %d bytes", format, len(data))
		var m memory
		a, err := load(t, &m, format, data, false)
		if err != nil || a != (Account{Stored: len(want)}) {
			t.Errorf("%s: %v, %v", format, a, err)
		}
		if !reflect.DeepEqual(m.readings, want) {
			t.Errorf("%s:\n%s\ngot  %+v\nwant %+v", format, data, m.readings, want)
		}
		if a, err := load(t, &m, format, data, false); err != nil || a != (Account{Repeated: len(want)}) {
			t.Errorf("%s again: %v, %v", format, a, err)
		}

		// A Reader also returns readings that a store refuses, because the error of an import names
		// them.
		odd := []telemetry.Reading{{Host: "a\nb", At: at, Networks: []telemetry.Network{{Name: "\"\r\n"}}}, {At: at.Add(1)}}
		next, err := NewReader(bytes.NewReader(encode(t, format, odd)), format)
		if err != nil {
			t.Fatal(err)
		}
		for i := range odd {
			var r telemetry.Reading
			if place, err := next(&r); err != nil || !reflect.DeepEqual(r, odd[i]) {
				t.Errorf("%s %s: %+v, %v", format, place, r, err)
			}
		}
		if _, err := next(&telemetry.Reading{}); err != io.EOF {
			t.Errorf("%s: %v after the last reading", format, err)
		}
	}
	if text := string(encode(t, CSV, readings())); strings.Contains(text, "\n=") || strings.Contains(text, "\n\"=") || !strings.Contains(text, "\n'=1+1,") {
		t.Errorf("a name is a formula:\n%s", text)
	}
	// An empty list equals a missing list.
	var m memory
	if _, err := load(t, &m, Lines, []byte(`{"host":"a","at":"2026-03-01T12:00:00Z","cores":[],"disks":null}`), false); err != nil || len(m.readings[0].Cores) > 0 {
		t.Errorf("%+v, %v", m.readings, err)
	}
}

// TestBad imports files with invalid readings among many valid ones. The error names the place and
// the reason, and the readings before it are stored.
func TestBad(t *testing.T) {
	many := make([]telemetry.Reading, 2500)
	for i := range many {
		many[i] = telemetry.Reading{Host: "a", At: at.Add(time.Duration(i) * time.Second), CPU: mo.Some(1.0)}
	}
	for _, test := range []struct {
		name   string
		change func([]telemetry.Reading)
		want   string
	}{
		{"too much", func(r []telemetry.Reading) { r[2100].CPU = mo.Some(101.0) }, ".cpu must be"},
		{"a slash", func(r []telemetry.Reading) { r[2100].Host = "a/b" }, "slash"},
		{"the future", func(r []telemetry.Reading) { r[2100].At = time.Now().Add(time.Hour) }, "ahead"},
	} {
		for format, place := range map[Format]string{Wire: "record 2101: ", Lines: "line 2101: ", CSV: "line 2102: "} {
			list := append([]telemetry.Reading(nil), many...)
			test.change(list)
			var m memory
			a, err := load(t, &m, format, encode(t, format, list), false)
			if bad := (*BadError)(nil); !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), place) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %s: %v", test.name, format, err)
			}
			if a != (Account{Stored: 2100}) || len(m.readings) != 2100 {
				t.Errorf("%s, %s: %v", test.name, format, a)
			}
			if a, err = load(t, &m, format, encode(t, format, list), true); err != nil || a != (Account{Stored: 399, Repeated: 2100, Bad: 1}) {
				t.Errorf("%s, %s, skipped: %v, %v", test.name, format, a, err)
			}
		}
	}

	// There are more faults than an answer lists.
	for i := range many {
		if i%2 == 1 {
			many[i].Host = strings.Repeat("x", 256)
		}
		if i%4 == 0 {
			many[i].Load1 = mo.Some(-1.0)
		}
	}
	if a, err := load(t, &memory{}, Wire, encode(t, Wire, many), true); err != nil || a != (Account{Stored: 625, Bad: 1875}) {
		t.Errorf("%v, %v", a, err)
	}

	const good = `{"host":"a","at":"2026-03-01T12:00:00Z"}` + "\n"
	lines := good + "\n{\"host\":\n" + strings.Replace(good, "12:", "13:", 1)
	if a, err := load(t, &memory{}, Lines, []byte(lines), false); a.Stored != 1 || err == nil || !strings.HasPrefix(err.Error(), "line 3: ") {
		t.Errorf("%v, %v", a, err)
	}
	if a, err := load(t, &memory{}, Lines, []byte(lines), true); err != nil || a != (Account{Stored: 2, Bad: 1}) {
		t.Errorf("%v, %v", a, err)
	}
	rows := "at,host,cpu\n2026-03-01T12:00:00Z,a,1\n2026-03-01T12:00:01Z,a,many\n2026-03-01T12:00:02Z,a\n2026-03-01T12:00:03Z,\"b\"\"\",\n"
	if a, err := load(t, &memory{}, CSV, []byte(rows), false); a.Stored != 1 || err == nil || !strings.HasPrefix(err.Error(), "line 3: cpu: ") {
		t.Errorf("%v, %v", a, err)
	}
	if a, err := load(t, &memory{}, CSV, []byte(rows), true); err != nil || a != (Account{Stored: 2, Bad: 2}) {
		t.Errorf("%v, %v", a, err)
	}
	for format, data := range map[Format]string{Wire: "not at all wire", CSV: "host,at,colour\n"} {
		if _, err := load(t, &memory{}, format, []byte(data), true); err == nil {
			t.Errorf("%s: %q is read", format, data)
		}
	}
	// After a record with an invalid length the next record cannot be found. A cell whose quotation
	// mark is never closed is read only up to a limit, and not to the end of the file.
	begin := encode(t, Wire, readings()[:1])
	for _, length := range []string{"\xff\xff\xff\xff\x7f", strings.Repeat("\xff", 12)} {
		data := append(append(begin[:len(begin):len(begin)], length...), make([]byte, 100)...)
		if a, err := load(t, &memory{}, Wire, data, true); err == nil || a.Stored != 1 {
			t.Errorf("%x: %v, %v", length, a, err)
		}
	}
	endless := &endless{}
	next, err := NewReader(io.MultiReader(strings.NewReader("host,at\na,2026-03-01T12:00:00Z\n\""), endless), CSV)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := Import(t.Context(), &memory{}, next, true, func(Account) {}); err == nil || a.Stored != 1 || !strings.HasPrefix(err.Error(), "the row after line 2: ") || endless.n > 2*maxElement {
		t.Errorf("%v, %v, %d bytes read", a, err, endless.n)
	}
	// A truncated file is an error, and its complete readings are stored.
	whole := encode(t, Wire, readings()[:3])
	if a, err := load(t, &memory{}, Wire, whole[:len(whole)-5], true); err == nil || a.Stored != 2 {
		t.Errorf("%v, %v", a, err)
	}
}

// An endless file counts the bytes that are read from it.
type endless struct{ n int }

func (e *endless) Read(b []byte) (int, error) {
	e.n += len(b)
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// TestTimeZone: an imported time with a zone is stored in UTC.
func TestTimeZone(t *testing.T) {
	var stored memory
	read := false
	next := func(r *telemetry.Reading) (string, error) {
		if read {
			return "", io.EOF
		}
		read = true
		*r = telemetry.Reading{Host: "a", At: at.In(time.FixedZone("x", 30*3600))}
		return "line 1", nil
	}
	if _, err := Import(t.Context(), &stored, next, false, func(Account) {}); err != nil || len(stored.readings) != 1 || stored.readings[0].At != at {
		t.Errorf("%+v %v", stored.readings, err)
	}
}

// TestOlderFile reads a file that an older version has exported in the binary format.
func TestOlderFile(t *testing.T) {
	batch, err := os.ReadFile("../telemetry/testdata/layout1.wire")
	if err != nil {
		t.Fatal(err)
	}
	record := batch[1:] // without the number of readings
	older := telemetry.OlderReading.Fingerprint()
	file := slices.Concat(older[:], []byte{byte(len(record))}, record, []byte{1, 0xff}, []byte{byte(len(record))}, record, []byte{9})
	read, err := NewReader(bytes.NewReader(file), Wire)
	if err != nil {
		t.Fatal(err)
	}
	for i, bad := range []bool{false, true, false} {
		var r telemetry.Reading
		_, err := read(&r)
		if errors.As(err, new(*BadError)) != bad || !bad && (err != nil || r.Host != "a" || r.Disks[0].Mount != "/") {
			t.Errorf("record %d: %+v, %v", i+1, r, err)
		}
	}
	if _, err := read(&telemetry.Reading{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a truncated file: %v", err)
	}
}
