package web

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	chimw "github.com/go-chi/chi/v5/middleware"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v5"
	echomw "github.com/labstack/echo/v5/middleware"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

const tcpText = "Hello World"

func sayHello(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	_, _ = io.WriteString(w, tcpText)
}

// BareServers respond with a line of text, and have no middleware.
func BareServers() []Server {
	return []Server{
		{"hone", nil, func() any {
			e := web.New()
			e.GET(respondPath, func(c *web.Context) error { return c.String(http.StatusOK, tcpText) })
			return e
		}},
		{MuxName, []string{"http.ServeMux"}, func() any {
			mux := http.NewServeMux()
			mux.HandleFunc("GET "+respondPath, sayHello)
			return http.Handler(mux)
		}},
		{EchoName, nil, func() any {
			e := echo.New()
			e.GET(respondPath, func(c *echo.Context) error { return c.String(http.StatusOK, tcpText) })
			return e
		}},
		{GinName, nil, func() any {
			gin.SetMode(gin.ReleaseMode)
			e := gin.New()
			e.GET(respondPath, func(c *gin.Context) { c.String(http.StatusOK, tcpText) })
			return e
		}},
		{ChiName, nil, func() any {
			e := chi.NewRouter()
			e.Get(respondPath, sayHello)
			return e
		}},
		{FiberName, []string{FasthttpNote}, func() any {
			app := fiber.New()
			app.Get(respondPath, func(c fiber.Ctx) error { return c.SendString(tcpText) })
			return app.Handler()
		}},
	}
}

// dressedServers have a logger, recovery from panics, request IDs and security headers before one
// handler, if the peer has such middleware.
func dressedServers() []Server {
	logged := func() *slog.Logger { return slog.New(slog.NewJSONHandler(io.Discard, nil)) }
	return []Server{
		{"hone", nil, func() any {
			e := web.New()
			e.Logger = logged()
			e.Use(middleware.RequestLogger(), middleware.Recover(), middleware.RequestID(), middleware.Secure())
			e.GET(respondPath, func(c *web.Context) error { return c.String(http.StatusOK, tcpText) })
			return e
		}},
		{MuxName, []string{"http.ServeMux", "none of it"}, BareServers()[1].make},
		{EchoName, nil, func() any {
			e := echo.New()
			e.Logger = logged()
			e.Use(echomw.RequestLogger(), echomw.Recover(), echomw.RequestID(), echomw.Secure())
			e.GET(respondPath, func(c *echo.Context) error { return c.String(http.StatusOK, tcpText) })
			return e
		}},
		{GinName, []string{"logger and recovery only"}, func() any {
			gin.SetMode(gin.ReleaseMode)
			e := gin.New()
			e.Use(gin.LoggerWithWriter(io.Discard), gin.Recovery())
			e.GET(respondPath, func(c *gin.Context) { c.String(http.StatusOK, tcpText) })
			return e
		}},
		{ChiName, []string{"no security headers"}, func() any {
			e := chi.NewRouter()
			e.Use(chimw.RequestID, chimw.RequestLogger(&chimw.DefaultLogFormatter{Logger: discardLogger{}, NoColor: true}), chimw.Recoverer)
			e.Get(respondPath, sayHello)
			return e
		}},
	}
}

type discardLogger struct{}

func (discardLogger) Print(v ...any) { fmt.Fprint(io.Discard, v...) }

// Connected is the contest of answering over TCP.
func Connected(name string, connections int, servers []Server) contest.Contest {
	return connected(name, connections, request{method: "GET", target: respondPath}, hasAnswer(200, "text/plain", tcpText), servers)
}

// connected is the contest of answering some request over TCP.
func connected(name string, connections int, asked request, check func(a answer) error, servers []Server) contest.Contest {
	c := contest.Contest{Name: name, Way: contest.Parallel}
	for _, s := range servers {
		c.Contestants = append(c.Contestants, contest.Contestant{Name: s.Name, Notes: s.notes, Measure: func() (func(time.Duration) (contest.Sample, error), error) {
			return loaded(s.make(), connections, asked, check)
		}})
	}
	return c
}

// TCPContests measure whole requests over TCP.
func TCPContests() []contest.Contest {
	hello := request{method: "GET", target: respondPath}
	return []contest.Contest{
		Connected("tcp/text, 16 connections", 16, BareServers()),
		asking(dressing, []askProbe{
			{"sets no request ID", hello, hasFields("X-Request-Id")},
			{"sets no security headers", hello, hasFields("X-Content-Type-Options", "X-Frame-Options")},
		}, dressedServers(), Connected("tcp/Logger, Recover, RequestID, Secure, 16 connections", 16, dressedServers())),
	}
}
