package message

import "testing"

// TestSendsBytes compares media types of contents with the list of an operation.
func TestSendsBytes(t *testing.T) {
	for _, test := range []struct {
		listed    []string
		mediaType string
		want      bool
	}{
		{[]string{"text/csv"}, "", true},
		{[]string{"text/csv"}, "text/csv", true},
		{[]string{"text/csv"}, "Text/CSV; charset=utf-8", true},
		{[]string{"text/csv;charset=utf-8"}, "text/csv", true},
		{[]string{"text/csv"}, "text/plain", false},
		{[]string{"text/csv"}, "text/csvx", false},
		{[]string{"text/csv", "image/*"}, "image/png", true},
		{[]string{"image/*"}, "IMAGE/png", true},
		{[]string{"image/*"}, "image/", false},
		{[]string{"image/*"}, "images/png", false},
		{[]string{"text/csv", "*/*"}, "text/plain", true},
		{[]string{"image/png"}, ";text/html", false},
		{[]string{"image/png"}, " ", false},
		{[]string{"image/png", "image/*"}, "image/png, text/html", false},
		{[]string{"image/png", "image/*"}, "image/ text/html", false},
	} {
		f := &Response{Bytes: test.listed}
		if got := f.SendsBytes(test.mediaType); got != test.want {
			t.Errorf("%q in %q: %v", test.mediaType, test.listed, got)
		}
	}
}
