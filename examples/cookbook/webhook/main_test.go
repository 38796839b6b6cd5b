package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/hone-go/hone/api/client"
)

func Test(t *testing.T) {
	secret := []byte("s")
	var handled []string
	failures := 2
	receive := receiver(secret, func(e Event) error {
		if failures--; failures >= 0 {
			return errors.New("the database is down")
		}
		handled = append(handled, e.ID)
		return nil
	})
	lost := 1 // the number of successful answers that are not sent
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		receive.ServeHTTP(rec, r)
		if rec.Code == http.StatusNoContent {
			if lost--; lost >= 0 {
				panic(http.ErrAbortHandler)
			}
		}
		w.WriteHeader(rec.Code)
	}))
	defer server.Close()

	deliver := func(secret string, attempts int, id string) error {
		send, err := sender(server.URL, []byte(secret), client.Retry{Attempts: attempts, Wait: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		return send(t.Context(), Event{ID: id})
	}
	if err := deliver("s", 2, "1"); err == nil {
		t.Error("two failures, and two attempts: no error")
	}
	if err := deliver("s", 3, "1"); err != nil {
		t.Errorf("one lost answer, and three attempts: %v", err)
	}
	if err := deliver("s", 1, "2"); err != nil {
		t.Error(err)
	}
	var answer *client.AnswerError
	if err := deliver("other", 3, "3"); !errors.As(err, &answer) || !strings.Contains(err.Error(), "Forbidden") {
		t.Errorf("a wrong signature: %v", err)
	}
	if got := strings.Join(handled, " "); got != "1 2" {
		t.Errorf("handled: %s", got)
	}
}
