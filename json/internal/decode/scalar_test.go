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
