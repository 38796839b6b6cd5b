package syntax

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
)

// checkLines compares AppendLines with json.Indent for compact text, with different capacities of dst.
func checkLines(t *testing.T, compact []byte) {
	t.Helper()
	if len(compact) > 1000 {
		return // the output grows with the square of the depth
	}
	for _, by := range [][2]string{{"", "  "}, {"", "\t"}, {"> ", "\t"}, {"", ""}, {strings.Repeat("prefix", 5), strings.Repeat("indent", 7)}, {strings.Repeat("-", 200), " "}} {
		for _, tail := range []string{"", "\n"} {
			text := append(bytes.Clone(compact), tail...)
			var want bytes.Buffer
			want.WriteString("front")
			if err := json.Indent(&want, text, by[0], by[1]); err != nil {
				t.Fatal(err)
			}
			for _, room := range []int{5, 16, 2 * len(text), 4 * want.Len()} {
				dst := append(make([]byte, 0, max(5, room)), "front"...)
				if got := AppendLines(dst, text, by[0], by[1]); !bytes.Equal(got, want.Bytes()) {
					t.Fatalf("AppendLines(%.100q, %q) = %.300q; want %.300q", text, by, got, want.Bytes())
				}
			}
		}
	}
}

// TestPassesAllocs checks that Valid, AppendCompact and AppendLines allocate nothing if dst has
// enough capacity.
func TestPassesAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	compact := []byte(`{"name":"a <b>","list":[1,2.5,true,null,[],{}],"deep":[[[{"x":"\n"}]]]}`)
	spaced := AppendLines(nil, compact, "", "  ")
	room := make([]byte, 0, 10*len(compact))
	for name, pass := range map[string]func(){
		"Valid":                     func() { Valid(spaced) },
		"AppendCompact, dense":      func() { _, _ = AppendCompact(room, compact, false) },
		"AppendCompact, dense HTML": func() { _, _ = AppendCompact(room, compact, true) },
		"AppendCompact, spaced":     func() { _, _ = AppendCompact(room, spaced, true) },
		"AppendLines":               func() { AppendLines(room, compact, "", "  ") },
	} {
		if n := testing.AllocsPerRun(100, pass); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
