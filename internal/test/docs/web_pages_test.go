package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/hone-go/hone/api"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/web"
	"github.com/hone-go/hone/web/middleware"
)

// TestMiddlewarePage looks on docs/middleware.md for each middleware of package web/middleware, and for its options.
func TestMiddlewarePage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "middleware.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "web", "middleware", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	made := regexp.MustCompile(`(?m)^func ([A-Z]\w*?)(?:WithConfig)?\(.*\) web\.MiddlewareFunc \{`)
	found := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range made.FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
	}
	for name := range found {
		if !regexp.MustCompile("`" + name + "(WithConfig)?`").Match(page) {
			t.Errorf("the page lacks %s", name)
		}
	}
	if len(found) < 25 {
		t.Errorf("only %d middleware: %v", len(found), found)
	}
	for _, test := range []struct {
		config any
		names  string
	}{
		{middleware.RequestIDConfig{}, "Generator TargetHeader"}, {middleware.RecoverConfig{}, "StackSize DisablePrintStack"},
		{middleware.SecureConfig{}, "HSTSMaxAge ContentSecurityPolicy XFrameOptions"}, {middleware.CORSConfig{}, "AllowOrigins AllowCredentials AllowMethods MaxAge"},
		{middleware.DecompressConfig{}, "MaxDecompressedSize"}, {middleware.ContextTimeoutConfig{}, "Timeout ErrorHandler"},
		{middleware.CSRFConfig{}, "TrustedOrigins TokenLookup CookieName"}, {middleware.RateLimiterConfig{}, "Store IdentifierExtractor"},
		{middleware.ProxyConfig{}, "Balancer RetryCount Rewrite ModifyResponse"}, {middleware.BodyDumpConfig{}, "MaxRequestBytes MaxResponseBytes"},
		{middleware.StaticConfig{}, "Root Index HTML5 Browse"}, {middleware.KeyAuthConfig{}, "Validator KeyLookup"},
	} {
		for name := range strings.FieldsSeq(test.names) {
			if _, ok := reflect.TypeOf(test.config).FieldByName(name); !ok || !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("%T.%s is not an option, or not on the page", test.config, name)
			}
		}
	}
}

type teapot struct{ error }

func (teapot) StatusCode() int { return http.StatusTeapot }

// TestErrorsPage checks the table of docs/errors.md.
func TestErrorsPage(t *testing.T) {
	secret := errors.New("a secret")
	for _, problems := range []bool{false, true} {
		for _, test := range []struct {
			what   string
			err    error
			status int
			text   string
		}{
			{"a problem", api.NewProblem(404, "no such book"), 404, "no such book"},
			{"an HTTPError", web.NewHTTPError(404, "no such book"), 404, "no such book"},
			{"an HTTPError with a cause", web.NewHTTPError(404, "no such book").Wrap(secret), 404, "no such book"},
			{"a status with a cause", web.ErrNotFound.Wrap(secret), 404, "Not Found"},
			{"an error with a status", teapot{secret}, http.StatusTeapot, "teapot"},
			{"any other error", secret, 500, "Internal Server Error"},
			{"a panic", nil, 500, "Internal Server Error"},
		} {
			var log bytes.Buffer
			e := web.NewWithConfig(web.Config{Logger: slog.New(slog.NewTextHandler(&log, nil))})
			if problems {
				e.HTTPErrorHandler = web.WrapErrorHandler(api.WriteError)
			}
			e.Use(middleware.RequestLogger(), middleware.Recover())
			e.GET("/", func(*web.Context) error {
				if test.err == nil {
					panic(secret)
				}
				return test.err
			})
			w := httptest.NewRecorder()
			e.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			if w.Code != test.status || !strings.Contains(w.Body.String(), test.text) || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%s, problems %v: %d %s", test.what, problems, w.Code, w.Body)
			}
			if (test.err == nil || errors.Is(test.err, secret)) && !strings.Contains(log.String(), "a secret") {
				t.Errorf("%s, problems %v: the log lacks the cause: %s", test.what, problems, &log)
			}
		}
	}
}

type photoIn struct {
	Album string                `path:"album"`
	Title string                `form:"title" length:"1..100"`
	Photo *multipart.FileHeader `form:"photo" required:"true"`
}

type photoOut struct {
	Bytes int64 `json:"bytes"`
}

// TestUploadsPage sends forms to the handler of docs/uploads.md.
func TestUploadsPage(t *testing.T) {
	e := web.New()
	api.Handle(e, "POST /v1/albums/{album}/photos", func(_ context.Context, in *photoIn) (*photoOut, error) {
		f, err := in.Photo.Open()
		if err != nil {
			return nil, err
		}
		defer f.Close()
		n, err := io.Copy(io.Discard, f)
		return &photoOut{n}, err
	}, api.Operation{BodyLimit: 2 << 20})
	for _, test := range []struct {
		title  string
		length int
		want   string
	}{
		{"t", 1_500_000, "200 {\"bytes\":1500000}"},
		{"", 1, "422"},
		{"t", 0, "422"}, // no file
		{"t", 3 << 20, "413"},
	} {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		_ = form.WriteField("title", test.title)
		if test.length > 0 {
			f, err := form.CreateFormFile("photo", "../photo.jpg")
			if err != nil {
				t.Fatal(err)
			}
			_, _ = f.Write(make([]byte, test.length))
		}
		_ = form.Close()
		r := httptest.NewRequest("POST", "/v1/albums/a/photos", &body)
		r.Header.Set("Content-Type", form.FormDataContentType())
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r)
		if got := fmt.Sprintf("%d %s", w.Code, w.Body); !strings.HasPrefix(got, test.want) {
			t.Errorf("%q, %d bytes: %s, want %s", test.title, test.length, got, test.want)
		}
	}
}

// TestNestingLimit checks the limit of docs/deploying.md.
func TestNestingLimit(t *testing.T) {
	for depth, want := range map[int]bool{10_000: true, 10_001: false} {
		var v any
		err := json.Unmarshal([]byte(strings.Repeat("[", depth)+strings.Repeat("]", depth)), &v)
		if (err == nil) != want {
			t.Errorf("%d levels: %v", depth, err)
		}
	}
}
