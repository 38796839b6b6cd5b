package web

import (
	"context"
	"crypto/rand"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/gofiber/fiber/v3"
	fiberlogger "github.com/gofiber/fiber/v3/middleware/logger"
	fiberrecover "github.com/gofiber/fiber/v3/middleware/recover"
	fiberid "github.com/gofiber/fiber/v3/middleware/requestid"
	"github.com/labstack/echo/v5"
	echomw "github.com/labstack/echo/v5/middleware"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// Terms has the path and query parameters of an order.
type Terms struct {
	Shop     int64   `param:"shop" uri:"shop"`
	Currency string  `query:"currency" form:"currency"`
	Tax      float64 `query:"tax" form:"tax"`
}

// An Order is the request: about 2 KB of JSON.
type Order struct {
	Customer string      `json:"customer"`
	Email    string      `json:"email"`
	Note     string      `json:"note"`
	Placed   time.Time   `json:"placed"`
	Lines    []OrderLine `json:"lines"`
}

// An OrderLine is a part of an [Order].
type OrderLine struct {
	Article string            `json:"article"`
	Title   string            `json:"title"`
	Count   int               `json:"count"`
	Price   float64           `json:"price"`
	Remark  string            `json:"remark"`
	Options map[string]string `json:"options,omitempty"`
}

// An Invoice is the response: about 4 KB of JSON.
type Invoice struct {
	Number   string        `json:"number"`
	Shop     int64         `json:"shop"`
	Currency string        `json:"currency"`
	Customer string        `json:"customer"`
	Email    string        `json:"email"`
	Due      time.Time     `json:"due"`
	Lines    []InvoiceLine `json:"lines"`
	Net      float64       `json:"net"`
	Tax      float64       `json:"tax"`
	Total    float64       `json:"total"`
	Paid     *time.Time    `json:"paid"`
}

// An InvoiceLine is a part of an [Invoice].
type InvoiceLine struct {
	Position int               `json:"position"`
	Article  string            `json:"article"`
	Title    string            `json:"title"`
	Text     string            `json:"text"`
	Count    int               `json:"count"`
	Price    float64           `json:"price"`
	Net      float64           `json:"net"`
	Tax      float64           `json:"tax"`
	Total    float64           `json:"total"`
	Shipped  bool              `json:"shipped"`
	Labels   []string          `json:"labels"`
	Options  map[string]string `json:"options,omitempty"`
}

// nobody is the customer for which the service panics.
const nobody = "nobody"

// invoice computes the result of the service.
func (o *Order) invoice(t *Terms) *Invoice {
	if o.Customer == nobody {
		panic("there is no such customer")
	}
	labels := []string{"retail", "standard delivery"}
	in := &Invoice{Number: "2026-004711", Shop: t.Shop, Currency: t.Currency, Customer: o.Customer, Email: o.Email, Due: o.Placed.Add(14 * 24 * time.Hour), Lines: make([]InvoiceLine, len(o.Lines))}
	for i := range o.Lines {
		l := &o.Lines[i]
		net := float64(l.Count) * l.Price
		in.Lines[i] = InvoiceLine{i + 1, l.Article, l.Title, "Delivered to the address of the account <1 week>", l.Count, l.Price, net, net * t.Tax, net + net*t.Tax, i%2 == 0, labels, l.Options}
		in.Net += net
	}
	in.Tax = in.Net * t.Tax
	in.Total = in.Net + in.Tax
	return in
}

func someOrder() *Order {
	o := &Order{Customer: "Ada Lovelace", Email: "ada@example.org", Note: "Please ring \"twice\".\nThe bell is quiet, größer than it looks.", Placed: time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)}
	for i := range 14 {
		l := OrderLine{Article: fmt.Sprintf("A-%05d", 1234*i), Title: fmt.Sprintf("Article number %d of the catalogue", i), Count: 1 + i%4, Price: 4.75 + float64(i)*1.5, Remark: "wrapped, please"}
		if i%3 == 0 {
			l.Options = map[string]string{"colour": "blue", "size": "XL"}
		}
		o.Lines = append(o.Lines, l)
	}
	return o
}

const servicePath = "/v1/shops/:shop/orders"

var errTerms = errors.New("the shop or the tax is not a number")

// services have a logger, recovery from panics and request IDs before a handler
// that binds the path, the query and the body, and answers with JSON.
func services() []Server {
	logged := func() *slog.Logger { return slog.New(slog.NewJSONHandler(io.Discard, nil)) }
	return []Server{
		{"hone", []string{"hone/json"}, func() any {
			e := web.New()
			e.Logger = logged()
			e.Use(middleware.RequestLogger(), middleware.Recover(), middleware.RequestID())
			e.POST(servicePath, func(c *web.Context) error {
				var t Terms
				var o Order
				if err := errors.Join(web.BindPathValues(c, &t), web.BindQueryParams(c, &t), web.BindBody(c, &o)); err != nil {
					return web.NewHTTPError(http.StatusBadRequest, err.Error())
				}
				return c.JSON(http.StatusOK, o.invoice(&t))
			})
			return e
		}},
		{EchoName, []string{"encoding/json"}, func() any {
			e := echo.New()
			e.Logger = logged()
			e.Use(echomw.RequestLogger(), echomw.Recover(), echomw.RequestID())
			e.POST(servicePath, func(c *echo.Context) error {
				var t Terms
				var o Order
				if err := errors.Join(echo.BindPathValues(c, &t), echo.BindQueryParams(c, &t), echo.BindBody(c, &o)); err != nil {
					return echo.NewHTTPError(http.StatusBadRequest, err.Error())
				}
				return c.JSON(http.StatusOK, o.invoice(&t))
			})
			return e
		}},
		{GinName, []string{"encoding/json", "request IDs by hand"}, func() any {
			gin.SetMode(gin.ReleaseMode)
			e := gin.New()
			e.Use(gin.LoggerWithWriter(io.Discard), gin.RecoveryWithWriter(io.Discard), func(c *gin.Context) {
				c.Header("X-Request-Id", rand.Text())
				c.Next()
			})
			e.POST(servicePath, func(c *gin.Context) {
				var t Terms
				var o Order
				if err := errors.Join(c.ShouldBindUri(&t), c.ShouldBindQuery(&t), c.ShouldBindJSON(&o)); err != nil {
					c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"message": err.Error()})
					return
				}
				c.JSON(http.StatusOK, o.invoice(&t))
			})
			return e
		}},
		{ChiName, []string{"encoding/json", "binding and middleware by hand"}, func() any {
			e := chi.NewRouter()
			e.Use(dressed(logged()))
			e.Post("/v1/shops/{shop}/orders", orders(func(r *http.Request) string { return chi.URLParam(r, "shop") }))
			return e
		}},
		{MuxName, []string{"encoding/json", "http.ServeMux, binding and middleware by hand"}, func() any {
			mux := http.NewServeMux()
			mux.HandleFunc("POST /v1/shops/{shop}/orders", orders(func(r *http.Request) string { return r.PathValue("shop") }))
			return dressed(logged())(mux)
		}},
		{FiberName, []string{"encoding/json", FasthttpNote}, func() any {
			app := fiber.New()
			app.Use(fiberlogger.New(fiberlogger.Config{Stream: io.Discard}), fiberrecover.New(), fiberid.New())
			app.Post(servicePath, func(c fiber.Ctx) error {
				var t Terms
				var o Order
				if err := errors.Join(c.Bind().URI(&t), c.Bind().Query(&t), c.Bind().JSON(&o)); err != nil {
					return fiber.NewError(http.StatusBadRequest, err.Error())
				}
				return c.JSON(o.invoice(&t))
			})
			return app.Handler()
		}},
	}
}

// orders is a typical handler for net/http.
func orders(shop func(r *http.Request) string) http.HandlerFunc {
	terms := func(r *http.Request) (t Terms, err error) {
		id, err1 := strconv.ParseInt(shop(r), 10, 64)
		q := r.URL.Query()
		tax, err2 := strconv.ParseFloat(q.Get("tax"), 64)
		if err1 != nil || err2 != nil {
			return t, errTerms
		}
		return Terms{id, q.Get("currency"), tax}, nil
	}
	return func(w http.ResponseWriter, r *http.Request) {
		var o Order
		t, err := terms(r)
		if err == nil {
			err = stdjson.NewDecoder(r.Body).Decode(&o)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header()["Content-Type"] = jsonType
		_ = stdjson.NewEncoder(w).Encode(o.invoice(&t))
	}
}

// dressed is typical middleware for net/http.
func dressed(log *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			start, id, status := time.Now(), rand.Text(), &statusWriter{w, http.StatusOK}
			w.Header().Set("X-Request-Id", id)
			defer func() {
				if p := recover(); p != nil {
					http.Error(status, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
				}
				log.LogAttrs(context.Background(), slog.LevelInfo, "request", slog.String("method", r.Method), slog.String("uri", r.RequestURI),
					slog.Int("status", status.status), slog.Duration("latency", time.Since(start)), slog.String("request_id", id))
			}()
			next.ServeHTTP(status, r)
		})
	}
}

// A statusWriter remembers the status for the log.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// ServiceContests measure a whole service: the handlers, the middleware, the
// binding and the JSON of one request together.
func ServiceContests() []contest.Contest {
	o, terms := someOrder(), Terms{42, "EUR", 0.25}
	in, err := stdjson.Marshal(o)
	if err != nil {
		panic(err)
	}
	out, err := stdjson.Marshal(o.invoice(&terms))
	if err != nil {
		panic(err)
	}
	post := func(shop, query string, body []byte) request {
		return request{"POST", "/v1/shops/" + shop + "/orders?" + query, map[string]string{"Content-Type": "application/json", "Accept": "application/json"}, string(body)}
	}
	asked, answered := post("42", "currency=EUR&tax=0.25", in), hasAnswer(200, "application/json", string(out))
	probes := []askProbe{
		{"accepts a body that is not JSON", post("42", "currency=EUR&tax=0.25", append(in[:len(in)-1:len(in)-1], ",}"...)), refuses},
		{"accepts a path parameter that is not a number", post("x", "currency=EUR&tax=0.25", in), refuses},
		{"accepts a query parameter that is not a number", post("42", "currency=EUR&tax=x", in), refuses},
		{"sets no request ID", asked, hasFields("X-Request-Id")},
		{"does not answer after a panic", post("42", "currency=EUR&tax=0.25", []byte(strings.Replace(string(in), o.Customer, nobody, 1))), func(a answer) bool { return a.status == 500 }},
	}
	servers := services()
	return []contest.Contest{
		asking(whole, probes, servers, serving("service/an order in, an invoice out", asked, answered, servers...)),
		asking(whole, probes, servers, connected("service/the same over TCP, 16 connections", 16, asked, answered, servers)),
	}
}
