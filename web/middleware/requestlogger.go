package middleware

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/hone-go/hone/web"
)

// A RequestLoggerConfig configures RequestLoggerWithConfig: which values it
// collects, and who gets them.
type RequestLoggerConfig struct {
	Skipper Skipper
	// BeforeNextFunc runs before the rest of the chain.
	BeforeNextFunc func(c *web.Context)
	// LogValuesFunc gets the values of each request. It must be set.
	LogValuesFunc func(c *web.Context, v RequestLoggerValues) error
	// HandleError answers an error that comes back here already, so that the
	// status is the one that is sent. Outer middleware cannot change the
	// response any more.
	HandleError bool

	LogLatency       bool // how long the rest of the chain took
	LogProtocol      bool // such as HTTP/1.1
	LogRemoteIP      bool // see web.Context.RealIP
	LogHost          bool
	LogMethod        bool
	LogURI           bool // as the client sent it
	LogURIPath       bool
	LogRoutePath     bool // the pattern of the route
	LogRequestID     bool // X-Request-Id of the request, else of the response
	LogReferer       bool
	LogUserAgent     bool
	LogStatus        bool // the one sent, or that of the error
	LogContentLength bool // as the client said
	LogResponseSize  bool

	LogHeaders     []string
	LogQueryParams []string
	LogFormValues  []string // of a form that has been parsed
}

// RequestLoggerValues are what is known about a request, of what
// RequestLoggerConfig asks for.
type RequestLoggerValues struct {
	StartTime     time.Time // before the rest of the chain
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
	Error         error
	ContentLength string
	ResponseSize  int64 // -1 if it is not known
	Headers       map[string][]string
	QueryParams   map[string][]string
	FormValues    map[string][]string
}

// RequestLoggerWithConfig collects values of each request.
func RequestLoggerWithConfig(config RequestLoggerConfig) web.MiddlewareFunc {
	return orPanic(config.ToMiddleware())
}

// ToMiddleware makes the middleware.
func (config RequestLoggerConfig) ToMiddleware() (web.MiddlewareFunc, error) {
	config.Skipper = orSkipNone(config.Skipper)
	if config.LogValuesFunc == nil {
		return nil, errors.New("missing LogValuesFunc callback function for request logger middleware")
	}
	headers := make([]string, len(config.LogHeaders))
	for i, name := range config.LogHeaders {
		headers[i] = http.CanonicalHeaderKey(name)
	}
	config.LogHeaders = headers
	return func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			if config.Skipper(c) {
				return next(c)
			}
			start := time.Now()
			if config.BeforeNextFunc != nil {
				config.BeforeNextFunc(c)
			}
			r := c.Request() // as it was before the rest of the chain
			err := next(c)
			if err != nil && config.HandleError {
				c.Echo().HTTPErrorHandler(c, err)
			}
			v := RequestLoggerValues{StartTime: start, Error: err}
			config.collect(c, r, &v)
			if failed := config.LogValuesFunc(c, v); failed != nil {
				return failed
			}
			return err
		}
	}, nil
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
		v.RequestID = requestID(c, r)
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

// pick returns the entries of the given names, or nil if no names are given.
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

func requestID(c *web.Context, r *http.Request) string {
	if id := field(r.Header, web.HeaderXRequestID); id != "" {
		return id
	}
	return field(c.Response().Header(), web.HeaderXRequestID)
}

// RequestLogger logs each request, when it is done, by [web.Context.Logger]: at
// level Info, one that ended in an error at Error. The error is answered here,
// so that the status logged is the one that was sent. The records have no source
// line: it would be the same for all.
func RequestLogger() web.MiddlewareFunc {
	return func(next web.HandlerFunc) web.HandlerFunc {
		return func(c *web.Context) error {
			start, r := time.Now(), c.Request()
			err := next(c)
			level, message := slog.LevelInfo, "REQUEST"
			if err != nil {
				c.Echo().HTTPErrorHandler(c, err)
				level, message = slog.LevelError, "REQUEST_ERROR"
			}
			log := c.Logger().Handler()
			if !log.Enabled(r.Context(), level) {
				return err
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
				slog.String("uri", r.RequestURI),
				slog.Int("status", status),
				slog.Duration("latency", now.Sub(start)),
				slog.String("host", r.Host),
				slog.String("bytes_in", field(r.Header, web.HeaderContentLength)),
				slog.Int64("bytes_out", size),
				slog.String("user_agent", field(r.Header, "User-Agent")),
				slog.String("remote_ip", c.RealIP()),
				slog.String("request_id", requestID(c, r)),
			)
			if err != nil {
				record.AddAttrs(slog.String("error", err.Error()))
			}
			_ = log.Handle(r.Context(), record)
			return err
		}
	}
}
