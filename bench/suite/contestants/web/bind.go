package web

import (
	stdjson "encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/labstack/echo/v5"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/web"
)

// Search has five fields for every part of a request, with the tags of all frameworks.
type Search struct {
	Host   string  `param:"host" uri:"host" query:"host" form:"host" header:"X-Host" json:"host"`
	Limit  int     `param:"limit" uri:"limit" query:"limit" form:"limit" header:"X-Limit" json:"limit"`
	Offset uint64  `param:"offset" uri:"offset" query:"offset" form:"offset" header:"X-Offset" json:"offset"`
	Active bool    `param:"active" uri:"active" query:"active" form:"active" header:"X-Active" json:"active"`
	Score  float64 `param:"score" uri:"score" query:"score" form:"score" header:"X-Score" json:"score"`
}

// SearchValue is the expected value of a Search.
var SearchValue = Search{Host: "some-host", Limit: 25, Offset: 1000, Active: true, Score: 0.75}

// fields are the fields of SearchValue as text, by name.
var fields = []struct{ name, value string }{{"host", "some-host"}, {"limit", "25"}, {"offset", "1000"}, {"active", "true"}, {"score", "0.75"}}

// SearchQuery is the query with the fields of SearchValue.
func SearchQuery() string {
	q := url.Values{}
	for _, f := range fields {
		q.Set(f.name, f.value)
	}
	return q.Encode()
}

// Wide has twenty fields of a query.
type Wide struct {
	A0 string  `query:"A0" form:"A0"`
	A1 string  `query:"A1" form:"A1"`
	A2 string  `query:"A2" form:"A2"`
	A3 string  `query:"A3" form:"A3"`
	A4 string  `query:"A4" form:"A4"`
	B0 int     `query:"B0" form:"B0"`
	B1 int     `query:"B1" form:"B1"`
	B2 int     `query:"B2" form:"B2"`
	B3 int     `query:"B3" form:"B3"`
	B4 int     `query:"B4" form:"B4"`
	C0 bool    `query:"C0" form:"C0"`
	C1 bool    `query:"C1" form:"C1"`
	C2 bool    `query:"C2" form:"C2"`
	C3 bool    `query:"C3" form:"C3"`
	C4 bool    `query:"C4" form:"C4"`
	D0 float64 `query:"D0" form:"D0"`
	D1 float64 `query:"D1" form:"D1"`
	D2 float64 `query:"D2" form:"D2"`
	D3 float64 `query:"D3" form:"D3"`
	D4 float64 `query:"D4" form:"D4"`
}

// A binding has the code that binds a T from a context in each of four frameworks.
type binding[T any] struct {
	hone  func(c *web.Context, v *T) error
	echo  func(c *echo.Context, v *T) error
	gin   func(c *gin.Context, v *T) error
	fiber func(c fiber.Ctx, v *T) error
	// alone uses package bind with a plain request.
	alone func(r *http.Request, v *T) error
}

// binds returns the contest of binding a request, which must yield want. The context is cleared before each
// iteration, as between two requests. The contexts of gin and fiber are cleared only by their servers, so the
// figures of gin and fiber include routing.
func binds[T comparable](name string, r request, params []string, want T, b binding[T]) contest.Contest {
	// prepare checks that the function turn binds the request to the value want, and returns a
	// function that calls turn in a loop.
	prepare := func(turn func(v *T) error) (func(int), error) {
		var v, zero T
		if err := turn(&v); err != nil {
			return nil, err
		}
		if v != want {
			return nil, fmt.Errorf("the bound value is %+v, want %+v", v, want)
		}
		return contest.Loop(func() {
			v = zero
			_ = turn(&v)
		}), nil
	}
	path, routed := "/", r
	if len(params) > 0 {
		path, routed.target = "", ""
		for i, p := range params {
			path += "/:" + p
			routed.target += "/" + fields[i].value
		}
	}

	c := contest.Contest{Name: name, Contestants: []contest.Contestant{
		{Name: "hone", New: func() (func(int), error) {
			asked, renew := r.renewed()
			w := NewNothing()
			c := web.New().NewContext(asked, w)
			values, route := make(web.PathValues, len(params)), web.RouteInfo{}
			for i, p := range params {
				values[i] = web.PathValue{Name: p, Value: fields[i].value}
			}
			return prepare(func(v *T) error {
				renew()
				c.Reset(asked, w)
				c.InitializeRoute(&route, &values)
				return b.hone(c, v)
			})
		}},
	}}
	if b.alone != nil {
		c.Contestants = append(c.Contestants, contest.Contestant{Name: "hone bind", Notes: []string{"package bind alone"}, New: func() (func(int), error) {
			asked, _ := r.renewed()
			return prepare(func(v *T) error { return b.alone(asked, v) })
		}})
	}
	c.Contestants = append(c.Contestants, contest.Contestant{Name: EchoName, New: func() (func(int), error) {
		asked, renew := r.renewed()
		w := NewNothing()
		c := echo.New().NewContext(asked, w)
		values, route := make(echo.PathValues, len(params)), echo.RouteInfo{}
		for i, p := range params {
			values[i] = echo.PathValue{Name: p, Value: fields[i].value}
		}
		return prepare(func(v *T) error {
			renew()
			c.Reset(asked, w)
			c.InitializeRoute(&route, &values)
			return b.echo(c, v)
		})
	}})
	if b.gin != nil {
		c.Contestants = append(c.Contestants, contest.Contestant{Name: GinName, Notes: []string{"with routing"}, New: func() (func(int), error) {
			gin.SetMode(gin.ReleaseMode)
			e := gin.New()
			var v *T
			var err error
			e.Handle(r.method, path, func(c *gin.Context) { err = b.gin(c, v) })
			asked, renew := routed.renewed()
			w := NewNothing()
			return prepare(func(to *T) error {
				renew()
				v = to
				e.ServeHTTP(w, asked)
				return err
			})
		}})
	}
	if b.fiber != nil {
		c.Contestants = append(c.Contestants, contest.Contestant{Name: FiberName, Notes: []string{"with routing", FasthttpNote}, New: func() (func(int), error) {
			app := fiber.New()
			var v *T
			app.Add([]string{r.method}, path, func(c fiber.Ctx) error { return b.fiber(c, v) })
			asked, h := routed.fast(), app.Handler()
			return prepare(func(to *T) error {
				v = to
				h(asked)
				if status := asked.Response.StatusCode(); status != http.StatusOK {
					return fmt.Errorf("the response has the status %d", status)
				}
				return nil
			})
		}})
	}
	return c
}

// renewed returns the request for net/http, and a function that restores it.
func (r request) renewed() (asked *http.Request, renew func()) {
	asked, body := r.http()
	return asked, func() {
		if r.body != "" {
			body.Reset(r.body)
			asked.Body = body
			asked.Form, asked.PostForm = nil, nil
		}
	}
}

// BindContests fill structs from requests.
func BindContests() []contest.Contest {
	query := request{method: "GET", target: "/?" + SearchQuery()}
	headers := request{method: "GET", target: "/", header: map[string]string{}}
	for _, f := range fields {
		headers.header["X-"+strings.ToUpper(f.name[:1])+f.name[1:]] = f.value
	}
	document, err := stdjson.Marshal(SearchValue)
	if err != nil {
		panic(err)
	}
	json := request{"POST", "/", map[string]string{"Content-Type": "application/json"}, string(document)}
	form := request{"POST", "/", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, SearchQuery()}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	wide, wideQuery := wideSearch()

	return []contest.Contest{
		binds("bind/QueryParam, one key", query, nil, "some-host", binding[string]{
			hone:  func(c *web.Context, v *string) error { *v = c.QueryParam("host"); return nil },
			echo:  func(c *echo.Context, v *string) error { *v = c.QueryParam("host"); return nil },
			gin:   func(c *gin.Context, v *string) error { *v = c.Query("host"); return nil },
			fiber: func(c fiber.Ctx, v *string) error { *v = c.Query("host"); return nil },
		}),
		binds("bind/QueryParam[int]", query, nil, 25, binding[int]{
			hone:  func(c *web.Context, v *int) (err error) { *v, err = web.QueryParam[int](c, "limit"); return },
			echo:  func(c *echo.Context, v *int) (err error) { *v, err = echo.QueryParam[int](c, "limit"); return },
			gin:   func(c *gin.Context, v *int) (err error) { *v, err = strconv.Atoi(c.Query("limit")); return },
			fiber: func(c fiber.Ctx, v *int) error { *v = fiber.Query[int](c, "limit"); return nil },
		}),
		binds("bind/PathParam[int]", query, names, 25, binding[int]{
			hone: func(c *web.Context, v *int) (err error) { *v, err = web.PathParam[int](c, "limit"); return },
			echo: func(c *echo.Context, v *int) (err error) { *v, err = echo.PathParam[int](c, "limit"); return },
			gin:  func(c *gin.Context, v *int) (err error) { *v, err = strconv.Atoi(c.Param("limit")); return },
		}),
		binds("bind/path, one param", query, []string{"host"}, Search{Host: "some-host"}, binding[Search]{
			hone: func(c *web.Context, v *Search) error { return web.BindPathValues(c, v) },
			echo: func(c *echo.Context, v *Search) error { return echo.BindPathValues(c, v) },
		}),
		binds("bind/path, 5 params", query, names, SearchValue, binding[Search]{
			hone: func(c *web.Context, v *Search) error { return web.BindPathValues(c, v) },
			echo: func(c *echo.Context, v *Search) error { return echo.BindPathValues(c, v) },
			gin:  func(c *gin.Context, v *Search) error { return c.ShouldBindUri(v) },
		}),
		binds("bind/query, 5 fields", query, nil, SearchValue, binding[Search]{
			hone:  func(c *web.Context, v *Search) error { return web.BindQueryParams(c, v) },
			alone: func(r *http.Request, v *Search) error { return bind.Query(r.URL.RawQuery, v) },
			echo:  func(c *echo.Context, v *Search) error { return echo.BindQueryParams(c, v) },
			gin:   func(c *gin.Context, v *Search) error { return c.ShouldBindQuery(v) },
			fiber: func(c fiber.Ctx, v *Search) error { return c.Bind().Query(v) },
		}),
		binds("bind/query, 20 fields", request{method: "GET", target: "/?" + wideQuery}, nil, wide, binding[Wide]{
			hone:  func(c *web.Context, v *Wide) error { return web.BindQueryParams(c, v) },
			alone: func(r *http.Request, v *Wide) error { return bind.Query(r.URL.RawQuery, v) },
			echo:  func(c *echo.Context, v *Wide) error { return echo.BindQueryParams(c, v) },
			gin:   func(c *gin.Context, v *Wide) error { return c.ShouldBindQuery(v) },
			fiber: func(c fiber.Ctx, v *Wide) error { return c.Bind().Query(v) },
		}),
		binds("bind/header, 5 fields", headers, nil, SearchValue, binding[Search]{
			hone:  func(c *web.Context, v *Search) error { return web.BindHeaders(c, v) },
			alone: func(r *http.Request, v *Search) error { return bind.Header(r.Header, v) },
			echo:  func(c *echo.Context, v *Search) error { return echo.BindHeaders(c, v) },
			gin:   func(c *gin.Context, v *Search) error { return c.ShouldBindHeader(v) },
			fiber: func(c fiber.Ctx, v *Search) error { return c.Bind().Header(v) },
		}),
		binds("bind/form, 5 fields", form, nil, SearchValue, binding[Search]{
			hone:  func(c *web.Context, v *Search) error { return web.BindBody(c, v) },
			echo:  func(c *echo.Context, v *Search) error { return echo.BindBody(c, v) },
			gin:   func(c *gin.Context, v *Search) error { return c.ShouldBind(v) },
			fiber: func(c fiber.Ctx, v *Search) error { return c.Bind().Form(v) },
		}),
		binds("bind/JSON body", json, nil, SearchValue, binding[Search]{
			hone:  func(c *web.Context, v *Search) error { return c.Bind(v) },
			echo:  func(c *echo.Context, v *Search) error { return c.Bind(v) },
			gin:   func(c *gin.Context, v *Search) error { return c.ShouldBindJSON(v) },
			fiber: func(c fiber.Ctx, v *Search) error { return c.Bind().JSON(v) },
		}),
		binds("bind/Set and Get", query, nil, 7, binding[int]{
			hone:  func(c *web.Context, v *int) error { c.Set("key", seven); *v = c.Get("key").(int); return nil },
			echo:  func(c *echo.Context, v *int) error { c.Set("key", seven); *v = c.Get("key").(int); return nil },
			gin:   func(c *gin.Context, v *int) error { c.Set("key", seven); *v = c.MustGet("key").(int); return nil },
			fiber: func(c fiber.Ctx, v *int) error { c.Locals("key", seven); *v = c.Locals("key").(int); return nil },
		}),
	}
}

var seven any = 7

func wideSearch() (Wide, string) {
	v := Wide{"a", "b", "c", "d", "e", 1, 22, 333, 4444, 55555, true, false, true, false, true, .5, 1.5, 2.25, 3.125, 4}
	q := url.Values{}
	for _, g := range []struct {
		letter string
		values []any
	}{
		{"A", []any{v.A0, v.A1, v.A2, v.A3, v.A4}}, {"B", []any{v.B0, v.B1, v.B2, v.B3, v.B4}},
		{"C", []any{v.C0, v.C1, v.C2, v.C3, v.C4}}, {"D", []any{v.D0, v.D1, v.D2, v.D3, v.D4}},
	} {
		for i, value := range g.values {
			q.Set(g.letter+strconv.Itoa(i), fmt.Sprint(value))
		}
	}
	return v, q.Encode()
}
