package security_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/hone-go/hone/api/security"
)

// A gate protects a plain handler.
func ExampleNewGate() {
	session := security.Bearer("session", func(_ context.Context, token string) (string, error) {
		if token != "secret" {
			return "", errors.New("unknown token")
		}
		return "ann", nil
	})
	gate, err := security.NewGate(session.With())
	if err != nil {
		fmt.Println(err)
		return
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found, err := gate.Admit(w.Header(), r)
		if err != nil {
			http.Error(w, "log in first", http.StatusUnauthorized)
			return
		}
		user, _ := found.Value(session)
		fmt.Fprintln(w, "hello,", user)
	})
	for _, field := range []string{"Bearer secret", "Bearer other", ""} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
		if field != "" {
			r.Header.Set("Authorization", field)
		}
		handler.ServeHTTP(w, r)
		fmt.Print(w.Code, " ", w.Body)
	}
	// Output:
	// 200 hello, ann
	// 401 log in first
	// 401 log in first
}
