package echo4

// An entry is a name of Echo v4 that package web lacks, or has with another type. If rewrite is nil,
// or returns false, the use is listed with say.
type entry struct {
	name    string
	rewrite func(*site) bool
	say     string
}

const (
	sayServer   = "a web.Echo has no server: use web.StartConfig, whose BeforeServeFunc gets the *http.Server, and stop it by its context"
	sayListener = "a web.Echo has no listener: set StartConfig.Listener, or read the address in StartConfig.ListenerAddrFunc"
	sayLogger   = "the logger is a *slog.Logger: set it up with slog.New and a handler"
	sayMessage  = "the message of an HTTPError is a string: write an error type with StatusCode and MarshalJSON for other bodies"
	sayWrap     = "an HTTPError does not change: use the error that Wrap returns"
	sayVisitor  = "package web has no golang.org/x/time/rate: keep a limiter of your own in a RateLimiterStore"
	sayAccess   = "use RequestLogger, or RequestLoggerWithConfig with a LogValuesFunc that writes the line"
	sayTimeout  = "use ContextTimeout: it cancels the context of the request, which the handler has to pass on, and runs no goroutine"
	sayJWT      = "use a JWT library in a middleware of your own, or echo-jwt/v5 with integrations/echoshim"
	sayConfig   = "write the configuration as a literal: package web has no such default"
	sayRouter   = "use Echo.AddRoute, Echo.Router().Routes() and web.NewVirtualHostHandler: the router has another interface"
	sayError    = "use web.NewHTTPError with the status: there is no such variable, so compare by web.StatusCode(err)"
	sayInner    = "the writer goes into the Response, and so gets the bytes after middleware such as Gzip: Context.SetResponse puts it outside"
	sayWriter   = "the writer goes to Context.SetResponse: give its type a method Unwrap() http.ResponseWriter, so that the status stays readable"
)

// table has all names that need something, in the order of the documentation.
var table = []entry{
	// The Context.
	{"echo.Context", contextType, "embed a *web.Context in a struct, and not in an interface: a Context is a struct"},
	{"echo.Context.Error", contextError, "call c.Echo().HTTPErrorHandler(c, err)"},
	{"echo.Context.FormParams", rename("FormValues"), ""},
	{"echo.Context.Handler", nil, "read Context.RouteInfo: a Context does not give away its handler"},
	{"echo.Context.SetHandler", nil, "wrap the handler in a middleware: a Context has no handler to set"},
	{"echo.Context.Logger", unchanged, ""},
	{"echo.Context.SetLogger", unchanged, ""},
	{"echo.Context.ParamNames", byHelper("echoParamNames"), "read Context.PathValues"},
	{"echo.Context.ParamValues", byHelper("echoParamValues"), "read Context.PathValues"},
	{"echo.Context.SetParamNames", setParams, "call Context.SetPathValues"},
	{"echo.Context.SetParamValues", setParams, "call Context.SetPathValues"},
	{"echo.Context.Response", response, "Context.Response returns an http.ResponseWriter: web.UnwrapResponse returns the *web.Response in it"},
	{"echo.Context.SetResponse", unchanged, ""},
	{"echo.Response.Writer", responseWriter, "the writer of a Response is its field ResponseWriter"},
	{"echo.NewResponse", newResponse, "web.NewResponse takes a *slog.Logger"},
	{"echo.Map", mapType, "write map[string]any"},

	// Handlers, binders and renderers.
	{"echo.HTTPErrorHandler", unchanged, ""},
	{"echo.Echo.DefaultHTTPErrorHandler", defaultErrorHandler, "use web.DefaultHTTPErrorHandler(false), or with true to show causes"},
	{"echo.Binder.Bind", unchanged, ""},
	{"echo.DefaultBinder.Bind", unchanged, ""},
	{"echo.DefaultBinder.BindBody", binder("BindBody"), "call web.BindBody"},
	{"echo.DefaultBinder.BindHeaders", binder("BindHeaders"), "call web.BindHeaders"},
	{"echo.DefaultBinder.BindPathParams", binder("BindPathValues"), "call web.BindPathValues"},
	{"echo.DefaultBinder.BindQueryParams", binder("BindQueryParams"), "call web.BindQueryParams"},
	{"echo.Renderer.Render", unchanged, ""},
	{"echo.TemplateRenderer.Render", unchanged, ""},
	{"echo.PathParamsBinder", rename("PathValuesBinder"), ""},
	{"echo.FormParam", rename("FormValue"), ""},
	{"echo.FormParamOr", rename("FormValueOr"), ""},
	{"echo.FormParams", rename("FormValues"), ""},
	{"echo.FormParamsOr", rename("FormValuesOr"), ""},
	{"echo.NewBindingError", unchanged, ""},
	{"echo.ValueBinder.ErrorFunc", nil, "the message that the function gets is a string"},

	// Errors.
	{"echo.NewHTTPError", newHTTPError, sayMessage},
	{"echo.HTTPError.Message", errorMessage, sayMessage},
	{"echo.HTTPError.Internal", errorInternal, sayWrap},
	{"echo.HTTPError.SetInternal", wrap, sayWrap},
	{"echo.HTTPError.WithInternal", wrap, sayWrap},
	{"echo.BindingError.SetInternal", wrap, sayWrap},
	{"echo.BindingError.WithInternal", wrap, sayWrap},
	{"echo.NotFoundHandler", missingHandler("ErrNotFound"), "set RouterConfig.NotFoundHandler"},
	{"echo.MethodNotAllowedHandler", missingHandler("ErrMethodNotAllowed"), "set RouterConfig.MethodNotAllowedHandler"},
	{"echo.ErrBadRequest", kept("StatusBadRequest"), sayError},
	{"echo.ErrUnauthorized", kept("StatusUnauthorized"), sayError},
	{"echo.ErrForbidden", kept("StatusForbidden"), sayError},
	{"echo.ErrNotFound", kept("StatusNotFound"), sayError},
	{"echo.ErrMethodNotAllowed", kept("StatusMethodNotAllowed"), sayError},
	{"echo.ErrRequestTimeout", kept("StatusRequestTimeout"), sayError},
	{"echo.ErrStatusRequestEntityTooLarge", kept("StatusRequestEntityTooLarge"), sayError},
	{"echo.ErrUnsupportedMediaType", kept("StatusUnsupportedMediaType"), sayError},
	{"echo.ErrTooManyRequests", kept("StatusTooManyRequests"), sayError},
	{"echo.ErrInternalServerError", kept("StatusInternalServerError"), sayError},
	{"echo.ErrBadGateway", kept("StatusBadGateway"), sayError},
	{"echo.ErrServiceUnavailable", kept("StatusServiceUnavailable"), sayError},
	{"echo.ErrConflict", gone("StatusConflict"), sayError},
	{"echo.ErrExpectationFailed", gone("StatusExpectationFailed"), sayError},
	{"echo.ErrFailedDependency", gone("StatusFailedDependency"), sayError},
	{"echo.ErrGatewayTimeout", gone("StatusGatewayTimeout"), sayError},
	{"echo.ErrGone", gone("StatusGone"), sayError},
	{"echo.ErrHTTPVersionNotSupported", gone("StatusHTTPVersionNotSupported"), sayError},
	{"echo.ErrInsufficientStorage", gone("StatusInsufficientStorage"), sayError},
	{"echo.ErrLengthRequired", gone("StatusLengthRequired"), sayError},
	{"echo.ErrLocked", gone("StatusLocked"), sayError},
	{"echo.ErrLoopDetected", gone("StatusLoopDetected"), sayError},
	{"echo.ErrMisdirectedRequest", gone("StatusMisdirectedRequest"), sayError},
	{"echo.ErrNetworkAuthenticationRequired", gone("StatusNetworkAuthenticationRequired"), sayError},
	{"echo.ErrNotAcceptable", gone("StatusNotAcceptable"), sayError},
	{"echo.ErrNotExtended", gone("StatusNotExtended"), sayError},
	{"echo.ErrNotImplemented", gone("StatusNotImplemented"), sayError},
	{"echo.ErrPaymentRequired", gone("StatusPaymentRequired"), sayError},
	{"echo.ErrPreconditionFailed", gone("StatusPreconditionFailed"), sayError},
	{"echo.ErrPreconditionRequired", gone("StatusPreconditionRequired"), sayError},
	{"echo.ErrProxyAuthRequired", gone("StatusProxyAuthRequired"), sayError},
	{"echo.ErrRequestHeaderFieldsTooLarge", gone("StatusRequestHeaderFieldsTooLarge"), sayError},
	{"echo.ErrRequestURITooLong", gone("StatusRequestURITooLong"), sayError},
	{"echo.ErrRequestedRangeNotSatisfiable", gone("StatusRequestedRangeNotSatisfiable"), sayError},
	{"echo.ErrTeapot", gone("StatusTeapot"), sayError},
	{"echo.ErrTooEarly", gone("StatusTooEarly"), sayError},
	{"echo.ErrUnavailableForLegalReasons", gone("StatusUnavailableForLegalReasons"), sayError},
	{"echo.ErrUnprocessableEntity", gone("StatusUnprocessableEntity"), sayError},
	{"echo.ErrUpgradeRequired", gone("StatusUpgradeRequired"), sayError},
	{"echo.ErrVariantAlsoNegotiates", gone("StatusVariantAlsoNegotiates"), sayError},

	// Logging.
	{"echo.Logger", loggerType, "write *slog.Logger"},
	{"echo.Echo.Logger", unchanged, ""},
	{"echo.Echo.StdLogger", stdLogger, "make it with slog.NewLogLogger(e.Logger.Handler(), slog.LevelInfo)"},
	{"echo.Logger.Debug", logs("Debug", plain, ""), sayLogger},
	{"echo.Logger.Debugf", logs("Debug", formatted, ""), sayLogger},
	{"echo.Logger.Debugj", logs("Debug", pairs, ""), sayLogger},
	{"echo.Logger.Info", logs("Info", plain, ""), sayLogger},
	{"echo.Logger.Infof", logs("Info", formatted, ""), sayLogger},
	{"echo.Logger.Infoj", logs("Info", pairs, ""), sayLogger},
	{"echo.Logger.Warn", logs("Warn", plain, ""), sayLogger},
	{"echo.Logger.Warnf", logs("Warn", formatted, ""), sayLogger},
	{"echo.Logger.Warnj", logs("Warn", pairs, ""), sayLogger},
	{"echo.Logger.Error", logs("Error", plain, ""), sayLogger},
	{"echo.Logger.Errorf", logs("Error", formatted, ""), sayLogger},
	{"echo.Logger.Errorj", logs("Error", pairs, ""), sayLogger},
	{"echo.Logger.Print", logs("Info", plain, ""), sayLogger},
	{"echo.Logger.Printf", logs("Info", formatted, ""), sayLogger},
	{"echo.Logger.Printj", logs("Info", pairs, ""), sayLogger},
	{"echo.Logger.Fatal", logs("Error", plain, "exit"), "log with Error, and call os.Exit(1)"},
	{"echo.Logger.Fatalf", logs("Error", formatted, "exit"), "log with Error, and call os.Exit(1)"},
	{"echo.Logger.Fatalj", logs("Error", pairs, "exit"), "log with Error, and call os.Exit(1)"},
	{"echo.Logger.Panic", logs("Error", plain, "panic"), "log with Error, and call panic"},
	{"echo.Logger.Panicf", logs("Error", formatted, "panic"), "log with Error, and call panic"},
	{"echo.Logger.Panicj", logs("Error", pairs, "panic"), "log with Error, and call panic"},
	{"echo.Logger.SetLevel", setLevel, "set the level in slog.HandlerOptions"},
	{"echo.Logger.SetOutput", setOutput, "give the writer to slog.NewJSONHandler"},
	{"echo.Logger.Level", nil, "ask the *slog.Logger: Enabled"},
	{"echo.Logger.Output", nil, sayLogger},
	{"echo.Logger.Prefix", nil, sayLogger},
	{"echo.Logger.SetHeader", nil, sayLogger},
	{"echo.Logger.SetPrefix", nil, sayLogger},

	// Starting and stopping.
	{"echo.Echo.Start", start, sayServer},
	{"echo.Echo.StartTLS", startTLS, "call web.StartConfig{Address: …}.StartTLS(ctx, e, cert, key)"},
	{"echo.Echo.StartAutoTLS", nil, "set StartConfig.TLSConfig to the TLSConfig of an autocert.Manager"},
	{"echo.Echo.StartH2CServer", nil, "set Protocols of the *http.Server in StartConfig.BeforeServeFunc"},
	{"echo.Echo.StartServer", onServer("serveEcho"), sayServer},
	{"echo.Echo.Shutdown", serverMethod, sayServer},
	{"echo.Echo.Close", serverMethod, sayServer},
	{"echo.Echo.Server", serverField, sayServer},
	{"echo.Echo.TLSServer", nil, sayServer},
	{"echo.Echo.Listener", nil, sayListener},
	{"echo.Echo.TLSListener", nil, sayListener},
	{"echo.Echo.ListenerAddr", nil, sayListener},
	{"echo.Echo.TLSListenerAddr", nil, sayListener},
	{"echo.Echo.ListenerNetwork", nil, "set StartConfig.ListenerNetwork"},
	{"echo.Echo.AutoTLSManager", nil, "set StartConfig.TLSConfig to the TLSConfig of an autocert.Manager"},
	{"echo.Echo.DisableHTTP2", nil, "set Protocols of the *http.Server in StartConfig.BeforeServeFunc"},
	{"echo.Echo.HideBanner", noEffect, "take it away: there is no banner"},
	{"echo.Echo.HidePort", noEffect, "set StartConfig.HidePort, or take it away"},
	{"echo.Echo.Debug", debug, "set HTTPErrorHandler to web.DefaultHTTPErrorHandler(true) to show causes; nothing else depends on it"},
	{"echo.Echo.EnablePathUnescapingStaticFiles", nil, "make the Echo by web.NewWithConfig with the same name in web.Config"},

	// Routes.
	{"echo.Route", routeType, "a registered route is a web.RouteInfo, by value"},
	{"echo.Route.Name", routeName, "register the route by AddRoute with its Name"},
	{"echo.Echo.Routes", routes, "call Echo.Router().Routes()"},
	{"echo.Echo.Reverse", byHelper("echoReverse"), "call Echo.Router().Routes().Reverse"},
	{"echo.Echo.URI", nil, "name the route, and call Echo.Router().Routes().Reverse"},
	{"echo.Echo.URL", nil, "name the route, and call Echo.Router().Routes().Reverse"},
	{"echo.Echo.Host", nil, "make an Echo for each host, and join them by web.NewVirtualHostHandler"},
	{"echo.Echo.Router", unchanged, ""},
	{"echo.Echo.Routers", nil, sayRouter},
	{"echo.Echo.OnAddRouteHandler", nil, "set Echo.OnAddRoute, which gets a web.Route and may refuse it"},
	{"echo.Router", routerType, sayRouter},
	{"echo.Router.Add", nil, sayRouter},
	{"echo.Router.Find", nil, "send a request through Echo.ServeHTTP: a router finds the handler of a Context by Route"},
	{"echo.Router.Reverse", nil, "call Router.Routes().Reverse"},
	{"echo.Router.Routes", unchanged, ""},
	{"echo.NewRouter", newRouter, sayRouter},
	{"echo.GetPath", nil, "read URL.RawPath, or URL.Path if that is empty"},
	{"echo.CONNECT", httpMethod("MethodConnect"), ""},
	{"echo.DELETE", httpMethod("MethodDelete"), ""},
	{"echo.GET", httpMethod("MethodGet"), ""},
	{"echo.HEAD", httpMethod("MethodHead"), ""},
	{"echo.OPTIONS", httpMethod("MethodOptions"), ""},
	{"echo.PATCH", httpMethod("MethodPatch"), ""},
	{"echo.POST", httpMethod("MethodPost"), ""},
	{"echo.PUT", httpMethod("MethodPut"), ""},
	{"echo.TRACE", httpMethod("MethodTrace"), ""},

	// Middleware.
	{"middleware.Logger", rename("RequestLogger"), sayAccess},
	{"middleware.LoggerWithConfig", nil, sayAccess},
	{"middleware.LoggerConfig", inside("middleware.LoggerWithConfig"), sayAccess},
	{"middleware.LoggerConfig.CustomTagFunc", inside("middleware.LoggerWithConfig"), sayAccess},
	{"middleware.LoggerConfig.CustomTimeFormat", inside("middleware.LoggerWithConfig"), sayAccess},
	{"middleware.LoggerConfig.Format", inside("middleware.LoggerWithConfig"), sayAccess},
	{"middleware.LoggerConfig.Output", inside("middleware.LoggerWithConfig"), sayAccess},
	{"middleware.LoggerConfig.Skipper", inside("middleware.LoggerWithConfig"), sayAccess},
	{"middleware.DefaultLoggerConfig", nil, sayAccess},
	{"middleware.Timeout", nil, sayTimeout},
	{"middleware.TimeoutWithConfig", nil, sayTimeout},
	{"middleware.TimeoutConfig", inside("middleware.TimeoutWithConfig"), sayTimeout},
	{"middleware.TimeoutConfig.ErrorMessage", inside("middleware.TimeoutWithConfig"), sayTimeout},
	{"middleware.TimeoutConfig.OnTimeoutRouteErrorHandler", inside("middleware.TimeoutWithConfig"), sayTimeout},
	{"middleware.TimeoutConfig.Skipper", inside("middleware.TimeoutWithConfig"), sayTimeout},
	{"middleware.TimeoutConfig.Timeout", inside("middleware.TimeoutWithConfig"), sayTimeout},
	{"middleware.TimeoutConfig.ToMiddleware", nil, sayTimeout},
	{"middleware.DefaultTimeoutConfig", nil, sayTimeout},
	{"middleware.JWT", nil, sayJWT},
	{"middleware.JWTWithConfig", nil, sayJWT},
	{"middleware.JWTConfig", inside("middleware.JWTWithConfig"), sayJWT},
	{"middleware.BodyLimit", bodyLimit, "give the limit in bytes"},
	{"middleware.BodyLimitConfig.Limit", bodyLimitField, "set LimitBytes, in bytes"},
	{"middleware.DefaultBodyLimitConfig", zeroConfig("BodyLimitConfig"), sayConfig},
	{"middleware.CORS", cors, "name the origins"},
	{"middleware.CORSWithConfig", corsWithConfig, "set AllowOrigins: there is no default"},
	{"middleware.CORSConfig.AllowOriginFunc", allowOriginFunc, "set UnsafeAllowOriginFunc"},
	{"middleware.CORSConfig.UnsafeWildcardOriginWithAllowCredentials", nil, "use UnsafeAllowOriginFunc, if any site may really read answers with the user's cookies"},
	{"middleware.DefaultCORSConfig", defaultCORS, sayConfig},
	{"middleware.CSRFConfig.ErrorHandler", unchanged, ""},
	{"middleware.CSRFErrorHandler", csrfHandler, "write func(*web.Context, error) error"},
	{"middleware.ContextTimeoutConfig.ErrorHandler", unchanged, ""},
	{"middleware.BasicAuthValidator", unchanged, ""},
	{"middleware.BodyDumpHandler", unchanged, ""},
	{"middleware.KeyAuthErrorHandler", unchanged, ""},
	{"middleware.KeyAuthValidator", unchanged, ""},
	{"middleware.KeyAuthConfig.AuthScheme", authScheme, `write the scheme into KeyLookup, as in "header:Authorization:Bearer "`},
	{"middleware.KeyAuthConfig.KeyLookup", keyLookup, `write the scheme into KeyLookup, as in "header:Authorization:Bearer "`},
	{"middleware.ErrKeyAuthMissing", nil, "compare with middleware.ErrKeyMissing"},
	{"middleware.ErrKeyAuthMissing.Err", nil, "compare with middleware.ErrKeyMissing"},
	{"middleware.ErrKeyAuthMissing.Error", unchanged, ""},
	{"middleware.ErrKeyAuthMissing.Unwrap", unchanged, ""},
	{"middleware.CreateExtractors", extractors, "give the most values that one place may have, such as 20"},
	{"middleware.ValuesExtractor", valuesExtractor, "the function returns the source of the values too"},
	{"middleware.DefaultBasicAuthConfig", zeroConfig("BasicAuthConfig"), sayConfig},
	{"middleware.DefaultBodyDumpConfig", zeroConfig("BodyDumpConfig"), sayConfig},
	{"middleware.DefaultDecompressConfig", zeroConfig("DecompressConfig"), sayConfig},
	{"middleware.DefaultGzipConfig", zeroConfig("GzipConfig"), sayConfig},
	{"middleware.DefaultRedirectConfig", zeroConfig("RedirectConfig"), sayConfig},
	{"middleware.DefaultRequestIDConfig", zeroConfig("RequestIDConfig"), sayConfig},
	{"middleware.DefaultRewriteConfig", zeroConfig("RewriteConfig"), sayConfig},
	{"middleware.DefaultTrailingSlashConfig", nil, sayConfig},
	{"middleware.TrailingSlashConfig", trailingSlash, "write AddTrailingSlashConfig or RemoveTrailingSlashConfig"},
	{"middleware.TrailingSlashConfig.RedirectCode", unchanged, ""},
	{"middleware.TrailingSlashConfig.Skipper", unchanged, ""},
	{"middleware.AddTrailingSlashWithConfig", unchanged, ""},
	{"middleware.RemoveTrailingSlashWithConfig", unchanged, ""},
	{"middleware.NewRateLimiterMemoryStore", rateStore, "give the rate as a float64"},
	{"middleware.RateLimiterMemoryStoreConfig.Rate", rateField, "give the rate as a float64"},
	{"middleware.Visitor.Limiter", nil, sayVisitor},
	{"middleware.ProxyBalancer.Next", nil, "Next returns an error too"},
	{"middleware.TargetProvider", nil, "implement ProxyBalancer, whose Next returns an error too"},
	{"middleware.TargetProvider.NextTarget", nil, "implement ProxyBalancer, whose Next returns an error too"},
	{"middleware.ProxyTarget.Meta", unchanged, ""},
	{"middleware.RecoverConfig.DisableErrorHandler", noEffect, "take it away: Recover returns the error"},
	{"middleware.RecoverConfig.LogErrorFunc", nil, "use a middleware outside of Recover, which gets a *middleware.PanicStackError"},
	{"middleware.LogErrorFunc", nil, "use a middleware outside of Recover, which gets a *middleware.PanicStackError"},
	{"middleware.RecoverConfig.LogLevel", noEffect, "take it away: Recover logs panics as errors"},
	{"middleware.RequestLoggerConfig.LogError", noEffect, "take it away: the error is always there"},
	{"middleware.StaticConfig.Filesystem", staticFilesystem, "give an fs.FS"},
}

// byName finds the entries. The signatures of reordered and extras need none.
var byName = func() map[string]*entry {
	m := map[string]*entry{}
	for i := range table {
		m[table[i].name] = &table[i]
	}
	return m
}()

// Names returns the names of the table, and what a person is told of each.
func Names() []string {
	var list []string
	for _, e := range table {
		list = append(list, e.name)
	}
	return list
}
