package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"

	"github.com/hone-go/hone/internal/http/problem"
)

// Each of these errors represents a status. [DefaultHTTPErrorHandler] answers with the status and its text. Each
// has a method Wrap(error) error that adds a cause.
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
)

// These are errors of the configuration and of methods of Context.
var (
	ErrValidatorNotRegistered = errors.New("validator not registered")
	ErrRendererNotRegistered  = errors.New("renderer not registered")
	ErrInvalidRedirectCode    = errors.New("invalid redirect status code")
	ErrCookieNotFound         = errors.New("cookie not found")
	ErrInvalidListenerNetwork = errors.New("invalid listener network")

	errNilHandler = errors.New("adding route without handler function")
	errNoMethod   = errors.New("method is empty")
)

// An HTTPStatusCoder is an error with an HTTP status.
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
// It allocates unless that error is err itself.
func statusCoder(err error) HTTPStatusCoder {
	if sc, ok := err.(HTTPStatusCoder); ok {
		return sc
	}
	var sc HTTPStatusCoder
	errors.As(err, &sc)
	return sc
}

var (
	_ problem.StatusCoder = HTTPStatusCoder(nil)
	_ problem.Detailer    = (*HTTPError)(nil)
)

type httpError struct{ code int }

func (e httpError) StatusCode() int { return e.code }
func (e httpError) Error() string   { return http.StatusText(e.code) }

// Wrap returns an HTTPError with the same status and with err as its cause.
func (e httpError) Wrap(err error) error {
	return &HTTPError{Code: e.code, Message: http.StatusText(e.code), err: err}
}

// An HTTPError is an error with a status and a message for the client. The
// cause, if any, is for the log and not sent.
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

// Detail returns Message. Package api uses it as the detail of a problem document.
func (he *HTTPError) Detail() string { return he.Message }

// Unwrap returns the cause.
func (he *HTTPError) Unwrap() error { return he.err }

// Wrap returns a copy of the error with err as its cause.
func (he HTTPError) Wrap(err error) error {
	he.err = err
	return &he
}

// A ProblemError is a problem document (RFC 9457). It implements error. It has the fields Type,
// Title, Status, Detail and Instance.
type ProblemError = problem.Error

// A ProblemErrorer is an error that can be converted to a problem document. An
// api.Problem is one.
type ProblemErrorer interface {
	ProblemError() *ProblemError
}

var problemType = []string{MIMEApplicationProblemJSON}

// ProblemDetailsHTTPErrorHandler answers with a problem document. It sends the [*ProblemError] in the error's
// chain, or else the document of the [ProblemErrorer] in the chain. If the chain has neither, it makes a document
// of the error's status (500 if it has none) and the message of an [HTTPError]. In a document from the error's
// chain, an unset Status becomes 500, an unset Title becomes the text of the status, and an unset Type becomes
// about:blank.
//
// An error that has a status and is an http.Handler, such as an api.Problem, writes the response
// itself, with all of its fields. exposeError adds the cause, or the text of an error of another
// type, as in [DefaultHTTPErrorHandler].
//
// The handler does nothing once the response has begun.
func ProblemDetailsHTTPErrorHandler(exposeError bool) HTTPErrorHandler {
	return func(c *Context, err error) {
		if resp, e := UnwrapResponse(c.Response()); e == nil && resp.Committed {
			return
		}
		p := problemIn(err)
		if p == nil {
			sc := statusCoder(err)
			if answersItself(c, sc, err) {
				return
			}
			p = problemOf(err, sc, exposeError)
		}
		sent := *p // a copy, as p may be shared
		sent.Status = cmp.Or(sent.Status, http.StatusInternalServerError)
		sent.Title = cmp.Or(sent.Title, http.StatusText(sent.Status))
		sent.Type = cmp.Or(sent.Type, "about:blank")
		c.Response().Header()[HeaderContentType] = problemType
		if c.Request().Method == http.MethodHead {
			logUnsent(c, c.NoContent(sent.Status))
			return
		}
		logUnsent(c, c.JSON(sent.Status, &sent))
	}
}

// problemIn returns the problem in an error's chain, or nil.
func problemIn(err error) (p *ProblemError) {
	errors.As(err, &p)
	return p
}

func problemOf(err error, sc HTTPStatusCoder, exposeError bool) *ProblemError {
	p := &ProblemError{}
	var errorer ProblemErrorer
	if errors.As(err, &errorer) {
		return cmp.Or(errorer.ProblemError(), p)
	}
	if sc != nil {
		p.Status = sc.StatusCode()
	}
	var message *HTTPError
	switch {
	case errors.As(err, &message):
		p.Detail = message.Message
		if exposeError && message.err != nil {
			if p.Detail != "" {
				p.Detail += ": "
			}
			p.Detail += message.err.Error()
		}
	case exposeError:
		p.Detail = err.Error()
	}
	return p
}
