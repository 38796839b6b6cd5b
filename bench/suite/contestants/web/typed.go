package web

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/go-fuego/fuego"
	"github.com/labstack/echo/v5"

	honeapi "github.com/hone-go/hone/api"
	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/web"
)

// Person is the body of a request, with its limits in the tags of each framework that has tags.
type Person struct {
	Name  string   `json:"name" length:"1..80" minLength:"1" maxLength:"80" validate:"required,min=1,max=80"`
	Email string   `json:"email" length:"3..200" minLength:"3" maxLength:"200" validate:"required,min=3,max=200"`
	Age   int      `json:"age" min:"0" max:"150" minimum:"0" maximum:"150" validate:"min=0,max=150"`
	Tags  []string `json:"tags" length:"..10" maxItems:"10" validate:"max=10"`
}

// valid checks the limits of a Person, for frameworks that leave this to the handler.
func (p *Person) valid() bool {
	return len(p.Name) >= 1 && len(p.Name) <= 80 && len(p.Email) >= 3 && len(p.Email) <= 200 && p.Age >= 0 && p.Age <= 150 && len(p.Tags) <= 10
}

// Account is the body of a response.
type Account struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Adult  bool   `json:"adult"`
	Labels int    `json:"labels"`
}

func (p *Person) account() *Account { return &Account{4711, p.Name, p.Age >= 18, len(p.Tags)} }

// TypedContests measure handlers that have structs as parameters and results.
func TypedContests() []contest.Contest {
	const path = "/v1/people"
	post := request{"POST", path, map[string]string{"Content-Type": "application/json", "Accept": "application/json"},
		`{"name":"Ada","email":"ada@example.org","age":36,"tags":["a","bc","def"]}`}
	const byHand, byTags = "validated by hand", "validated by tags"
	servers := []Server{
		{"hone", []string{byTags}, func() any {
			e := web.New()
			e.Logger = quiet
			honeapi.Handle(e, "POST "+path, func(_ context.Context, in *Person) (*Account, error) { return in.account(), nil })
			return e
		}},
		{"hone on ServeMux", []string{"on net/http", byTags}, func() any {
			mux := http.NewServeMux()
			honeapi.Handle(honeapi.Mux(mux), "POST "+path, func(_ context.Context, in *Person) (*Account, error) { return in.account(), nil })
			return http.Handler(mux)
		}},
		{"hone Bind and JSON", []string{byHand}, func() any {
			e := web.New()
			e.Logger = quiet
			e.POST(path, func(c *web.Context) error {
				var in Person
				if err := c.Bind(&in); err != nil {
					return err
				}
				if !in.valid() {
					return web.NewHTTPError(http.StatusUnprocessableEntity, "invalid")
				}
				return c.JSON(http.StatusOK, in.account())
			})
			return e
		}},
		{EchoName, []string{"Bind and JSON", byHand}, func() any {
			e := echo.New()
			e.Logger = quiet
			e.POST(path, func(c *echo.Context) error {
				var in Person
				if err := c.Bind(&in); err != nil {
					return err
				}
				if !in.valid() {
					return echo.NewHTTPError(http.StatusUnprocessableEntity, "invalid")
				}
				return c.JSON(http.StatusOK, in.account())
			})
			return e
		}},
		{HumaName, []string{"on net/http", byTags}, func() any {
			mux := http.NewServeMux()
			config := huma.DefaultConfig("people", "1")
			config.CreateHooks = nil // the default hooks add a link to the schema to every answer
			huma.Post(humago.New(mux, config), path, func(_ context.Context, in *struct{ Body Person }) (*struct{ Body *Account }, error) {
				return &struct{ Body *Account }{in.Body.account()}, nil
			})
			return http.Handler(mux)
		}},
		{FuegoName, []string{byTags}, func() any {
			s := fuego.NewServer(fuego.WithoutStartupMessages(), fuego.WithoutLogger(),
				fuego.WithEngineOptions(fuego.WithOpenAPIConfig(fuego.OpenAPIConfig{DisableLocalSave: true, DisableMessages: true})))
			fuego.Post(s, path, func(c fuego.ContextWithBody[Person]) (*Account, error) {
				in, err := c.Body()
				if err != nil {
					return nil, err
				}
				return in.account(), nil
			})
			return http.Handler(s.Mux)
		}},
	}
	wrong := func(body string) request { return request{post.method, path, post.header, body} }
	return []contest.Contest{asking(checks, []askProbe{
		{"accepts a body that is not JSON", wrong(`{"name":"Ada","email":"ada@example.org","age":36,"tags":["a","bc","def"],}`), refuses},
		{"accepts a member of another type", wrong(`{"name":"Ada","email":"ada@example.org","age":"36","tags":[]}`), refuses},
		{"accepts a number above its limit", wrong(`{"name":"Ada","email":"ada@example.org","age":151,"tags":[]}`), refuses},
		{"accepts a string shorter than its limit", wrong(`{"name":"","email":"ada@example.org","age":36,"tags":[]}`), refuses},
		{"accepts a list longer than its limit", wrong(`{"name":"Ada","email":"ada@example.org","age":36,"tags":["","","","","","","","","","",""]}`), refuses},
	}, servers, serving("typed/JSON in, JSON out", post, hasAnswer(200, "application/json", `{"id":4711,"name":"Ada","adult":true,"labels":3}`), servers...))}
}
