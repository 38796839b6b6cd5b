package wire

import (
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// wantAllocs checks that op allocates exactly want times.
func wantAllocs(t *testing.T, name string, want float64, op func()) {
	t.Helper()
	if got := testing.AllocsPerRun(200, op); got != want {
		t.Errorf("%s: %v allocations, want %v", name, got, want)
	}
}

type record struct {
	Name     string
	BirthDay time.Time
	Phone    string
	Siblings int
	Spouse   bool
	Money    float64
}

// TestAllocs counts the allocations of each way of encoding and decoding. Encoding into a buffer
// with room allocates nothing; decoding allocates the memory that the value keeps.
func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	buf := make([]byte, 0, 1<<14)

	r := record{"a name of sixteen", time.Unix(1e9, 1).UTC(), "0123456789", 4, true, 1.5}
	data := Must(Marshal(&r))
	aliased := Must(For[record](Options{AliasInput: true}))
	var back record
	wantAllocs(t, "Append", 0, func() { buf, _ = Append(buf[:0], &r) })
	wantAllocs(t, "Codec.Append", 0, func() { buf, _ = aliased.Append(buf[:0], &r) })
	wantAllocs(t, "Marshal", 1, func() { _, _ = Marshal(&r) })
	wantAllocs(t, "Size", 0, func() { _, _ = Size(&r) })
	wantAllocs(t, "Unmarshal, two strings", 1, func() { _ = Unmarshal(data, &back) })
	wantAllocs(t, "Unmarshal, aliased", 0, func() { _ = aliased.Unmarshal(data, &back) })

	maps := struct {
		A map[int]int
		B map[string]string
		C map[[2]int8]mo.Option[int] // encoded with reflection
		D map[uint32]bool
	}{map[int]int{1: 2}, map[string]string{"k": "v"}, map[[2]int8]mo.Option[int]{{1, 2}: mo.Some(3)}, map[uint32]bool{5: true}}
	wantAllocs(t, "maps", 0, func() { buf, _ = Append(buf[:0], &maps) })

	list := make([]struct{ N, M int64 }, 5000) // larger than the first scratch buffer
	big := make([]byte, 0, 1<<17)
	wantAllocs(t, "a large value into its room", 0, func() { big, _ = Append(big[:0], &list) })
	wantAllocs(t, "a large value, aside", 1, func() { _, _ = Marshal(&list) })
}
