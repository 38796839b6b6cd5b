package routers_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"
	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/integrations/routers"
	"github.com/julienschmidt/httprouter"
)

type hostIn struct {
	Host string `path:"host" length:"..8"`
}

type hostOut struct {
	Host string `json:"host"`
}

func host(_ context.Context, in *hostIn) (*hostOut, error) { return &hostOut{in.Host}, nil }

func ExampleChi() {
	r := chi.NewRouter()
	api.Handle(routers.Chi(r), "GET /v1/hosts/{host}", host)

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("GET", "/v1/hosts/a%20b", nil))
	fmt.Print(w.Code, " ", w.Body)
	// Output: 200 {"host":"a b"}
}

func ExampleGorilla() {
	r := mux.NewRouter()
	api.Handle(routers.Gorilla(r), "GET /v1/hosts/{host}", host)

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("GET", "/v1/hosts/a%2Fb", nil))
	fmt.Print(w.Code, " ", w.Body)
	// Output: 200 {"host":"a/b"}
}

func ExampleHTTPRouter() {
	r := httprouter.New()
	api.Handle(routers.HTTPRouter(r), "GET /v1/hosts/{host}", host)

	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("GET", "/v1/hosts/much-too-long", nil))
	fmt.Println(w.Code)
	// Output: 422
}
