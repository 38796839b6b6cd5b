package frameworks

import (
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"testing"

	"github.com/gofiber/fiber/v3"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/wire"
)

type fiberParams struct{ fiber.Ctx }

func (p fiberParams) Get(name string) (string, bool) {
	value := p.Params(name)
	return value, value != ""
}

// fiberBind fills *v from the path, the query and the header. Its strings remain valid after the
// request, because the app is Immutable.
func fiberBind(c fiber.Ctx, v any) error {
	h := http.Header(c.GetReqHeaders())
	return bind.All(bind.Input{Path: fiberParams{c}, Query: string(c.Request().URI().QueryString()), Header: h, Cookies: h["Cookie"]}, v)
}

func TestFiber(t *testing.T) {
	app := fiber.New(fiber.Config{
		Immutable:   true, // otherwise strings change when Fiber reuses its buffers
		JSONEncoder: json.Marshal,
		JSONDecoder: json.Config{CopyInput: true}.Unmarshal,
	})
	var kept []*query
	app.Get("/hosts/:host", func(c fiber.Ctx) error {
		q := new(query)
		if err := fiberBind(c, q); err != nil {
			return c.Status(http.StatusBadRequest).JSON(fiber.Map{"error": err.Error()})
		}
		kept = append(kept, q)
		if c.Get("Accept") == "application/vnd.hone.wire" {
			data, err := wire.AppendAny(nil, q.answer())
			if err != nil {
				return err
			}
			c.Set("Content-Type", "application/vnd.hone.wire")
			return c.Send(data)
		}
		return c.JSON(q.answer())
	})
	app.Post("/echo", func(c fiber.Ctx) error {
		var v answer
		if err := c.Bind().JSON(&v); err != nil {
			return c.Status(http.StatusBadRequest).JSON(fiber.Map{"error": err.Error()})
		}
		return c.JSON(v)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = app.Listener(l, fiber.ListenConfig{DisableStartupMessage: true}) }()
	defer func() { _ = app.Shutdown() }()
	check(t, httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: l.Addr().String()}))
	for _, q := range kept {
		if q.Host != "a" || q.Trace != "trace" {
			t.Errorf("a value changed after its request: %+v", q)
		}
	}
}
