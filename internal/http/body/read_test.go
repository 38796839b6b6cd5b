package body

import (
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/memory/buffer"
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
		b := Bound(io.NopCloser(strings.NewReader(test.body)), test.limit)
		data, err := io.ReadAll(b)
		if over := errors.As(err, new(*http.MaxBytesError)); over != test.over || !over && (err != nil || string(data) != test.body) {
			t.Errorf("%s: %q, %v", test.name, data, err)
		}
	}
	for _, none := range []io.ReadCloser{nil, http.NoBody} {
		if got := Bound(none, 4); got != none {
			t.Errorf("%v becomes %v", none, got)
		}
	}
}

// TestBoundReads reads bodies in pieces of each length. Bound must return the same bytes and errors
// as http.MaxBytesReader. Some bodies return io.EOF with their last byte, and some after it.
func TestBoundReads(t *testing.T) {
	for _, text := range []string{"", "a", "abcd", "abcde", "abcdefgh"} {
		for _, wrap := range []func(io.Reader) io.Reader{
			func(r io.Reader) io.Reader { return r }, iotest.DataErrReader, iotest.OneByteReader, iotest.HalfReader, iotest.TimeoutReader,
		} {
			for size := range 7 {
				for limit := int64(1); limit < 7; limit++ {
					body := func() io.ReadCloser { return io.NopCloser(wrap(strings.NewReader(text))) }
					got, want := Bound(body(), limit), http.MaxBytesReader(nil, body(), limit)
					for i := range 12 {
						g, w := make([]byte, size), make([]byte, size)
						n, gerr := got.Read(g)
						m, werr := want.Read(w)
						if n != m || string(g[:n]) != string(w[:m]) || !reflect.DeepEqual(gerr, werr) {
							t.Fatalf("%q, limit %d, read %d of %d bytes: got %d %q %v, want %d %q %v", text, limit, i, size, n, g, gerr, m, w, werr)
						}
					}
				}
			}
		}
	}
}

// TestBoundInAnotherGoroutine reads past the limit in one goroutine while the handler uses the
// header of its response in another. The race detector must not report a race. With
// http.MaxBytesReader before Go 1.26.11 it reports one.
func TestBoundInAnotherGoroutine(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := Bound(r.Body, 10)
		done := make(chan error)
		go func() {
			_, err := io.Copy(io.Discard, b)
			done <- err
		}()
		for i := range 100 {
			w.Header().Set("X-Count", strconv.Itoa(i))
		}
		if err := <-done; StatusOf(err) != http.StatusRequestEntityTooLarge {
			t.Errorf("got %v", err)
		}
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	}))
	defer s.Close()
	for range 20 {
		resp, err := http.Post(s.URL, "text/plain", strings.NewReader(strings.Repeat("a", 1000)))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d", resp.StatusCode)
		}
	}
}

// TestTooLargeCloses sends a body of unknown length that is over the limit. The server must answer
// with status 413 and close the connection.
func TestTooLargeCloses(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		buf := buffer.Take()
		defer buf.Release()
		if err := Read(buf, w, r, 10); err != TooLarge {
			t.Errorf("got %v", err)
		}
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	}))
	defer s.Close()
	resp, err := http.Post(s.URL, "text/plain", io.MultiReader(strings.NewReader(strings.Repeat("a", 1000)))) // the length of the body is unknown
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge || !resp.Close {
		t.Errorf("status %d, closed %v", resp.StatusCode, resp.Close)
	}
}
