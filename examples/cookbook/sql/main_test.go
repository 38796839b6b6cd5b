package main

import (
	"database/sql"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

func Test(t *testing.T) {
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "books.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	h, err := handler(db)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		request, body string
		status        int
		want          string
	}{
		{"GET /v1/books", "", 200, "[]"},
		{"POST /v1/books", `{"title":"Walden","author":"Thoreau","year":1854}`, 201, `{"id":1,"title":"Walden","author":"Thoreau","year":1854}`},
		{"POST /v1/books", `{"title":"Beowulf"}`, 201, `{"id":2,"title":"Beowulf","author":null,"year":null}`},
		{"POST /v1/books", `{"title":"Walden","author":"Thoreau"}`, 409, "there already"},
		{"POST /v1/books", `{"title":"","year":12}`, 422, ".year"},
		{"GET /v1/books/2", "", 200, `{"id":2,"title":"Beowulf","author":null,"year":null}`},
		{"GET /v1/books/3", "", 404, "no such book"},
		{"GET /v1/books?author=Thoreau", "", 200, `[{"id":1,"title":"Walden","author":"Thoreau","year":1854}]`},
		{"GET /v1/books?author='+OR+1=1", "", 200, `[]`},
		{"GET /v1/books", "", 200, `{"id":2,"title":"Beowulf","author":null,"year":null}]`},
	} {
		method, path, _ := strings.Cut(test.request, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(test.body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := strings.Join(strings.Fields(w.Body.String()), ""); w.Code != test.status || !strings.Contains(got, strings.Join(strings.Fields(test.want), "")) {
			t.Errorf("%s %s: %d %s, want %d %s", test.request, test.body, w.Code, w.Body, test.status, test.want)
		}
	}
}
