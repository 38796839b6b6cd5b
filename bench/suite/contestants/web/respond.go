package web

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v5"

	honeapi "github.com/hone-go/hone/api"
	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/generated/jsonpeer"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/web"
)

// A respondent is a handler that is written for each of four frameworks.
type respondent struct {
	hone  web.HandlerFunc
	echo  echo.HandlerFunc
	gin   gin.HandlerFunc
	fiber fiber.Handler
}

const respondPath = "/hello"

func (r respondent) servers() []Server {
	all := []Server{
		{"hone", nil, func() any {
			e := web.New()
			e.Logger = quiet
			e.GET(respondPath, r.hone)
			return e
		}},
		{EchoName, nil, func() any {
			e := echo.New()
			e.Logger = quiet
			e.GET(respondPath, r.echo)
			return e
		}},
	}
	if r.gin != nil {
		all = append(all, Server{GinName, nil, func() any {
			gin.SetMode(gin.ReleaseMode)
			e := gin.New()
			e.GET(respondPath, r.gin)
			return e
		}})
	}
	if r.fiber != nil {
		all = append(all, Server{FiberName, []string{FasthttpNote}, func() any {
			app := fiber.New()
			app.Get(respondPath, r.fiber)
			return app.Handler()
		}})
	}
	return all
}

// Message is the value that the contest respond/Response{Message} sends.
type Message struct {
	Message string
}

// RespondContests measure responses to requests.
func RespondContests() []contest.Contest {
	get := request{method: "GET", target: respondPath}
	const text = "Hello World"
	record := jsonpeer.Octo()
	document, err := stdjson.Marshal(record)
	if err != nil {
		panic(err)
	}
	blob := []byte("\x00\x01 some bytes \xff")
	boom := errors.New("boom")
	message := Message{text}
	nothing, wrongMethod := request{method: "GET", target: "/nowhere"}, request{method: "DELETE", target: respondPath}

	all := []contest.Contest{
		serving("respond/String", get, hasAnswer(200, "text/plain", text), respondent{
			func(c *web.Context) error { return c.String(http.StatusOK, text) },
			func(c *echo.Context) error { return c.String(http.StatusOK, text) },
			func(c *gin.Context) { c.String(http.StatusOK, text) },
			func(c fiber.Ctx) error { return c.SendString(text) },
		}.servers()...),
		serving("respond/JSON", get, hasAnswer(200, "application/json", string(document)), respondent{
			func(c *web.Context) error { return c.JSON(http.StatusOK, &record) },
			func(c *echo.Context) error { return c.JSON(http.StatusOK, &record) },
			func(c *gin.Context) { c.JSON(http.StatusOK, &record) },
			func(c fiber.Ctx) error { return c.JSON(&record) },
		}.servers()...),
		serving("respond/Blob", get, hasAnswer(200, "application/octet-stream", string(blob)), respondent{
			func(c *web.Context) error { return c.Blob(http.StatusOK, "application/octet-stream", blob) },
			func(c *echo.Context) error { return c.Blob(http.StatusOK, "application/octet-stream", blob) },
			func(c *gin.Context) { c.Data(http.StatusOK, "application/octet-stream", blob) },
			func(c fiber.Ctx) error { c.Type("bin"); return c.Send(blob) },
		}.servers()...),
		serving("respond/NoContent", get, hasAnswer(204, "", ""), respondent{
			func(c *web.Context) error { return c.NoContent(http.StatusNoContent) },
			func(c *echo.Context) error { return c.NoContent(http.StatusNoContent) },
			func(c *gin.Context) { c.Status(http.StatusNoContent); c.Writer.WriteHeaderNow() },
			func(c fiber.Ctx) error { c.Status(http.StatusNoContent); return nil },
		}.servers()...),
		serving("respond/HTTPError", get, hasAnswer(400, "application/json", `{"message":"no such thing"}`), respondent{
			func(c *web.Context) error { return web.NewHTTPError(http.StatusBadRequest, "no such thing") },
			func(c *echo.Context) error { return echo.NewHTTPError(http.StatusBadRequest, "no such thing") },
			func(c *gin.Context) {
				c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"message": "no such thing"})
			}, nil,
		}.servers()...),
		serving("respond/an error, as 500", get, hasStatus(500), respondent{
			func(c *web.Context) error { return boom }, func(c *echo.Context) error { return boom }, nil, nil,
		}.servers()...),
	}

	// The contest has three ways to write one value with the standard library, and one way for each framework.
	// Contestants without a router keep fewer promises.
	writers := append(respondent{
		func(c *web.Context) error { return c.JSON(http.StatusOK, &message) },
		func(c *echo.Context) error { return c.JSON(http.StatusOK, &message) },
		func(c *gin.Context) { c.JSON(http.StatusOK, &message) },
		func(c fiber.Ctx) error { return c.JSON(&message) },
	}.servers(),
		Server{"hone json.MarshalWrite", []string{"net/http"}, stdlib(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = jsonType
			_ = json.MarshalWrite(w, &message)
		})},
		Server{"Marshal, then Fprint", []string{"encoding/json"}, stdlib(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = jsonType
			b, _ := stdjson.Marshal(message)
			fmt.Fprint(w, string(b))
		})},
		Server{"NewEncoder(w).Encode(v)", []string{"encoding/json"}, stdlib(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = jsonType
			_ = stdjson.NewEncoder(w).Encode(message)
		})},
		Server{"NewEncoder(w).Encode(&v)", []string{"encoding/json"}, stdlib(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = jsonType
			_ = stdjson.NewEncoder(w).Encode(&message)
		})},
	)
	all = append(all, asking(refusals, []askProbe{
		{"has no routes: it answers every path", nothing, func(a answer) bool { return a.status == http.StatusNotFound }},
	}, writers, serving("respond/Response{Message}", get, hasAnswer(200, "application/json", `{"Message":"Hello World"}`), writers...)))

	all = append(all,
		asking(refusals, []askProbe{
			{"does not answer 404 as JSON with a message", nothing, refused(404)},
		}, nowhere(), serving("respond/404", nothing, hasStatus(404), nowhere()...)),
		asking(refusals, []askProbe{
			{"does not answer 405 as JSON with a message and the allowed methods", wrongMethod, refused(405, "GET")},
		}, nowhere(), serving("respond/405", wrongMethod, hasStatus(405), nowhere()...)),
		serving("respond/problem document", get, hasStatus(404),
			Server{"hone", nil, func() any {
				e := web.New()
				e.Logger = quiet
				e.HTTPErrorHandler = web.WrapErrorHandler(honeapi.WriteError)
				e.GET(respondPath, func(c *web.Context) error { return honeapi.NewProblem(http.StatusNotFound, "no such thing") })
				return e
			}},
			Server{EchoName, []string{"RFC 9457 by hand: JSON of a struct"}, func() any {
				e := echo.New()
				e.Logger = quiet
				e.GET(respondPath, func(c *echo.Context) error {
					c.Response().Header().Set("Content-Type", "application/problem+json")
					return c.JSON(http.StatusNotFound, &struct {
						Type   string `json:"type,omitempty"`
						Title  string `json:"title"`
						Status int    `json:"status"`
						Detail string `json:"detail"`
					}{"", "Not Found", 404, "no such thing"})
				})
				return e
			}}),
	)
	return all
}

var jsonType = []string{"application/json"}

// nowhere returns servers of a small API. If a request has no route, the frameworks respond without
// a handler of the program, in JSON or plain text.
func nowhere() []Server {
	return []Server{
		{"hone", []string{"JSON"}, func() any { return HoneRouter(append(small, Route{"GET", respondPath}), 0, nil) }},
		{EchoName, []string{"JSON"}, func() any { return EchoRouter(append(small, Route{"GET", respondPath}), 0, nil) }},
		{GinName, []string{"plain text"}, func() any {
			e := GinRouter(append(small, Route{"GET", respondPath}), 0, nil).(*gin.Engine)
			e.HandleMethodNotAllowed = true
			return e
		}},
		{ChiName, []string{"plain text"}, func() any { return ChiRouter(append(small, Route{"GET", respondPath}), 0, nil).(*chi.Mux) }},
		{MuxName, []string{"plain text"}, func() any { return MuxRouter(append(small, Route{"GET", respondPath}), 0, nil) }},
		{FiberName, []string{"plain text", FasthttpNote}, func() any { return fiberRouter(append(small, Route{"GET", respondPath}), 0, nil) }},
	}
}
