package contestants

import (
	"bytes"
	"encoding/gob"
	stdjson "encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/labstack/echo/v5"

	"github.com/hone-go/hone/bench/suite/contest"
	"github.com/hone-go/hone/bench/suite/contestants/generated/jsonpeer"
	"github.com/hone-go/hone/bench/suite/contestants/web"
	"github.com/hone-go/hone/json"
	honeweb "github.com/hone-go/hone/web"
	"github.com/hone-go/hone/wire"
)

// coldContests measure the first use of a type in a process. The preparation does not use the type.
// The output is checked during the timed use.
func coldContests() []contest.Contest {
	first := func(name string, notes []string, prepare func() (use func() bool, err error)) contest.Contestant {
		return contest.Contestant{Name: name, Notes: notes, New: func() (func(int), error) {
			use, err := prepare()
			if err != nil {
				return nil, err
			}
			return func(int) {
				if !use() {
					panic(fmt.Errorf("%s: the output is not the expected one", name))
				}
			}, nil
		}}
	}
	now := func(use func() bool) func() (func() bool, error) {
		return func() (func() bool, error) { return use, nil }
	}
	record := jsonpeer.Octo()
	const document = `{"id":583231,"login":"octo","name":"The \u003cOcto\u003e Cat","email":"octo@example.org","admin":false,"score":98.6,"followers":21345,` +
		`"created_at":"2011-01-25T18:44:36Z","tags":["go","json","größer"],"links":{"repos":"/users/octo/repos","self":"/users/octo"}}`
	parsed := func(unmarshal func([]byte, any) error) func() bool {
		return func() bool {
			var v jsonpeer.API
			return unmarshal([]byte(document), &v) == nil && v.ID == 583231 && v.Links["self"] == "/users/octo"
		}
	}
	query := web.SearchQuery()
	all := []contest.Contest{
		{Name: "cold/JSON encode of ten fields", Contestants: []contest.Contestant{
			first("hone", nil, now(func() bool { b, err := json.Marshal(&record); return err == nil && string(b) == document })),
			first("encoding/json", nil, now(func() bool { b, err := stdjson.Marshal(&record); return err == nil && string(b) == document })),
		}},
		{Name: "cold/JSON decode of ten fields", Contestants: []contest.Contestant{
			first("hone", nil, now(parsed(json.Unmarshal))), first("encoding/json", nil, now(parsed(stdjson.Unmarshal))),
		}},
		{Name: "cold/binary there and back of ten fields", Contestants: []contest.Contestant{
			first("hone", nil, now(func() bool {
				var back jsonpeer.API
				b, err := wire.Marshal(&record)
				return err == nil && wire.Unmarshal(b, &back) == nil && back.Login == "octo"
			})),
			first("encoding/gob", nil, now(func() bool {
				var back jsonpeer.API
				var b bytes.Buffer
				return gob.NewEncoder(&b).Encode(&record) == nil && gob.NewDecoder(&b).Decode(&back) == nil && back.Login == "octo"
			})),
		}},
		{Name: "cold/binding a query of five fields", Contestants: []contest.Contestant{
			first("hone", nil, func() (func() bool, error) {
				c := honeweb.New().NewContext(httptest.NewRequest(http.MethodGet, "/?"+query, nil), web.NewNothing())
				return func() bool { var v web.Search; return honeweb.BindQueryParams(c, &v) == nil && v == web.SearchValue }, nil
			}),
			first(web.EchoName, nil, func() (func() bool, error) {
				c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/?"+query, nil), web.NewNothing())
				return func() bool { var v web.Search; return echo.BindQueryParams(c, &v) == nil && v == web.SearchValue }, nil
			}),
		}},
		{Name: "cold/a service of 1,000 routes, until its first answer", Contestants: []contest.Contestant{
			first("hone", nil, now(func() bool {
				return answers(func(routes []web.Route) http.Handler { return web.HoneRouter(routes, 0, nil) })
			})),
			first(web.EchoName, nil, now(func() bool {
				return answers(func(routes []web.Route) http.Handler { return web.EchoRouter(routes, 0, nil) })
			})),
			first(web.GinName, nil, now(func() bool {
				return answers(func(routes []web.Route) http.Handler { return web.GinRouter(routes, 0, nil) })
			})),
			first(web.ChiName, nil, now(func() bool {
				return answers(func(routes []web.Route) http.Handler { return web.ChiRouter(routes, 0, nil) })
			})),
			first(web.MuxName, []string{"http.ServeMux"}, now(func() bool {
				return answers(func(routes []web.Route) http.Handler { return web.MuxRouter(routes, 0, nil) })
			})),
		}},
	}
	all[len(all)-1] = web.ByRouters(all[len(all)-1])
	for i := range all {
		all[i].Way = contest.Cold
	}
	return all
}

func answers(make func(routes []web.Route) http.Handler) bool {
	routes := web.ManyRoutes(1000)
	w := httptest.NewRecorder()
	make(routes).ServeHTTP(w, httptest.NewRequest(http.MethodGet, routes[500].Request().Path, nil))
	return w.Code == http.StatusOK
}
