package wire

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTimes(t *testing.T) {
	zone := func(name string) *time.Location {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return loc
	}
	for _, want := range []time.Time{
		{}, time.Unix(0, 0).UTC(), time.Unix(0, 1), time.Now(), time.Date(-5000000, 1, 1, 0, 0, 0, 999999999, time.UTC),
		time.Date(50000000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2024, 1, 1, 0, 0, 0, 0, zone("Asia/Kathmandu")),
		time.Date(2024, 7, 1, 0, 0, 0, 0, zone("America/Argentina/Buenos_Aires")), time.Date(2024, 7, 1, 0, 0, 0, 0, zone("CET")),
		time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("", 12345)), time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("EST", -5*3600)),
		time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("UTC", 0)),
	} {
		data, err := Marshal(&want)
		if err != nil {
			t.Fatal(err)
		}
		var got time.Time
		if err := Unmarshal(data, &got); err != nil {
			t.Errorf("%v: %v", want, err)
			continue
		}
		_, o1 := got.Zone()
		_, o2 := want.Zone()
		if !got.Equal(want) || o1 != o2 || got.Location().String() != want.Location().String() || got.IsZero() != want.IsZero() {
			t.Errorf("%v reads back as %v", want, got)
		}
	}
}

// TestZoneNames decodes unknown zone names. Long names must not be cached, and few names may be
// looked up on disk.
func TestZoneNames(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 200 {
		zone := time.FixedZone(strings.Repeat("x", 100<<10)+strconv.Itoa(i), 60)
		at := time.Unix(1, 0).In(zone)
		data, err := Marshal(&at)
		if err != nil {
			t.Fatal(err)
		}
		var got time.Time
		if err := Unmarshal(data, &got); err != nil || got.Location().String() != zone.String() {
			t.Fatal(err)
		}
		at = time.Unix(1, 0).In(time.FixedZone("No/Where"+strconv.Itoa(i), 60))
		if data, err = Marshal(&at); err != nil {
			t.Fatal(err)
		}
		if err := Unmarshal(data, &got); err != nil || got.Location().String() != at.Location().String() {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("%d bytes of zone names are kept", grown)
	}
}

// TestZoneFiles decodes names such as Europe//Berlin, which would open the file of a zone of the
// database under another name. They must be decoded as zones with a fixed offset, and must not fill
// the cache.
func TestZoneFiles(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	at := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	for i := range 3000 {
		name := "Europe" + strings.Repeat("/", 2+i%40) + "Berlin" + strings.Repeat("/", i/40%8) + strings.Repeat("_", i/320)
		zone := time.FixedZone(name, 7200)
		in := at.In(zone)
		data, err := Marshal(&in)
		if err != nil {
			t.Fatal(err)
		}
		var got time.Time
		if err := Unmarshal(data, &got); err != nil || got.Location().String() != name || !got.Equal(at) {
			t.Fatal(name, got, err)
		}
		if winter := got.AddDate(0, 6, 0); winter.Format("-0700") != "+0200" {
			t.Fatalf("%s is read from the database", name)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("%d bytes of zones are kept", grown)
	}
}
