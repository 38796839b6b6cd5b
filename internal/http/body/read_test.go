package body

import (
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestLimit(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits []int64
		want   int64
	}{
		{"the default", []int64{0, 0, 9}, 9},
		{"the router's", []int64{0, 5, 9}, 5},
		{"the operation's", []int64{3, 5, 9}, 3},
		{"more than the router's", []int64{7, 5, 9}, 7},
		{"no limit of the router", []int64{0, -1, 9}, math.MaxInt64},
		{"no limit of the operation", []int64{-1, 5, 9}, math.MaxInt64},
	} {
		if got := Limit(test.limits...); got != test.want {
			t.Errorf("%s: Limit(%v) = %d, want %d", test.name, test.limits, got, test.want)
		}
	}
}

func TestBound(t *testing.T) {
	for _, test := range []struct {
		name  string
		body  string
		limit int64
		over  bool
	}{
		{"below the limit", "abc", 4, false},
		{"at the limit", "abcd", 4, false},
		{"past the limit", "abcde", 4, true},
		{"no limit", "abcde", Limit(-1), false},
	} {
		b := Bound(httptest.NewRecorder(), io.NopCloser(strings.NewReader(test.body)), test.limit)
		data, err := io.ReadAll(b)
		if over := errors.As(err, new(*http.MaxBytesError)); over != test.over || !over && (err != nil || string(data) != test.body) {
			t.Errorf("%s: %q, %v", test.name, data, err)
		}
	}
	for _, none := range []io.ReadCloser{nil, http.NoBody} {
		if got := Bound(httptest.NewRecorder(), none, 4); got != none {
			t.Errorf("%v becomes %v", none, got)
		}
	}
}
