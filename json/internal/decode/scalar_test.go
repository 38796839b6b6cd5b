package decode

import (
	"math/rand/v2"
	"testing"
	"time"
)

// FuzzReadTime compares ReadUTC with UnmarshalJSON of time.Time. If ReadUTC reports true, the times
// must be equal.
func FuzzReadTime(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		text, _ := time.Unix(r.Int64N(200e9), r.Int64N(1e9)).UTC().MarshalJSON()
		f.Add(string(text))
		text[r.IntN(len(text))] = "0123456789-:TZ.\"+ "[r.IntN(18)]
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got, want time.Time
		if !ReadUTC(&got, []byte(text)) {
			return
		}
		if err := want.UnmarshalJSON([]byte(text)); err != nil || !got.Equal(want) || got.Location() != want.Location() {
			t.Errorf("%s: %v, want %v, %v", text, got, want, err)
		}
	})
}

// TestReadTimeBytes replaces each byte of times by every other byte. ReadUTC reports true only for times that
// UnmarshalJSON accepts, and parses every valid date up to the 28th.
func TestReadTimeBytes(t *testing.T) {
	for _, text := range []string{`"2024-02-28T13:37:59Z"`, `"0099-12-01T00:00:00.000000001Z"`, `"2009-10-10T23:59:09.5Z"`} {
		for i := range text {
			for c := range 256 {
				raw := []byte(text)
				raw[i] = byte(c)
				var got, want time.Time
				read := ReadUTC(&got, raw)
				err := want.UnmarshalJSON(raw)
				if read && (err != nil || !got.Equal(want) || got != want) {
					t.Errorf("%s: %v, want %v, %v", raw, got, want, err)
				}
				if plain := err == nil && want.Day() <= 28 && want.Location() == time.UTC; !read && plain && raw[len(raw)-2] == 'Z' && raw[20] != ',' {
					t.Errorf("%s is left to UnmarshalJSON", raw)
				}
			}
			if raw := []byte(text[:i]); ReadUTC(new(time.Time), raw) {
				t.Errorf("%s is parsed", raw)
			}
		}
	}
}
