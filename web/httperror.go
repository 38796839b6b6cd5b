package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/hone-go/hone/json"
)

// Errors that stand for a status. [DefaultHTTPErrorHandler] answers with the
// status and its text. Each has a method Wrap(error) error that adds a cause.
var (
	ErrBadRequest                  = &httpError{http.StatusBadRequest}            // 400
	ErrUnauthorized                = &httpError{http.StatusUnauthorized}          // 401
	ErrForbidden                   = &httpError{http.StatusForbidden}             // 403
	ErrNotFound                    = &httpError{http.StatusNotFound}              // 404
	ErrMethodNotAllowed            = &httpError{http.StatusMethodNotAllowed}      // 405
	ErrRequestTimeout              = &httpError{http.StatusRequestTimeout}        // 408
	ErrStatusRequestEntityTooLarge = &httpError{http.StatusRequestEntityTooLarge} // 413
	ErrUnsupportedMediaType        = &httpError{http.StatusUnsupportedMediaType}  // 415
	ErrTooManyRequests             = &httpError{http.StatusTooManyRequests}       // 429
	ErrInternalServerError         = &httpError{http.StatusInternalServerError}   // 500
	ErrBadGateway                  = &httpError{http.StatusBadGateway}            // 502
	ErrServiceUnavailable          = &httpError{http.StatusServiceUnavailable}    // 503

	ErrNotAcceptable = &httpError{http.StatusNotAcceptable} // 406
)

// Errors of set-up and of Context methods.
var (
	ErrValidatorNotRegistered = errors.New("validator not registered")
	ErrRendererNotRegistered  = errors.New("renderer not registered")
	ErrInvalidRedirectCode    = errors.New("invalid redirect status code")
	ErrCookieNotFound         = errors.New("cookie not found")
	ErrInvalidListenerNetwork = errors.New("invalid listener network")

	errNilHandler = errors.New("handler is nil")
	errNoMethod   = errors.New("method is empty")
)

// An HTTPStatusCoder is an error that knows its status.
type HTTPStatusCoder interface {
	StatusCode() int
}

// StatusCode returns the status of the first error in err's chain that has one,
// or 0.
func StatusCode(err error) int {
	var sc HTTPStatusCoder
	if errors.As(err, &sc) {
		return sc.StatusCode()
	}
	return 0
}

type httpError struct{ code int }

func (e httpError) StatusCode() int { return e.code }
func (e httpError) Error() string   { return http.StatusText(e.code) }

// Wrap returns an HTTPError of the same status that has err as its cause.
func (e httpError) Wrap(err error) error {
	return &HTTPError{Code: e.code, Message: http.StatusText(e.code), err: err}
}

// write answers with the status' text, which is rendered already.
func (e *httpError) write(c *Context) error {
	if c.request.Method == http.MethodHead {
		return c.NoContent(e.code)
	}
	return c.Blob(e.code, MIMEApplicationJSON, statusBodies[e.code])
}

// statusBodies are the JSON of the errors that have nothing but a status.
var statusBodies = func() map[int][]byte {
	bodies := map[int][]byte{}
	for code := 400; code < 600; code++ {
		if text := http.StatusText(code); text != "" {
			bodies[code] = []byte(`{"message":` + strconv.Quote(text) + "}\n")
		}
	}
	return bodies
}()

// An HTTPError is an answer to the client: a status and a message for it. The
// cause, if any, is for the log and not shown.
type HTTPError struct {
	Code    int    `json:"-"`
	Message string `json:"message"`
	err     error
}

// NewHTTPError returns an HTTPError; an empty message means the status' text.
func NewHTTPError(code int, message string) *HTTPError {
	return &HTTPError{Code: code, Message: message}
}

func (he *HTTPError) Error() string {
	msg := he.Message
	if msg == "" {
		msg = http.StatusText(he.Code)
	}
	if he.err == nil {
		return fmt.Sprintf("code=%d, message=%s", he.Code, msg)
	}
	return fmt.Sprintf("code=%d, message=%s, err=%v", he.Code, msg, he.err)
}

// StatusCode returns Code.
func (he *HTTPError) StatusCode() int { return he.Code }

// Unwrap returns the cause.
func (he *HTTPError) Unwrap() error { return he.err }

// Wrap returns a copy of the error that has err as its cause.
func (he HTTPError) Wrap(err error) error {
	he.err = err
	return &he
}

// An HTTPErrorHandler answers a request whose handler chain returned an error.
type HTTPErrorHandler func(c *Context, err error)

// DefaultHTTPErrorHandler answers with the error's status (500 if it has none)
// and a JSON object that holds its message; a [*Problem] it answers with a
// problem document, and an error with a status that is a json.Marshaler with its
// JSON. Only an [*HTTPError]'s message reaches the client, unless exposeError
// adds the cause, or the text of another error, as "error", for development.
//
// It does nothing once the response has begun. It logs nothing but an answer
// that could not be sent.
func DefaultHTTPErrorHandler(exposeError bool) HTTPErrorHandler {
	return func(c *Context, err error) {
		if resp, e := UnwrapResponse(c.Response()); e == nil && resp.Committed {
			return
		}
		if he, ok := err.(*httpError); ok && !exposeError {
			answer(c, he.write(c))
			return
		}
		var sc HTTPStatusCoder
		code := http.StatusInternalServerError
		if errors.As(err, &sc) {
			if status := sc.StatusCode(); status != 0 {
				code = status
			}
		}
		if p, ok := sc.(*Problem); ok {
			answer(c, p.write(c))
			return
		}
		if c.Request().Method == http.MethodHead {
			answer(c, c.NoContent(code))
			return
		}
		var body errorBody
		switch e := sc.(type) {
		case json.Marshaler:
			answer(c, c.JSON(code, e))
			return
		case *HTTPError:
			body.Message = e.Message
			if exposeError && e.err != nil {
				body.Error = e.err.Error()
			}
		default:
			if exposeError {
				body.Error = err.Error()
			}
		}
		if body.Message == "" {
			body.Message = http.StatusText(code)
		}
		answer(c, body.write(c, code))
	}
}

// answer logs an answer that could not be sent.
func answer(c *Context, err error) {
	if err != nil {
		c.Logger().Error("web: the error handler could not send its answer", "error", err)
	}
}

// An errorBody is what the client gets to see of an error.
type errorBody struct {
	Error   string `json:"error,omitempty"`
	Message string `json:"message"`
}

func (b *errorBody) write(c *Context, code int) error {
	buf := takeBuffer()
	defer buf.release()
	if err := buf.json(b, ""); err != nil {
		return err
	}
	c.begin(code, jsonType)
	_, err := c.response.Write(buf.b)
	return err
}
