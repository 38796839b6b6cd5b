package migrate

import "testing"

func TestTagFor(t *testing.T) {
	for old, want := range map[string]string{
		"`json:\",inline\"`":                   "`json:\",embed\"`",
		"`json:\",unknown\"`":                  "`json:\",embed\"`",
		"`json:\",inline,unknown\"`":           "`json:\",embed\"`",
		"`json:\",embed,unknown,omitzero\"`":   "`json:\",embed,omitzero\"`",
		"`yaml:\",inline\" json:\"a,inline\"`": "`yaml:\",inline\" json:\"a,embed\"`",
		"`json:\"inline\"`":                    "`json:\"inline\"`",
		"`json:\"unknown,omitempty\"`":         "`json:\"unknown,omitempty\"`",
		"`yaml:\",inline\"`":                   "`yaml:\",inline\"`",
		"`xjson:\",inline\"`":                  "`xjson:\",inline\"`",
		"`xjson:\",inline\" json:\",inline\"`": "`xjson:\",inline\" json:\",embed\"`",
		"\"json:\\\",inline\\\"\"":             "\"json:\\\",embed\\\"\"",
		"`json:\",inline`":                     "`json:\",inline`",
		"``":                                   "``",
		"`json:\"\"`":                          "`json:\"\"`",
	} {
		if got, _ := tagFor(old); got != want {
			t.Errorf("%s: %s, want %s", old, got, want)
		}
	}
	for tag, want := range map[string]bool{
		"`json:\",format:RFC3339\"`": true, "`json:\"a,omitzero,format:'2006-01-02'\"`": true, "`json:\"format\"`": false, "`json:\"format:a\"`": false,
	} {
		if _, got := tagFor(tag); got != want {
			t.Errorf("%s: format is %v, want %v", tag, got, want)
		}
	}
}
