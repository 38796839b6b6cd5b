package middleware

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/hone-go/hone/web"
)

// A RequestLoggerConfig configures RequestLoggerWithConfig: the values to collect, and
// the function that receives them.
type RequestLoggerConfig struct {
	Skipper Skipper
	// BeforeNextFunc runs before the rest of the chain.
	BeforeNextFunc func(c *web.Context)
	// LogValuesFunc receives the values of each request. It must be set.
	LogValuesFunc func(c *web.Context, v RequestLoggerValues) error
	// HandleError answers the chain's error in this middleware, so that the logged
	// status is the status that is sent. Outer middleware can then no longer change
	// the response.
	HandleError bool

	LogLatency       bool // duration of the rest of the chain
	LogProtocol      bool // such as HTTP/1.1
	LogRemoteIP      bool // by web.Context.RealIP
	LogHost          bool
	LogMethod        bool
	LogURI           bool // the URI as the client sent it
	LogURIPath       bool
	LogRoutePath     bool // the pattern of the route
	LogRequestID     bool // X-Request-Id of the client if [RequestID] would accept it, or else of the response
	LogReferer       bool
	LogUserAgent     bool
	LogStatus        bool // the status that was sent, or the status of the error
	LogContentLength bool // the length that the client declared
	LogResponseSize  bool

	LogHeaders     []string
	LogQueryParams []string
	LogFormValues  []string // names of fields, of a form that has already been parsed
}

// RequestLoggerValues are the values of a request that RequestLoggerConfig selects.
type RequestLoggerValues struct {
	StartTime     time.Time // the time before the rest of the chain runs
	Latency       time.Duration
	Protocol      string
	RemoteIP      string
	Host          string
	Method        string
	URI           string
	URIPath       string
	RoutePath     string
	RequestID     string
	Referer       string
	UserAgent     string
	Status        int
	Error         error // the handler's error; for a panic see RequestLogger
	ContentLength string
	ResponseSize  int64 // -1 if unknown
	Headers       map[string][]string
	QueryParams   map[string][]string
	FormValues    map[string][]string
}

// RequestLoggerWithConfig collects values of each request, including a request that
// ends in a panic.
func RequestLoggerWithConfig(config RequestLoggerConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RequestLoggerConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	if config.LogValuesFunc == nil {
		return nil, errors.New("missing LogValuesFunc callback function for request logger middleware")
	}
	headers := make([]string, len(config.LogHeaders))
	for i, name := range config.LogHeaders {
		headers[i] = http.CanonicalHeaderKey(name)
	}
	config.LogHeaders = headers
	return skippable(config.Skipper, func(c *web.Context, next web.HandlerFunc) error {
		start := time.Now()
		if config.BeforeNextFunc != nil {
			config.BeforeNextFunc(c)
		}
		r := c.Request() // the rest of the chain may replace the request
		return runLogged(c, next, config.HandleError, func(err error) error {
			v := RequestLoggerValues{StartTime: start, Error: err}
			config.collect(c, r, &v)
			return config.LogValuesFunc(c, v)
		})
	}), nil
}

// errPanicked represents a panic in the log. The panic itself is not recovered, so that
// its stack stays complete.
var errPanicked = errors.New("the handler panicked")

// runLogged runs the rest of the chain and then logs, whether the chain returns or
// panics. If handle is set, the error is answered before it is logged. runLogged returns
// the error of log, or else the error of the chain.
func runLogged(c *web.Context, next web.HandlerFunc, handle bool, log func(err error) error) error {
	returned, ctx := false, c.Request().Context()
	defer func() {
		if !returned {
			err := errPanicked
			if gone := ctx.Err(); errors.Is(gone, context.Canceled) {
				err = web.NewHTTPError(StatusCodeContextCanceled, "client closed connection").Wrap(gone)
			}
			_ = log(err)
		}
	}()
	err := next(c)
	if err != nil && handle {
		c.Echo().HTTPErrorHandler(c, err)
	}
	returned = true
	if failed := log(err); failed != nil {
		return failed
	}
	return err
}

func (config *RequestLoggerConfig) collect(c *web.Context, r *http.Request, v *RequestLoggerValues) {
	if config.LogLatency {
		v.Latency = time.Since(v.StartTime)
	}
	if config.LogProtocol {
		v.Protocol = r.Proto
	}
	if config.LogRemoteIP {
		v.RemoteIP = c.RealIP()
	}
	if config.LogHost {
		v.Host = r.Host
	}
	if config.LogMethod {
		v.Method = r.Method
	}
	if config.LogURI {
		v.URI = r.RequestURI
	}
	if config.LogURIPath {
		if v.URIPath = r.URL.Path; v.URIPath == "" {
			v.URIPath = "/"
		}
	}
	if config.LogRoutePath {
		v.RoutePath = c.Path()
	}
	if config.LogRequestID {
		if v.RequestID = field(c.Request().Header, web.HeaderXRequestID); !acceptableID(v.RequestID) {
			v.RequestID = requestID(c)
		}
	}
	if config.LogReferer {
		v.Referer = r.Referer()
	}
	if config.LogUserAgent {
		v.UserAgent = r.UserAgent()
	}
	if config.LogStatus || config.LogResponseSize {
		resp, status := web.ResolveResponseStatus(c.Response(), v.Error)
		if config.LogStatus {
			v.Status = status
		}
		if config.LogResponseSize {
			if v.ResponseSize = -1; resp != nil {
				v.ResponseSize = resp.Size
			}
		}
	}
	if config.LogContentLength {
		v.ContentLength = r.Header.Get(web.HeaderContentLength)
	}
	v.Headers = pick(r.Header, config.LogHeaders)
	if len(config.LogQueryParams) > 0 {
		v.QueryParams = pick(c.QueryParams(), config.LogQueryParams)
	}
	v.FormValues = pick(c.Request().Form, config.LogFormValues)
}

// pick returns the entries with the given names, or nil if names is empty.
func pick(from map[string][]string, names []string) map[string][]string {
	if len(names) == 0 {
		return nil
	}
	picked := map[string][]string{}
	for _, name := range names {
		if values, ok := from[name]; ok {
			picked[name] = values
		}
	}
	return picked
}

func requestID(c *web.Context) string {
	return field(c.Response().Header(), web.HeaderXRequestID)
}

// RequestLogger logs each request when it has ended, by [web.Context.Logger]: at level
// Info, or at Error if it ended in an error. The error is answered in this middleware,
// so that the logged status is the status that was sent. A panic is logged as an error
// and continues. If the client has disconnected, a panic is logged at Info, with the
// status 499. The records have no source line, because it would be the same in all of
// them.
//
// The values of the query are omitted because they may be secret. The request ID of the
// client is omitted unless [RequestID] has accepted it.
func RequestLogger() web.MiddlewareFunc {
	return func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			start, r := time.Now(), c.Request()
			return runLogged(c, next, true, func(err error) error {
				logRequest(c, r, start, err)
				return nil
			})
		}
	}
}

func logRequest(c *web.Context, r *http.Request, start time.Time, err error) {
	level, message := slog.LevelInfo, "REQUEST"
	if err != nil {
		message = "REQUEST_ERROR"
		if web.StatusCode(err) != StatusCodeContextCanceled {
			level = slog.LevelError
		}
	}
	log := c.Logger().Handler()
	if !log.Enabled(r.Context(), level) {
		return
	}
	resp, status := web.ResolveResponseStatus(c.Response(), err)
	size := int64(-1)
	if resp != nil {
		size = resp.Size
	}
	now := time.Now()
	record := slog.NewRecord(now, level, message, 0)
	record.AddAttrs(
		slog.String("method", r.Method),
		slog.String("uri", withoutQuery(r)),
		slog.Int("status", status),
		slog.Duration("latency", now.Sub(start)),
		slog.String("host", r.Host),
		slog.String("bytes_in", field(r.Header, web.HeaderContentLength)),
		slog.Int64("bytes_out", size),
		slog.String("user_agent", field(r.Header, "User-Agent")),
		slog.String("remote_ip", c.RealIP()),
		slog.String("request_id", requestID(c)),
	)
	if err != nil {
		record.AddAttrs(slog.String("error", err.Error()))
	}
	_ = log.Handle(r.Context(), record)
}

// withoutQuery returns the path as the client sent it. If the request target is not a
// path, but for example a URL with a password, it returns the path of the parsed URL.
func withoutQuery(r *http.Request) string {
	if !strings.HasPrefix(r.RequestURI, "/") {
		return r.URL.EscapedPath()
	}
	path, _, _ := strings.Cut(r.RequestURI, "?")
	return path
}
