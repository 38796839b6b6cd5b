package decode

import (
	"strings"
	"testing"
)

// TestNameText compares names of all lengths with the same name and with names that differ in one
// byte. isAt must report true only for the same name.
func TestNameText(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	for n := range 33 {
		name := letters[:n]
		text := nameTextOf(name)
		for _, rest := range []string{"", ":1", `:"a long rest of the text"`} {
			for _, prefix := range []string{`"`, `{"other":1,"`} {
				for at := -1; at < n; at++ {
					other := []byte(name)
					if at >= 0 {
						other[at] ^= 1
					}
					data := []byte(prefix + string(other) + `"` + rest)
					if got, want := text.isAt(data, len(prefix)), at < 0; got != want {
						t.Fatalf("isAt of %q in %s reports %v", name, data, got)
					}
					if text.isAt(data[:len(prefix)+n], len(prefix)) {
						t.Fatalf("isAt reports true for %q without a quotation mark after it", name)
					}
				}
			}
		}
		if n > 0 && text.isAt([]byte(`"`+strings.ToUpper(name)+`"`), 1) {
			t.Fatalf("isAt reports true for %q in another case", name)
		}
	}
}
