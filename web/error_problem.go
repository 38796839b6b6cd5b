package web

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/hone-go/hone/internal/http/problem"
)

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
