package wire

import (
	"testing"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/mo"
)

// budget checks how often op allocates, exactly.
func budget(t *testing.T, name string, want float64, op func()) {
	t.Helper()
	if got := testing.AllocsPerRun(200, op); got != want {
		t.Errorf("%s: %v allocations, budget %v", name, got, want)
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

// TestAllocs holds each way of encoding and decoding to its budget. Into room that
// is there, encoding takes none; decoding takes what the value keeps.
func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	buf := make([]byte, 0, 1<<14)

	r := record{"a name of sixteen", time.Unix(1e9, 1).UTC(), "0123456789", 4, true, 1.5}
	data := Must(Marshal(&r))
	aliased := Must(For[record](Options{AliasInput: true}))
	var back record
	budget(t, "Append", 0, func() { buf, _ = Append(buf[:0], &r) })
	budget(t, "Codec.Append", 0, func() { buf, _ = aliased.Append(buf[:0], &r) })
	budget(t, "Marshal", 1, func() { _, _ = Marshal(&r) })
	budget(t, "Size", 0, func() { _, _ = Size(&r) })
	budget(t, "Unmarshal, two strings", 1, func() { _ = Unmarshal(data, &back) })
	budget(t, "Unmarshal, aliased", 0, func() { _ = aliased.Unmarshal(data, &back) })

	maps := struct {
		A map[int]int
		B map[string]string
		C map[[2]int8]mo.Option[int] // by reflection
		D map[uint32]bool
	}{map[int]int{1: 2}, map[string]string{"k": "v"}, map[[2]int8]mo.Option[int]{{1, 2}: mo.Some(3)}, map[uint32]bool{5: true}}
	budget(t, "maps", 0, func() { buf, _ = Append(buf[:0], &maps) })

	list := make([]struct{ N, M int64 }, 5000) // larger than any scratch to begin with
	big := make([]byte, 0, 1<<17)
	budget(t, "a large value into its room", 0, func() { big, _ = Append(big[:0], &list) })
	budget(t, "a large value, aside", 1, func() { _, _ = Marshal(&list) })
}
