package encode

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A marshalingTime encodes rare times with their method.
type marshalingTime struct{ Rules }

func (marshalingTime) Time(_ *Encoder, dst []byte, t *time.Time) ([]byte, error) {
	b, err := t.MarshalJSON()
	return append(dst, b...), err
}

// TestAppendTime appends times in all years and zones. The text must be the same as from
// MarshalJSON of time.Time.
func TestAppendTime(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		at := time.Unix(r.Int64N(400e9)-100e9, r.Int64N(1e9)/[]int64{1, 10, 1e3, 1e6, 1e9}[r.IntN(5)])
		at = at.In(time.FixedZone("", (r.IntN(3)-1)*r.IntN(26*3600)/[]int{1, 60}[r.IntN(2)]*[]int{1, 60}[r.IntN(2)]))
		want, wantErr := at.MarshalJSON()
		got, err := (&Encoder{Mode: &Mode{Rules: marshalingTime{}}}).time([]byte("x"), &at)
		if (err == nil) != (wantErr == nil) || err == nil && string(got) != "x"+string(want) {
			t.Fatalf("%v: %s, %v; want %s, %v", at, got, err, want, wantErr)
		}
	}
}

// TestDate computes the date of each day of the years 0 to 9999. It must be the same as with
// time.Time.
func TestDate(t *testing.T) {
	at := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	for days := uint32(0); at.Year() < 10_000; days++ {
		year, month, day := at.Date()
		if y, m, d := date(days); y != year || m != int(month) || d != day {
			t.Fatalf("day %d is %d-%d-%d, want %s", days, y, m, d, at.Format(time.DateOnly))
		}
		at = at.AddDate(0, 0, 1)
	}
}

func BenchmarkAppendTime(b *testing.B) {
	at := time.Date(2026, 11, 26, 3, 4, 5, 600_000, time.UTC)
	room := make([]byte, 0, 64)
	for b.Loop() {
		if _, err := (&Encoder{}).time(room, &at); err != nil {
			b.Fatal(err)
		}
	}
}
