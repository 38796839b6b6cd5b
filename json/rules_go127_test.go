//go:build go1.27 && goexperiment.jsonv2

package json

import "testing"

// TestRulesOfStreams checks that methods that take the standard library's streams are called only
// by the rules of Go 1.27.
func TestRulesOfStreams(t *testing.T) {
	byHone(t)
	type holder struct {
		T releaseTokens
		P *releaseTokens
		M map[releaseTokens]int `json:",omitempty"`
		A any
	}
	v := holder{P: new(releaseTokens), A: releaseTokens{}}
	for rules, want := range map[Rules]string{
		Go126: `{"T":{"Read":false},"P":{"Read":false},"A":{"Read":false}}`,
		Go127: `{"T":"tokens","P":"tokens","A":"tokens"}`,
	} {
		o := Config{Rules: rules}
		if rules == Go126 {
			if b, err := o.Marshal(holder{M: map[releaseTokens]int{{}: 1}}); err == nil {
				t.Errorf("by the rules of Go 1.26 the map key was encoded: %s", b)
			}
		}
		if got := mustEncode(t, o, v); got != want {
			t.Errorf("%v: %s, want %s", rules, got, want)
		}
		var read releaseTokens
		if err := o.Unmarshal([]byte("{}"), &read); err != nil || read.Read != (rules == Go127) {
			t.Errorf("%v: %+v, %v", rules, read, err)
		}
	}
}
