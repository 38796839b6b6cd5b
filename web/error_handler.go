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

// DefaultHTTPErrorHandler answers an error by its kind:
//
//   - An error that has a status and is an http.Handler, such as an api.Problem, writes the
//     response itself.
//   - An error that has a status and is a json.Marshaler is sent as its JSON.
//   - Any other error is sent as its status (500 if it has none) and a JSON object
//     with the message.
//
// Only the message of an [*HTTPError] reaches the client. For development,
// exposeError adds the cause, or the text of an error of another type, as "error".
//
// The handler does nothing once the response has begun. It logs the error of a response that could
// not be sent. If err is an http.Handler with a status of 500 or more, the handler also logs the
// cause of err, because err does not send its cause.
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
			logUnsent(c, c.NoContent(code))
			return
		}
		var message, cause string
		switch e := sc.(type) {
		case json.Marshaler:
			logUnsent(c, c.JSON(code, e))
			return
		case *HTTPError:
			message = e.Message
			if exposeError && e.err != nil {
				cause = e.err.Error()
			} else if message != "" {
				logUnsent(c, sendJSON(c, code, e, ""))
				return
			}
		default:
			if exposeError {
				cause = err.Error()
			}
		}
		logUnsent(c, sendError(c, code, message, cause))
	}
}

// answersItself reports whether sc is an http.Handler. If so, it lets sc write the response. If err
// also wraps a cause and the status is 500 or more, it first logs err, because the response does
// not contain the cause.
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

// WrapErrorHandler makes an HTTPErrorHandler from a function for net/http, such as api.WriteError.
// The handler logs errors without a status. It also logs errors that wrap a cause and have a status
// of 500 or more. Once the response has begun, it logs every error, and does not call the function.
func WrapErrorHandler(write func(w http.ResponseWriter, r *http.Request, err error)) HTTPErrorHandler {
	return func(c *Context, err error) {
		if resp, e := UnwrapResponse(c.Response()); e == nil && resp.Committed {
			c.Logger().LogAttrs(c.Request().Context(), slog.LevelWarn, "web: error after the response began",
				slog.String("method", c.Request().Method), slog.String("route", c.Path()), slog.Any("error", err))
			return
		}
		status := StatusCode(err)
		if status == 0 || errors.Unwrap(err) != nil { // an error that has a status and no cause is sent whole, so it need not be logged
			logServerError(c, cmp.Or(status, http.StatusInternalServerError), err)
		}
		write(c.Response(), c.Request(), err)
	}
}

// logServerError logs an error that is not sent to the client.
func logServerError(c *Context, status int, err error) {
	if status < http.StatusInternalServerError {
		return
	}
	level := slog.LevelError
	if errors.Is(err, context.Canceled) {
		level = slog.LevelInfo // the client has disconnected
	}
	r := c.Request()
	c.Logger().LogAttrs(r.Context(), level, "web: request failed",
		slog.String("method", r.Method), slog.String("route", c.Path()), slog.Int("status", status), slog.Any("error", err))
}

// logUnsent logs err if it is not nil: an error response could not be sent.
func logUnsent(c *Context, err error) {
	if err != nil {
		c.Logger().Error("web: the error handler could not send its answer", "error", err)
	}
}

// sendError sends an error's message to the client, or the text of the status if
// message is "". A cause other than "" is sent as the member error.
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

// statusBodies are the JSON bodies of errors that have only a status, from 400 on.
// The body is nil for a status without a text.
var statusBodies = func() (bodies [200][]byte) {
	for i := range bodies {
		if text := http.StatusText(400 + i); text != "" {
			bodies[i] = []byte(`{"message":` + strconv.Quote(text) + "}\n")
		}
	}
	return bodies
}()

// statusBody returns the JSON body with the status' text as its message, or nil if
// statusBodies does not have it.
func statusBody(code int) []byte {
	if i := code - 400; i >= 0 && i < len(statusBodies) {
		return statusBodies[i]
	}
	return nil
}
