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
	if sc := statusCoder(err); sc != nil {
		return sc.StatusCode()
	}
	return 0
}

// statusCoder returns the first error in err's chain that has a status, or nil.
// It allocates only if that is not err itself.
func statusCoder(err error) HTTPStatusCoder {
	if sc, ok := err.(HTTPStatusCoder); ok {
		return sc
	}
	var sc HTTPStatusCoder
	errors.As(err, &sc)
	return sc
}

type httpError struct{ code int }

func (e httpError) StatusCode() int { return e.code }
func (e httpError) Error() string   { return http.StatusText(e.code) }

// Wrap returns an HTTPError of the same status that has err as its cause.
func (e httpError) Wrap(err error) error {
	return &HTTPError{Code: e.code, Message: http.StatusText(e.code), err: err}
}

// statusBodies are the JSON of the errors that have nothing but a status, from
// 400 on; nil for one without a text.
var statusBodies = func() (bodies [200][]byte) {
	for i := range bodies {
		if text := http.StatusText(400 + i); text != "" {
			bodies[i] = []byte(`{"message":` + strconv.Quote(text) + "}\n")
		}
	}
	return bodies
}()

// statusBody returns the JSON that says the status' text and nothing else, or
// nil if it is not rendered already.
func statusBody(code int) []byte {
	if i := code - 400; i >= 0 && i < len(statusBodies) {
		return statusBodies[i]
	}
	return nil
}

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
		code, sc := http.StatusInternalServerError, statusCoder(err)
		if sc != nil {
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
		var message, cause string
		switch e := sc.(type) {
		case json.Marshaler:
			answer(c, c.JSON(code, e))
			return
		case *HTTPError:
			message = e.Message
			if exposeError && e.err != nil {
				cause = e.err.Error()
			} else if message != "" {
				answer(c, sendJSON(c, code, e, ""))
				return
			}
		default:
			if exposeError {
				cause = err.Error()
			}
		}
		answer(c, sendError(c, code, message, cause))
	}
}

// answer logs an answer that could not be sent.
func answer(c *Context, err error) {
	if err != nil {
		c.Logger().Error("web: the error handler could not send its answer", "error", err)
	}
}

// sendError sends what the client gets to see of an error: by default the text
// of its status.
func sendError(c *Context, code int, message, cause string) error {
	if message == "" {
		if body := statusBody(code); body != nil && cause == "" {
			c.begin(code, jsonType)
			_, err := c.response.Write(body)
			return err
		}
		message = http.StatusText(code)
	}
	return sendJSON(c, code, &struct {
		Error   string `json:"error,omitempty"`
		Message string `json:"message"`
	}{cause, message}, "")
}
