package main

import (
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

func Test(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler(map[string]string{"k": "dashboard"})
		// admitted returns the number of requests that are not answered with 429.
		admitted := func(n int, method, path, address, key string) (count int) {
			for range n {
				r := httptest.NewRequest(method, path, nil)
				r.RemoteAddr = address + ":1234"
				r.Header.Set("X-API-Key", key)
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				switch w.Code {
				case 200:
					count++
				case 429:
					if w.Header().Get("Retry-After") == "" {
						t.Errorf("%s: 429 without Retry-After", path)
					}
				default:
					t.Errorf("%s: %d %s", path, w.Code, w.Body)
				}
			}
			return count
		}
		for _, test := range []struct {
			method, path, address, key string
			want                       int
		}{
			{"GET", "/v1/readings", "192.0.2.1", "", 10},
			{"GET", "/v1/readings", "192.0.2.1", "invented", 0}, // still the address
			{"GET", "/v1/readings", "192.0.2.2", "", 10},        // another address
			{"GET", "/v1/readings", "192.0.2.1", "k", 10},       // a key
			{"GET", "/v1/readings", "192.0.2.2", "k", 0},        // the same key elsewhere
			{"GET", "/health", "192.0.2.1", "", 30},
			{"POST", "/v1/reports", "192.0.2.3", "", 2},
		} {
			if got := admitted(30, test.method, test.path, test.address, test.key); got != test.want {
				t.Errorf("%+v: %d", test, got)
			}
		}
		time.Sleep(11 * time.Second)
		if got := admitted(30, "POST", "/v1/reports", "192.0.2.3", ""); got != 1 {
			t.Errorf("after eleven seconds: %d", got)
		}
	})
}
