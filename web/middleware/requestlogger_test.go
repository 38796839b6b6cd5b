package middleware

import (
	"testing"

	"github.com/hone-go/hone/web"
)

func TestRequestLoggerWithConfig(t *testing.T) {
	e, _ := logged()
	var got RequestLoggerValues
	e.Use(RequestLoggerWithConfig(RequestLoggerConfig{
		LogValuesFunc: func(_ *web.Context, v RequestLoggerValues) error { got = v; return nil },
		HandleError:   true, LogLatency: true, LogProtocol: true, LogRemoteIP: true, LogHost: true, LogMethod: true, LogURI: true,
		LogURIPath: true, LogRoutePath: true, LogRequestID: true, LogReferer: true, LogUserAgent: true, LogStatus: true,
		LogContentLength: true, LogResponseSize: true, LogHeaders: []string{"x-a"}, LogQueryParams: []string{"q"}, LogFormValues: []string{"f"},
	}))
	e.GET("/a/:x", func(c *web.Context) error { return web.ErrForbidden })
	serve(e, "GET", "/a/1?q=2", "", "X-A", "h", "Referer", "r", "User-Agent", "u", "X-Request-Id", "i")
	if got.Status != 403 || got.Method != "GET" || got.URI != "/a/1?q=2" || got.URIPath != "/a/1" || got.RoutePath != "/a/:x" || got.RequestID != "i" ||
		got.Referer != "r" || got.UserAgent != "u" || got.Host != "example.com" || got.RemoteIP != "192.0.2.1" || got.Protocol != "HTTP/1.1" ||
		got.Error == nil || got.ResponseSize != 24 || got.Headers["X-A"][0] != "h" || got.QueryParams["q"][0] != "2" || len(got.FormValues) != 0 {
		t.Errorf("%+v", got)
	}
	if _, err := (RequestLoggerConfig{}).ToMiddleware(); err == nil {
		t.Error("no function: no error")
	}
}
