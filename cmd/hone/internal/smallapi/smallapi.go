// Package smallapi is for tests. It declares one small API in each form that hone openapi export accepts: as a
// variable and as a function of each accepted type.
package smallapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/api/openapi"
)

// In has no parameters.
type In struct{}

// Out is the response.
type Out struct {
	Name string `json:"name"`
}

// Routes registers the handlers.
func Routes(r api.Router) {
	api.Handle(r, "GET /small", func(context.Context, *In) (*Out, error) { return nil, nil })
}

// API returns the API.
func API() (*api.API, error) {
	a := api.New(api.Mux(http.NewServeMux()))
	Routes(a)
	return a, nil
}

// Described is a document.
var Described = func() *openapi.Document {
	a, _ := API()
	return openapi.Describe(a, openapi.Config{Title: "Small & more"})
}()

// Newer is a document in OpenAPI 3.2.
var Newer = func() *openapi.Document {
	a, _ := API()
	return openapi.Describe(a, openapi.Config{OpenAPI: "3.2"})
}()

// Broken is not an API.
var Broken = 5

// Fails returns an error.
func Fails() (*api.API, error) { return nil, errors.New("no API today") }

// Panics is a function that panics.
func Panics() *api.API { panic("no API here") }
