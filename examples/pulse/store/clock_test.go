package store

import (
	"testing"
	"time"

	"github.com/hone-go/hone/examples/pulse/telemetry"
	"github.com/hone-go/hone/mo"
)

// TestClockAhead sets this machine's clock ahead of the readings, by an hour and by two days, and two
// days behind the readings. Only readings that are too old relative to the newest reading must be
// deleted.
func TestClockAhead(t *testing.T) {
	onEach(t, func(t *testing.T, openNew backend) {
		for _, ahead := range []time.Duration{time.Hour, 48 * time.Hour, -48 * time.Hour} {
			options := Options{Retention: 24 * time.Hour}
			s := openNew(t, options)
			if since := time.Since(s.Now()); since > time.Minute {
				t.Errorf("an empty database is %s behind", since)
			}
			newest := time.Now().Add(-ahead).Truncate(time.Millisecond)
			ages := []time.Duration{0, time.Minute, 20 * time.Hour, 30 * 24 * time.Hour, 700 * 24 * time.Hour}
			for _, age := range ages {
				write(t, s, telemetry.Reading{Host: "a", At: newest.Add(-age), CPU: mo.Some(1.0)})
			}
			wantNow := newest
			if ahead < 0 {
				wantNow = time.Now()
			}
			if diff := s.Now().Sub(wantNow).Abs(); diff > time.Second {
				t.Errorf("%s ahead: now is %s off", ahead, diff)
			}
			for more := true; more; {
				var err error
				if more, err = s.Prune(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			wantMinutes := 4 // the number of stored minutes in the last 31 days
			if ahead > 0 {
				_, isPostgres := s.(*Postgres) // PostgreSQL deletes only whole days
				readings, _, err := s.Readings(t.Context(), Query{Limit: 100})
				if err != nil || len(readings) < 3 || len(readings) > 3 && !isPostgres {
					t.Errorf("%s ahead: %d readings are kept (%v), want 3", ahead, len(readings), err)
				}
			}
			if n := len(stored(t, s, Minutes, "a", time.Unix(0, 0), newest.Add(time.Hour))); n < wantMinutes {
				t.Errorf("%s ahead: %d minutes are kept", ahead, n)
			}
			if n := len(stored(t, s, Hours, "a", time.Unix(0, 0), newest.Add(time.Hour))); n < 4 {
				t.Errorf("%s ahead: %d hours are kept", ahead, n)
			}
		}
	})
}
