package echo4

import (
	"go/format"
	"slices"
	"strings"
	"testing"
)

// A case has declarations before and after the change, and the names that are listed because their
// uses are not rewritten. If no name is listed, the result has to type-check against package web.
// The test compares neither the imports nor the helpers, which the new file has after its
// declarations.
var rewrites = []struct {
	name, before, after string
	listed              []string
	warned              []string
}{
	{name: "handler", before: `func h(c echo.Context) error { return c.JSON(200, echo.Map{"a": 1}) }`,
		after: `func h(c *echo.Context) error { return c.JSON(200, map[string]any{"a": 1}) }`},
	{name: "middleware", before: `var m echo.MiddlewareFunc = func(next echo.HandlerFunc) echo.HandlerFunc { return func(c echo.Context) error { return next(c) } }`,
		after: `var m echo.MiddlewareFunc = func(next echo.HandlerFunc) echo.HandlerFunc { return func(c *echo.Context) error { return next(c) } }`},
	{name: "types of Context", before: "type f func(a, b echo.Context)\n\nvar _ = echo.Context.Bind\nvar _ = map[string]echo.Context{}\nvar _ = echo.Context(nil)",
		after: "type f func(a, b *echo.Context)\n\nvar _ = (*echo.Context).Bind\nvar _ = map[string]*echo.Context{}\nvar _ = (*echo.Context)(nil)"},
	{name: "error handler", before: "func f(err error, c echo.Context) { f(err, c) }\n\nfunc set(e *echo.Echo) { e.HTTPErrorHandler = f; e.HTTPErrorHandler(nil, nil) }",
		after: "func f(c *echo.Context, err error) { f(c, err) }\n\nfunc set(e *echo.Echo) { e.HTTPErrorHandler = f; e.HTTPErrorHandler(nil, nil) }"},
	{name: "default error handler", before: "func f(e *echo.Echo) echo.HTTPErrorHandler {\n\treturn func(err error, c echo.Context) { e.DefaultHTTPErrorHandler(err, c) }\n}",
		after: "func f(e *echo.Echo) echo.HTTPErrorHandler {\n\treturn func(c *echo.Context, err error) { echo.DefaultHTTPErrorHandler(false)(c, err) }\n}"},
	{name: "binder", before: "type b struct{ echo.DefaultBinder }\n\nfunc (b *b) Bind(i interface{}, c echo.Context) error {\n\tif err := b.BindPathParams(c, i); err != nil {\n\t\treturn err\n\t}\n\treturn b.DefaultBinder.Bind(i, c)\n}\n\nvar _ echo.Binder = &b{}",
		after: "type b struct{ echo.DefaultBinder }\n\nfunc (b *b) Bind(c *echo.Context, i interface{}) error {\n\tif err := echo.BindPathValues(c, i); err != nil {\n\t\treturn err\n\t}\n\treturn b.DefaultBinder.Bind(c, i)\n}\n\nvar _ echo.Binder = &b{}"},
	{name: "a function called Bind", before: "func Bind(i any, c echo.Context) error { return c.Bind(i) }\n\nvar _ = Bind(nil, nil)",
		after: "func Bind(i any, c *echo.Context) error { return c.Bind(i) }\n\nvar _ = Bind(nil, nil)"},
	{name: "renderer", before: "type r struct{}\n\nfunc (r) Render(w io.Writer, name string, data any, c echo.Context) error { return nil }\n\nvar _ echo.Renderer = r{}",
		after: "type r struct{}\n\nfunc (r) Render(c *echo.Context, w io.Writer, name string, data any) error { return nil }\n\nvar _ echo.Renderer = r{}"},
	{name: "generic helpers", before: "func f(c echo.Context) { _, _ = echo.FormParam[int](c, \"a\"); _, _ = echo.QueryParam[int](c, \"b\"); _ = echo.PathParamsBinder(c); _, _ = c.FormParams() }",
		after: "func f(c *echo.Context) {\n\t_, _ = echo.FormValue[int](c, \"a\")\n\t_, _ = echo.QueryParam[int](c, \"b\")\n\t_ = echo.PathValuesBinder(c)\n\t_, _ = c.FormValues()\n}"},
	{name: "methods of http", before: "var _ = []string{echo.GET, echo.TRACE, echo.PROPFIND}", after: "var _ = []string{http.MethodGet, http.MethodTrace, echo.PROPFIND}"},
	{name: "Context.Error", before: "func f(c echo.Context, err error) { c.Error(err) }", after: "func f(c *echo.Context, err error) { c.Echo().HTTPErrorHandler(c, err) }"},

	// The response.
	{name: "response", before: "func f(c echo.Context) {\n\tc.Response().Header().Set(\"a\", \"b\")\n\tc.Response().WriteHeader(200)\n\tc.Response().Flush()\n\t_, _ = c.Response().Write(nil)\n\t_ = c.Response().Status\n\thttp.NotFound(c.Response(), c.Request())\n\tfmt.Fprint(c.Response(), 1)\n}",
		after: "func f(c *echo.Context) {\n\tc.Response().Header().Set(\"a\", \"b\")\n\tc.Response().WriteHeader(200)\n\thttp.NewResponseController(c.Response()).Flush()\n\t_, _ = c.Response().Write(nil)\n\t_ = cmp.Or(echoResponse(c).Status, http.StatusOK)\n\thttp.NotFound(c.Response(), c.Request())\n\tfmt.Fprint(c.Response(), 1)\n}"},
	{name: "response in a variable", before: "func f(c echo.Context) {\n\ta := c.Response()\n\ta.WriteHeader(1)\n\tb := c.Response()\n\t_, _ = b.Writer, b.Committed\n}",
		after: "func f(c *echo.Context) {\n\ta := c.Response()\n\ta.WriteHeader(1)\n\tb := echoResponse(c)\n\t_, _ = b.ResponseWriter, b.Committed\n}"},
	{name: "writer", before: "type w struct{ http.ResponseWriter }\n\nfunc f(c echo.Context) { c.Response().Writer = &w{c.Response().Writer} }",
		after: "type w struct{ http.ResponseWriter }\n\nfunc f(c *echo.Context) { c.SetResponse(&w{c.Response()}) }\n\n// Unwrap returns the writer that w wraps.\nfunc (w *w) Unwrap() http.ResponseWriter { return w.ResponseWriter }"},
	{name: "writer without a ResponseWriter", before: "type w struct{ r http.ResponseWriter }\n\nfunc (w) Header() http.Header { return nil }\n\nfunc (w) Write([]byte) (int, error) { return 0, nil }\n\nfunc (w) WriteHeader(int) {}\n\nfunc f(c echo.Context) { c.Response().Writer = w{c.Response().Writer} }",
		after:  "type w struct{ r http.ResponseWriter }\n\nfunc (w) Header() http.Header { return nil }\n\nfunc (w) Write([]byte) (int, error) { return 0, nil }\n\nfunc (w) WriteHeader(int) {}\n\nfunc f(c *echo.Context) { c.SetResponse(w{c.Response()}) }",
		warned: []string{"echo.Response.Writer"}},
	{name: "writer by a function", before: "type w struct{ http.ResponseWriter }\n\nfunc wrap(r *echo.Response) *w { return &w{r.Writer} }\n\nfunc f(c echo.Context) { c.Response().Writer = wrap(c.Response()) }",
		after:  "type w struct{ http.ResponseWriter }\n\nfunc wrap(r *echo.Response) *w { return &w{r.ResponseWriter} }\n\nfunc f(c *echo.Context) { echoResponse(c).ResponseWriter = wrap(echoResponse(c)) }",
		warned: []string{"echo.Response.Writer"}},
	{name: "new response", before: "func f(c echo.Context, e *echo.Echo, w http.ResponseWriter) { c.SetResponse(echo.NewResponse(w, e)); c.SetResponse(echo.NewResponse(w, c.Echo())) }",
		after: "func f(c *echo.Context, e *echo.Echo, w http.ResponseWriter) {\n\tc.SetResponse(echo.NewResponse(w, e.Logger))\n\tc.SetResponse(echo.NewResponse(w, c.Echo().Logger))\n}"},

	{name: "address", before: "func f(c echo.Context) string { return c.RealIP() }", after: "func f(c *echo.Context) string { return c.RealIP() }", warned: []string{"echo.Context.RealIP"}},
	{name: "address by an extractor", before: "func f(c echo.Context) string {\n\tc.Echo().IPExtractor = echo.ExtractIPDirect()\n\treturn c.RealIP()\n}",
		after: "func f(c *echo.Context) string {\n\tc.Echo().IPExtractor = echo.ExtractIPDirect()\n\treturn c.RealIP()\n}"},

	// Path parameters.
	{name: "path parameters", before: "func f(c echo.Context) {\n\tc.SetParamNames(\"a\", \"b\")\n\tc.SetParamValues(\"1\", \"2\")\n\t_ = c.ParamNames()[0] + c.ParamValues()[0]\n}",
		after: "func f(c *echo.Context) {\n\tc.SetPathValues(echo.PathValues{{Name: \"a\", Value: \"1\"}, {Name: \"b\", Value: \"2\"}})\n\t_ = echoParamNames(c)[0] + echoParamValues(c)[0]\n}"},
	{name: "path parameters in lists", before: "func f(c echo.Context, n, v []string) {\n\tc.SetParamNames(n...)\n\tc.SetParamValues(v...)\n}",
		after: "func f(c *echo.Context, n, v []string) {\n\tsetParamNames(c, n...)\n\tsetParamValues(c, v...)\n}"},

	// Errors.
	{name: "NewHTTPError", before: "type text string\n\nfunc f(err error, t text, code int) {\n\t_ = echo.NewHTTPError(code)\n\t_ = echo.NewHTTPError(400, \"a\")\n\t_ = echo.NewHTTPError(400, err)\n\t_ = echo.NewHTTPError(400, t)\n\t_ = echo.NewHTTPError(400, fmt.Sprint(1), err)\n}",
		after: "type text string\n\nfunc f(err error, t text, code int) {\n\t_ = echo.NewHTTPError(code, http.StatusText(code))\n\t_ = echo.NewHTTPError(400, \"a\")\n\t_ = echo.NewHTTPError(400, err.Error())\n\t_ = echo.NewHTTPError(400, string(t))\n\t_ = echo.NewHTTPError(400, fmt.Sprint(1))\n}"},
	{name: "message that is no string", before: "func f(v any) error {\n\tif v == nil {\n\t\treturn echo.NewHTTPError(400, v)\n\t}\n\treturn echo.NewHTTPError(400, echo.Map{})\n}",
		listed: []string{"echo.NewHTTPError", "echo.NewHTTPError"}},
	{name: "cause", before: "func f(err error) error { return echo.NewHTTPError(400, \"a\").SetInternal(err) }\n\nfunc g(err error) *echo.HTTPError { return echo.ErrNotFound.WithInternal(err) }\n\nfunc h(err error) error { return &echo.HTTPError{Code: 400, Internal: err, Message: \"a\"} }",
		after: "func f(err error) error { return echo.NewHTTPError(400, \"a\").Wrap(err) }\n\nfunc g(err error) *echo.HTTPError { return echo.ErrNotFound.Wrap(err).(*echo.HTTPError) }\n\nfunc h(err error) error { return echo.HTTPError{Code: 400, Message: \"a\"}.Wrap(err) }"},
	{name: "cause in place", before: "func f(he *echo.HTTPError, err error) {\n\the.SetInternal(err)\n\the.Internal = err\n}", listed: []string{"echo.HTTPError.SetInternal", "echo.HTTPError.Internal"}},
	{name: "cause of a variable", before: "var errA = echo.NewHTTPError(400, \"a\")\n\nfunc f(err error) error { return errA.SetInternal(err) }",
		after: "var errA = echo.NewHTTPError(400, \"a\")\n\nfunc f(err error) error { return errA.Wrap(err) }", warned: []string{"echo.HTTPError.SetInternal"}},
	{name: "cause of a new error", before: "func f(err error) error {\n\the := echo.NewHTTPError(400, \"a\")\n\the.Internal = err\n\the.SetInternal(err)\n\treturn he\n}",
		after: "func f(err error) error {\n\the := echo.NewHTTPError(400, \"a\")\n\the = he.Wrap(err).(*echo.HTTPError)\n\the = he.Wrap(err).(*echo.HTTPError)\n\treturn he\n}"},
	{name: "errors with names", before: "func f() error { return echo.ErrConflict }\n\nfunc g() error { return echo.ErrNotFound }\n\nfunc h() *echo.HTTPError { return echo.ErrNotFound }\n\nvar code = echo.ErrNotFound.Code\n\nfunc i(err error) bool { return errors.Is(err, echo.ErrNotFound) || err == echo.ErrForbidden }",
		after: "func f() error { return echo.NewHTTPError(http.StatusConflict, http.StatusText(http.StatusConflict)) }\n\nfunc g() error { return echo.ErrNotFound }\n\nfunc h() *echo.HTTPError {\n\treturn echo.NewHTTPError(http.StatusNotFound, http.StatusText(http.StatusNotFound))\n}\n\nvar code = echo.ErrNotFound.StatusCode()\n\nfunc i(err error) bool { return errors.Is(err, echo.ErrNotFound) || err == echo.ErrForbidden }"},
	{name: "comparing an error that is gone", before: "func f(err error) bool { return errors.Is(err, echo.ErrConflict) || err == echo.ErrGone }", listed: []string{"echo.ErrConflict", "echo.ErrGone"}},
	{name: "asking for an HTTPError", before: "func f(err error) any {\n\tif he, ok := err.(*echo.HTTPError); ok {\n\t\treturn he.Message\n\t}\n\tvar he *echo.HTTPError\n\tif errors.As(err, &he) {\n\t\tm, _ := he.Message.(string)\n\t\treturn m\n\t}\n\tswitch e := err.(type) {\n\tcase *echo.HTTPError:\n\t\tmsg := e.Message\n\t\treturn msg\n\t}\n\treturn nil\n}",
		after: "func f(err error) any {\n\tif he, ok := echoError(err).(*echo.HTTPError); ok {\n\t\treturn he.Message\n\t}\n\tvar he *echo.HTTPError\n\tif asHTTPError(err, &he) {\n\t\tm, _ := any(he.Message).(string)\n\t\treturn m\n\t}\n\tswitch e := echoError(err).(type) {\n\tcase *echo.HTTPError:\n\t\tmsg := any(e.Message)\n\t\treturn msg\n\t}\n\treturn nil\n}"},

	{name: "asking by AsType", before: "func f(err error) bool { _, ok := errors.AsType[*echo.HTTPError](err); return ok }",
		after: "func f(err error) bool { _, ok := errors.AsType[*echo.HTTPError](err); return ok }", warned: []string{"echo.HTTPError"}},

	// Logging.
	{name: "logger", before: "func f(c echo.Context, err error, e *echo.Echo) {\n\tc.Logger().Info(\"a\")\n\tc.Logger().Error(err)\n\tc.Logger().Warnf(\"%d\", 1)\n\tc.Logger().Debugf(\"a\")\n\te.Logger.Print(1, 2)\n\te.Logger.Infoj(log.JSON{\"a\": 1})\n}\n\ntype s struct{ l echo.Logger }",
		after: "func f(c *echo.Context, err error, e *echo.Echo) {\n\tc.Logger().Info(\"a\")\n\tc.Logger().Error(fmt.Sprint(err))\n\tc.Logger().Warn(fmt.Sprintf(\"%d\", 1))\n\tc.Logger().Debug(\"a\")\n\te.Logger.Info(fmt.Sprint(1, 2))\n\te.Logger.Info(\"\", \"a\", 1)\n}\n\ntype s struct{ l *slog.Logger }"},
	{name: "level", before: "func f(e *echo.Echo) { e.Logger.SetLevel(log.DEBUG) }", after: "func f(e *echo.Echo) {\n\te.Logger = slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelDebug}))\n}"},
	{name: "output", before: "func f(e *echo.Echo) { e.Logger.SetOutput(io.Discard) }", after: "func f(e *echo.Echo) { e.Logger = slog.New(slog.DiscardHandler) }"},
	{name: "level of a variable", before: "func f(e *echo.Echo, l log.Lvl) { e.Logger.SetLevel(l); e.Logger.SetHeader(\"\") }", listed: []string{"echo.Logger.SetLevel", "echo.Logger.SetHeader"}},
	{name: "fatal", before: "func f(e *echo.Echo) {\n\te.Logger.Fatal(e.Start(\":1\"))\n}", after: "func f(e *echo.Echo) {\n\tif err := e.Start(\":1\"); err != nil {\n\t\te.Logger.Error(\"stopped\", \"error\", err)\n\t\tos.Exit(1)\n\t}\n}"},

	// Servers.
	{name: "shutdown", before: "func f(e *echo.Echo) { _ = e.Start(\"\"); _ = e.Shutdown(context.Background()); e.Server.ReadTimeout = 1 }",
		after: "func f(e *echo.Echo) {\n\t_ = startEcho(e, \"\")\n\t_ = echoServer(e).Shutdown(context.Background())\n\techoServer(e).ReadTimeout = 1\n}"},
	{name: "embedded", before: "type app struct{ *echo.Echo }\n\nfunc f(a *app) { _ = a.Start(\"\"); _ = a.Shutdown(context.Background()); _ = a.Reverse(\"a\"); a.Logger.Infof(\"%d\", 1) }\n\ntype own struct{ echo.Context }\n\nfunc g(c own) (int, error) {\n\tc.Error(nil)\n\treturn c.Response().Status, c.JSON(200, 1)\n}",
		after:  "type app struct{ *echo.Echo }\n\nfunc f(a *app) {\n\t_ = startEcho(a.Echo, \"\")\n\t_ = echoServer(a.Echo).Shutdown(context.Background())\n\t_ = echoReverse(a.Echo, \"a\")\n\ta.Logger.Info(fmt.Sprintf(\"%d\", 1))\n}\n\ntype own struct{ *echo.Context }\n\nfunc g(c own) (int, error) {\n\tc.Context.Echo().HTTPErrorHandler(c.Context, nil)\n\treturn cmp.Or(echoResponse(c.Context).Status, http.StatusOK), c.JSON(200, 1)\n}",
		warned: []string{"echo.Context"}},
	{name: "TLS", before: "func f(e *echo.Echo) error { return e.StartTLS(\":1\", \"a\", \"b\") }", after: "func f(e *echo.Echo) error {\n\treturn echo.StartConfig{Address: \":1\"}.StartTLS(context.Background(), e, \"a\", \"b\")\n}"},
	{name: "settings", before: "func f() *echo.Echo {\n\te := echo.New()\n\te.HideBanner = true\n\te.HidePort = true\n\te.Debug = true\n\treturn e\n}",
		after: "func f() *echo.Echo {\n\te := echo.New()\n\te.HTTPErrorHandler = echo.DefaultHTTPErrorHandler(true)\n\treturn e\n}"},
	{name: "server that stays", before: "func f(e *echo.Echo) { e.Listener = nil; _ = e.ListenerAddr() }", listed: []string{"echo.Echo.Listener", "echo.Echo.ListenerAddr"}},

	// Routes.
	{name: "routes", before: "func f(e *echo.Echo) []*echo.Route {\n\te.GET(\"/\", nil).Name = \"a\"\n\t_ = e.Reverse(\"a\", 1)\n\tfor _, r := range e.Routes() {\n\t\t_ = r.Path\n\t}\n\treturn e.Routes()\n}",
		after: "func f(e *echo.Echo) []echo.RouteInfo {\n\tif _, err := e.AddRoute(echo.Route{Method: http.MethodGet, Path: \"/\", Name: \"a\", Handler: nil}); err != nil {\n\t\tpanic(err)\n\t}\n\t_ = echoReverse(e, \"a\", 1)\n\tfor _, r := range e.Router().Routes() {\n\t\t_ = r.Path\n\t}\n\treturn e.Router().Routes()\n}"},
	{name: "named route with middleware", before: "func f(g *echo.Group, m echo.MiddlewareFunc) { g.Add(\"X\", \"/\", nil, m, m).Name = \"a\" }",
		after: "func f(g *echo.Group, m echo.MiddlewareFunc) {\n\tif _, err := g.AddRoute(echo.Route{Method: \"X\", Path: \"/\", Name: \"a\", Handler: nil, Middlewares: []echo.MiddlewareFunc{m, m}}); err != nil {\n\t\tpanic(err)\n\t}\n}"},

	// Middleware.
	{name: "access log", before: "var _ = middleware.Logger()", after: "var _ = middleware.RequestLogger()"},
	{name: "access log with a format", before: "var _ = middleware.LoggerWithConfig(middleware.LoggerConfig{Format: \"a\"})", listed: []string{"middleware.LoggerWithConfig"}},
	{name: "timeout", before: "var _ = middleware.TimeoutWithConfig(middleware.TimeoutConfig{Timeout: 1})", listed: []string{"middleware.TimeoutWithConfig"}},
	{name: "body limit", before: "var _ = middleware.BodyLimit(\"2M\")\nvar _ = middleware.BodyLimitWithConfig(middleware.BodyLimitConfig{Limit: \"1.5KiB\"})",
		after: "var _ = middleware.BodyLimit(2_000_000)\nvar _ = middleware.BodyLimitWithConfig(middleware.BodyLimitConfig{LimitBytes: 1536})"},
	{name: "CORS", before: "var _ = middleware.CORS()\nvar _ = middleware.CORSWithConfig(middleware.CORSConfig{MaxAge: 1})\nvar _ = middleware.CORSWithConfig(middleware.DefaultCORSConfig)\nvar _ = middleware.CORSWithConfig(middleware.CORSConfig{AllowOriginFunc: f})\n\nfunc f(origin string) (bool, error) { return true, nil }",
		after:  "var _ = middleware.CORS(\"*\")\nvar _ = middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{\"*\"}, MaxAge: 1})\nvar _ = middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{\"*\"}})\nvar _ = middleware.CORSWithConfig(middleware.CORSConfig{UnsafeAllowOriginFunc: func(_ *echo.Context, origin string) (string, bool, error) {\n\tallowed, err := f(origin)\n\treturn origin, allowed, err\n}})\n\nfunc f(origin string) (bool, error) { return true, nil }",
		warned: []string{"middleware.CORSWithConfig"}},
	{name: "CORS patterns", before: "var _ = middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{\"https://*.a\"}})",
		after: "var _ = middleware.CORSWithConfig(middleware.CORSConfig{AllowOrigins: []string{\"https://*.a\"}})", warned: []string{"middleware.CORSConfig.AllowOrigins"}},
	{name: "basic auth", before: "func check(user, password string, c echo.Context) (bool, error) { return true, nil }\n\nvar _ = middleware.BasicAuth(check)",
		after: "func check(c *echo.Context, user, password string) (bool, error) { return true, nil }\n\nvar _ = middleware.BasicAuth(check)"},
	{name: "key auth", before: "func check(key string, c echo.Context) (bool, error) { return true, nil }\n\nfunc other(key string, c echo.Context) (bool, error) { return check(key, c) }\n\nvar _ = middleware.KeyAuth(check)\nvar _ = middleware.KeyAuthConfig{KeyLookup: \"header:Authorization,query:k\", AuthScheme: \"Key\"}",
		after: "func check(c *echo.Context, key string, _ middleware.ExtractorSource) (bool, error) { return true, nil }\n\nfunc other(key string, c *echo.Context) (bool, error) { return check(c, key, \"\") }\n\nvar _ = middleware.KeyAuth(check)\nvar _ = middleware.KeyAuthConfig{KeyLookup: \"header:Authorization:Key ,query:k\"}"},
	{name: "body dump", before: "var _ = middleware.BodyDump(func(c echo.Context, a, b []byte) {})", after: "var _ = middleware.BodyDump(func(c *echo.Context, a, b []byte, _ error) {})"},
	{name: "extractor", before: "func f() middleware.ValuesExtractor { return func(c echo.Context) ([]string, error) { return nil, nil } }",
		after: "func f() func(*echo.Context) ([]string, error) {\n\treturn func(c *echo.Context) ([]string, error) { return nil, nil }\n}"},
	{name: "rate limiter", before: "var _ = middleware.NewRateLimiterMemoryStore(20)\nvar _ = middleware.NewRateLimiterMemoryStore(rate.Limit(2))\n\nfunc f(l rate.Limit) { _ = middleware.RateLimiterMemoryStoreConfig{Rate: l} }",
		after: "var _ = middleware.NewRateLimiterMemoryStore(20)\nvar _ = middleware.NewRateLimiterMemoryStore(2)\n\nfunc f(l rate.Limit) { _ = middleware.RateLimiterMemoryStoreConfig{Rate: float64(l)} }"},
	{name: "slashes", before: "var _ = middleware.AddTrailingSlashWithConfig(middleware.TrailingSlashConfig{RedirectCode: 301})",
		after: "var _ = middleware.AddTrailingSlashWithConfig(middleware.AddTrailingSlashConfig{RedirectCode: 301})"},
	{name: "fields without effect", before: "var _ = middleware.RecoverConfig{StackSize: 1, LogLevel: log.ERROR, DisableErrorHandler: true}\nvar _ = middleware.RequestLoggerConfig{\n\tLogError: true,\n}",
		after: "var _ = middleware.RecoverConfig{StackSize: 1}\nvar _ = middleware.RequestLoggerConfig{}"},
	{name: "static", before: "var _ = middleware.StaticConfig{Filesystem: http.Dir(\"a\")}", after: "var _ = middleware.StaticConfig{Filesystem: os.DirFS(\"a\")}"},

	// Context types of the program itself.
	{name: "own context", before: "type own struct {\n\techo.Context\n\tn int\n}\n\nfunc f(c echo.Context) int { return c.(*own).n }", listed: []string{"echo.Context"}, warned: []string{"echo.Context"}},
}

func TestRewrites(t *testing.T) {
	w := theWorld(t)
	for _, c := range rewrites {
		t.Run(c.name, func(t *testing.T) {
			_, after, places, err := w.rewrite(c.before)
			if err != nil && len(c.listed) == 0 {
				t.Errorf("%v\n%s", err, after)
			}
			var listed, warned []string
			for _, p := range places {
				if p.Compiles {
					warned = append(warned, p.Old)
				} else {
					listed = append(listed, p.Old)
				}
				if p.Say == "" {
					t.Errorf("%s: nothing says what to write", p.Old)
				}
			}
			if !slices.Equal(listed, c.listed) || !slices.Equal(warned, c.warned) {
				t.Errorf("listed %q, warned of %q; want %q and %q", listed, warned, c.listed, c.warned)
			}
			if c.after == "" {
				return
			}
			got, want := declarations(after), tidy(c.after)
			if !strings.HasPrefix(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// declarations returns a file without its imports.
func declarations(text string) string {
	if i := strings.Index(text, "\n)\n"); i >= 0 && strings.Contains(text[:i], "import (") {
		text = text[i+3:]
	}
	return tidy(text)
}

func tidy(text string) string {
	out, err := format.Source([]byte(text))
	if err != nil {
		return text
	}
	return strings.TrimSpace(string(out))
}

// Sizes are read as github.com/labstack/gommon/bytes reads them.
func TestParseBytes(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"2M", 2_000_000, true}, {"2MB", 2_000_000, true}, {"2mib", 2 << 20, true}, {"2Mi", 2 << 20, true}, {"1.5K", 1500, true},
		{"10", 10, true}, {"10B", 10, true}, {"1 GB", 1e9, true}, {"", 0, false}, {"M", 0, false}, {"1i", 0, false}, {"1MM", 0, false}, {"-1M", 0, false}, {"x", 0, false},
	} {
		if got, ok := parseBytes(c.text); got != c.want && c.ok || ok != c.ok {
			t.Errorf("%q: %d, %t", c.text, got, ok)
		}
	}
}
