package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// checkLines holds AppendLines to json.Indent on compact text, whether there is room or not.
func checkLines(t *testing.T, compact []byte) {
	t.Helper()
	if len(compact) > 1000 {
		return // as lines grow with the square of how deep it is
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
