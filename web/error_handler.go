package web

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/hone-go/hone/json"
)

// An HTTPErrorHandler answers a request whose handler chain returned an error.
type HTTPErrorHandler func(c *Context, err error)

// DefaultHTTPErrorHandler answers with the error's status (500 if it has none)
// and a JSON object that holds its message; an error with a status that is a
// json.Marshaler with its JSON; and one that is an http.Handler, such as an
// api.Problem, with what that writes. Only an [*HTTPError]'s message reaches the
// client, unless exposeError adds the cause, or the text of another error, as
// "error", for development.
//
// It does nothing once the response has begun. It logs an answer that could not
// be sent, and the cause of a status from 500 on that an http.Handler keeps to
// itself.
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
		if answersItself(c, sc, err) {
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

// answersItself has an error that is an http.Handler answer, and reports whether it
// is one. Its cause is logged, as it keeps that to itself.
func answersItself(c *Context, sc HTTPStatusCoder, err error) bool {
	h, ok := sc.(http.Handler)
	if ok {
		if errors.Unwrap(err) != nil {
			logServerError(c, cmp.Or(sc.StatusCode(), http.StatusInternalServerError), err)
		}
		h.ServeHTTP(c.Response(), c.Request())
	}
	return ok
}

// WrapErrorHandler makes an HTTPErrorHandler of a function that knows net/http
// only, such as api.WriteError. Errors whose status is 500 or more, or that have
// none, are logged. Once the response has begun, the error is logged and the
// function is not called.
func WrapErrorHandler(write func(w http.ResponseWriter, r *http.Request, err error)) HTTPErrorHandler {
	return func(c *Context, err error) {
		if resp, e := UnwrapResponse(c.Response()); e == nil && resp.Committed {
			c.Logger().LogAttrs(c.Request().Context(), slog.LevelWarn, "web: error after the response began",
				slog.String("method", c.Request().Method), slog.String("route", c.Path()), slog.Any("error", err))
			return
		}
		status := StatusCode(err)
		if status == 0 || errors.Unwrap(err) != nil { // else the answer says it all
			logServerError(c, cmp.Or(status, http.StatusInternalServerError), err)
		}
		write(c.Response(), c.Request(), err)
	}
}

// logServerError logs an error that the client does not get to see.
func logServerError(c *Context, status int, err error) {
	if status < http.StatusInternalServerError {
		return
	}
	level := slog.LevelError
	if errors.Is(err, context.Canceled) {
		level = slog.LevelInfo // the client has gone
	}
	r := c.Request()
	c.Logger().LogAttrs(r.Context(), level, "web: request failed",
		slog.String("method", r.Method), slog.String("route", c.Path()), slog.Int("status", status), slog.Any("error", err))
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
