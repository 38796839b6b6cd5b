package layout

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/wire"
)

// TestDeclaredTimes lays times out as Parco does, and checks the times that Parco gets wrong: a
// fixed zone is preserved, the zero time is the zero time, and a time outside the range is an
// error instead of another time.
func TestDeclaredTimes(t *testing.T) {
	utc, located := codecOf(t, TimeUTC), codecOf(t, TimeLocation)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	summer := time.Date(2024, 7, 1, 12, 0, 0, 5, time.UTC)
	for _, want := range []time.Time{
		{}, time.Unix(0, 0).UTC(), summer, time.Unix(0, math.MinInt64).UTC(), time.Unix(0, math.MaxInt64).UTC(),
		summer.In(berlin), summer.In(time.FixedZone("X", -3720)), summer.In(time.FixedZone("X", -3723)), summer.In(time.FixedZone("", 45)),
		summer.In(time.FixedZone("Europe/Berlin", -60)), summer.In(time.FixedZone("UTC", 3600)), summer.In(time.FixedZone("a-b+01", 60)), summer.In(time.Local),
	} {
		data, err := located.Append(nil, &want)
		if err != nil {
			t.Errorf("%v: %v", want, err)
			continue
		}
		var got time.Time
		if err := located.Unmarshal(data, &got); err != nil {
			t.Errorf("%v: %x: %v", want, data, err)
			continue
		}
		_, o1 := got.Zone()
		_, o2 := want.Zone()
		if !got.Equal(want) || o1 != o2 || got.IsZero() != want.IsZero() {
			t.Errorf("%v is decoded as %v from %x", want, got, data)
		}
		if data, err = utc.Append(nil, &want); err != nil || len(data) != 8 {
			t.Errorf("%v: %x, %v", want, data, err)
		}
		if err := utc.Unmarshal(data, &got); err != nil || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%v is decoded in UTC as %v, %v", want, got, err)
		}
	}
	for _, far := range []time.Time{
		time.Date(1677, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2263, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(0, -6795364578871345152), time.Time{}.Add(1),
	} {
		for _, c := range []*wire.Codec[time.Time]{utc, located} {
			if got, err := c.Append([]byte("kept"), &far); !errors.Is(err, wire.ErrTime) || string(got) != "kept" {
				t.Errorf("%v: %q, %v", far, got, err)
			}
		}
	}
	long := summer.In(time.FixedZone(strings.Repeat("x", 260), 60))
	if _, err := located.Append(nil, &long); !errors.Is(err, wire.ErrTooLong) {
		t.Errorf("a name that is too long: %v", err)
	}
	var got time.Time
	for _, in := range []string{"\x02", "\x01\x03abc", "\x01\x09X+25:99:9", "\x01\x05X+1:2"} {
		if err := located.Unmarshal([]byte("\x00\x00\x00\x00\x00\x00\x00\x00"+in), &got); err == nil {
			t.Errorf("%q is accepted as a zone: %v", in, got)
		}
	}
}
